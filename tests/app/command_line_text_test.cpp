#include <QTest>

#include "app/command_line_text.h"
#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::commandLineText;
using app::shellQuoted;

/// What is copied is run here by a real shell and the real program.
class CommandLineTextTest : public QObject {
    Q_OBJECT

    static cli_process::Result shell(const std::string& command) {
        QProcess process;
        process.setWorkingDirectory(QDir::tempPath());
        process.start("/bin/sh", {"-c", QString::fromStdString(command)});
        process.closeWriteChannel();
        return cli_process::resultOf(process);
    }

    static std::string inFull(std::string command) {
        return command.replace(0, std::string("headscope-cli").size(), cli_process::program.toStdString());
    }

    static trace::Request sentence(std::string text) { return {.source = std::move(text)}; }

    static std::string text(const trace::Request& request) {
        return *commandLineText({.path = "a-model"}, request, {});
    }

  private Q_SLOTS:
    void everyTextIsOneWordOfTheShell() {
        for (const std::string word : {"plain", "two words", "it's", "\"$HOME\" `id` \\ !", "line\nbreak", "",
                                       "*", "~", "=x", "Straße\t", "'''"})
            QCOMPARE(shell("printf %s " + shellQuoted(word)).out.toStdString(), word);
        QCOMPARE(shellQuoted("cross.2.5=0.5"), std::string("cross.2.5=0.5"));
    }

    void aSentenceIsTranslatedWithItsChangesAndDecoding() {
        auto request = sentence("It's red.");
        request.interventions = {{trace::ScaleHead{.head = {{trace::AttentionKind::Cross, 2}, 5}}},
                                 {trace::LiftMask{}, false},
                                 {trace::SoftmaxTemperature{.temperature = 2}}};
        request.decoding.beam = 4;
        request.padding.source = 3;
        QCOMPARE(text(request),
                 std::string("headscope-cli translate a-model --beam=4 --pad-source=3 --max-length=60 "
                             "--disable-head=cross.2.5 --softmax-temperature=2 -- 'It'\\''s red.'"));
    }

    void aTextIsPredictedByAnEncoderAlone() {
        auto request = sentence("a [MASK]");
        request.second = "b";
        const auto predicted = [&] { return *commandLineText({.path = "m"}, request, {}, true); };
        QCOMPARE(predicted(), std::string("headscope-cli predict m --second=b -- 'a [MASK]'"));
        request.padding.source = 1;
        QVERIFY(QString::fromStdString(predicted()).startsWith("headscope-cli trace m --pad-source=1 "));
    }

    void aTwinIsNamedByItsSeed() {
        auto request = sentence("It rains.");
        request.randomTwin = 7;
        QCOMPARE(
            text(request),
            std::string("headscope-cli translate a-model --max-length=60 --random-twin=7 -- 'It rains.'"));
    }

    void aPictureSaysOnlyWhatIsNotAsUsual() {
        auto request = sentence("It's red.");
        request.ratherThan = "blau";
        const widgets::PictureOptions usual;
        QCOMPARE(*app::pictureCommandText({.path = "a-model"}, request, {}, usual, 60),
                 std::string("headscope-cli render a-model --view=heatmap --max-length=60 --rather-than=blau "
                             "'--source=It'\\''s red.'"));
        const widgets::PictureOptions picture{.view = "positions",
                                              .head = trace::HeadAddress{{trace::AttentionKind::Cross, 2}, 5},
                                              .step = 3,
                                              .cell = {{3, 4}},
                                              .choices = {{"page", std::string("table")},
                                                          {"dimensions", std::vector<std::int64_t>{4, 5}},
                                                          {"centred", true}},
                                              .spaceMarks = false,
                                              .width = 400,
                                              .dark = true,
                                              .font = "DejaVu Sans",
                                              .fontSize = 10.5};
        const auto line = app::pictureCommandText({.path = "a-model"}, sentence("Yes."), {}, picture, 60);
        QCOMPARE(*line, std::string("headscope-cli render a-model --view=positions --head=cross.2.5 --step=3 "
                                    "--cell=3,4 --page=table --dimensions=4,5 --choose=centred=true "
                                    "--no-space-marks --width=400 --theme=dark '--font=DejaVu Sans' "
                                    "--font-size=10.5 --max-length=60 --source=Yes."));
    }

    void whatIsDecodedBesideATargetIsAsLongAsInTheWindow() {
        auto request = sentence("Yes.");
        const auto line = [&](const char* view) {
            return *app::pictureCommandText({.path = "m"}, request, {}, {.view = view}, 40);
        };
        QVERIFY(line("compare").find("--beside-length=40") != std::string::npos); // the sentence has 60
        request.paths = {{.forced = "Ja.", .newTokens = 0}};
        for (const char* view : {"compare", "inputs"})
            QCOMPARE(line(view), "headscope-cli render m --view=" + std::string(view) +
                                     " --max-length=40 --source=Yes. --target=Ja.");
        QVERIFY(line("heatmap").find("length") == std::string::npos);
        request.paths.back().newTokens = 40;
        QVERIFY(line("compare").find("--beside-length") == std::string::npos);
    }

    void forcedTargetsAreTraced() {
        trace::Request request{.source = trace::SourceIds{{5, 6}}};
        request.paths = {{.forced = trace::TargetIds{{2, 10}}, .newTokens = 0}};
        QCOMPARE(text(request),
                 std::string("headscope-cli trace a-model --source-ids=5,6 --target-ids=2,10 --out=run.npz"));
        request.paths.back().newTokens = 7;
        QVERIFY(text(request).find("--max-length=7") != std::string::npos);
        QVERIFY(text(request).find("--continue") != std::string::npos);
    }

    void whatTheModelsFolderSaysIsOverruledWhereItWasChanged() {
        const auto command =
            *commandLineText({.path = "a-model"}, sentence("a"), {.beam = 6, .lengthPenalty = 1});
        QVERIFY(command.find("--beam=1 --length-penalty=0") != std::string::npos);
    }

    void settingsOfABareCheckpointGoWithIt() {
        const auto command =
            *commandLineText({.path = "a b.pt", .settings = {{"start_id", "2"}}}, sentence("a"), {});
        QVERIFY(command.find("'a b.pt' --start-id=2") != std::string::npos);
    }

    void vectorsHaveNoCommand() {
        QVERIFY(!commandLineText({.path = "m"}, {.source = trace::SourceEmbeddings{}}, {}));
    }

    void theCommandRunsAndMeansTheSame() {
        for (const std::string source : {"It's a \"red\" book.", "-5 is less.", "Two\nlines."}) {
            auto request = sentence(source);
            request.interventions = {{trace::ScaleHead{.head = {{trace::AttentionKind::Cross, 2}, 5}}}};
            const auto result =
                shell(inFull(*commandLineText({.path = cli_process::trained.toStdString()}, request, {})));
            QVERIFY2(result.status == 0, result.err.constData());
            const auto direct = cli_process::run({"translate", cli_process::trained, "--disable-head",
                                                  "cross.2.5", "--", QString::fromStdString(source)});
            QCOMPARE(result.out, direct.out);
            QVERIFY(!result.out.trimmed().isEmpty());
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CommandLineTextTest)
#include "command_line_text_test.moc"
