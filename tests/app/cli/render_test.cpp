#include "app/choices/picture_options.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/drawn_views.h"
#include "tests/registered_test.h"
#include "widgets/view_spec.h"

#include <QCryptographicHash>
#include <QDir>
#include <QImage>
#include <QImageReader>
#include <QJsonArray>
#include <QSet>

#include <cstring>

using namespace cli_process;
using namespace headscope;

class RenderTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const QString sentence_ = "The old man reads a book.";

    QString file(const QString& name) const { return folder_.filePath(name); }

    Result render(const QStringList& more, const QString& out) {
        QFile::remove(out);
        return run(QStringList{"render", trained, "--source", sentence_, "--out", out} + more);
    }

    /// The first row of pixels that is not the same.
    static int firstDifference(const QImage& first, const QImage& second) {
        int row = 0;
        while (row < first.height() && std::memcmp(first.constScanLine(row), second.constScanLine(row),
                                                   static_cast<std::size_t>(first.bytesPerLine())) == 0)
            ++row;
        return row;
    }

    static QByteArray bytesOf(const QImage& image) {
        return QByteArray::fromRawData(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
    }

    static QString output(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.start(program, arguments);
        return process.waitForFinished() ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
    }

  private Q_SLOTS:
    /// Once, and not as what another refusal found.
    void aSecondModelThatIsRefusedIsTheWholeRefusal() {
        const Result refused = run({"render", trained, "--source", "I see.", "--view", "compare", "--choose",
                                    "with=model", "--choose", "model=no-such-model", "--out", file("x.png")});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.startsWith("There is no such model."), refused.err.constData());
        QCOMPARE(refused.err.count("What to do:"), 1);
    }

    void everyViewOfATranslatorIsDrawn_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("overview") << QStringList{"--view", "overview"};
        QTest::newRow("contact sheet") << QStringList{"--view", "contact-sheet", "--head", "encoder.0.0"};
        QTest::newRow("lines") << QStringList{"--view", "lines", "--lines-of", "0,2"};
        for (const char* page : {"head", "stream"})
            QTest::addRow("arithmetic, %s", page)
                << QStringList{"--view", "arithmetic", "--cell", "1,2", "--page", page};
        for (const char* page : {"why", "effect"})
            QTest::addRow("masks, %s", page) << QStringList{"--view", "masks", "--page", page};
        for (const char* page : {"curves", "table", "similarity", "wavelengths", "shift", "words", "scores"})
            QTest::addRow("positions, %s", page) << QStringList{"--view", "positions", "--page", page};
        QTest::newRow("inputs") << QStringList{"--view", "inputs", "--beside", "I see."};
        for (const char* page : {"diagram", "table"})
            QTest::addRow("architecture, %s", page) << QStringList{"--view", "architecture", "--page", page};
        for (const char* page : {"scores", "variance", "temperature"})
            QTest::addRow("scale, %s", page) << QStringList{"--view", "scale", "--page", page};
        QTest::newRow("heads beside each other")
            << QStringList{"--view", "heatmap", "--pin", "cross.0.1", "--pin", "encoder.1.0"};
        QTest::newRow("overview, tinted") << QStringList{"--view", "overview", "--choose", "tint=entropy"};
        QTest::newRow("compare, sentence") << QStringList{"--view", "compare", "--beside", "I see."};
        QTest::newRow("compare, output")
            << QStringList{"--view", "compare", "--beside", "I see.", "--page", "output"};
        QTest::newRow("compare, model")
            << QStringList{"--view", "compare", "--choose", "model=" + trained, "--choose", "with=model"};
        QTest::newRow("source share") << QStringList{"--view", "source-share", "--step", "2"};
        QTest::newRow("head table") << QStringList{
            "--view", "head-table", "--choose", "sorted-by=importance", "--choose", "importance=true"};
        QTest::newRow("head page") << QStringList{"--view",    "head-page", "--head",
                                                  "cross.1.2", "--choose",  "twin=true"};
        QTest::newRow("overview, by importance") << QStringList{
            "--view", "overview", "--choose", "order=importance", "--choose", "tint=importance"};
        QTest::newRow("lens of the twin")
            << QStringList{"--view", "logit-lens", "--choose", "of=twin", "--choose", "twin-seed=7"};
        QTest::newRow("random twin") << QStringList{"--view", "random-twin", "--choose", "twin-seed=7"};
        QTest::newRow("compare, step")
            << QStringList{"--view", "compare", "--choose", "with=step", "--choose", "step=3"};
        QTest::newRow("compare, unchanged")
            << QStringList{"--view", "compare", "--choose", "with=unchanged", "--disable-head", "cross.1.2"};
        QTest::newRow("logit lens") << QStringList{"--view", "logit-lens"};
        QTest::newRow("branches") << QStringList{"--view",   "branches", "--choose", "branches=[\"2,8,9\"]",
                                                 "--choose", "shown=0"};
        QTest::newRow("reference") << QStringList{"--view", "reference", "--target", "Der Mann liest."};
        QTest::newRow("what if") << QStringList{"--view", "what-if", "--disable-head", "cross.1.2"};
        QTest::newRow("beam tree") << QStringList{"--view", "beam-tree", "--beam", "3"};
        for (const char* quantity : {"weights", "scores", "open-scores", "norm-weighted", "norm-shares",
                                     "rollout", "contributions", "gradient"})
            QTest::addRow("heatmap, %s", quantity)
                << QStringList{"--view", "heatmap", "--quantity", quantity, "--step", "2"};
        QTest::newRow("all of a heatmap's options") << QStringList{
            "--view",    "heatmap",      "--scale",    "log",      "--per-row", "--without-special",
            "--words",   "--numbers",    "--received", "--losses", "--theme",   "dark",
            "--caption", "--transposed", "--enlarge",  "--width",  "2000"};
    }

    void everyViewIsLookedAtByOneOfTheTests() {
        for (const auto& view : tests::some(widgets::viewSpecs()))
            QVERIFY2(drawn_views::byTheWindow.contains(view.key) ||
                         drawn_views::byTheCommand.contains(view.key) ||
                         drawn_views::byTheCommandAlone.contains(view.key),
                     view.key);
    }

    /// --enlarge is no longer in the help.
    void anOldCommandThatEnlargesChoosesTheFontSize() {
        const QString once = file("enlarged.png"), again = file("large-text.png");
        for (const char* view : {"heatmap", "lines", "head-table"}) {
            const Result old = render({"--view", view, "--width", "2400", "--height", "2400", "--enlarge",
                                       "--font-size", "9", "--dpi", "96"},
                                      once);
            QVERIFY2(old.status == 0, old.err);
            const QString command = QImage(once).text("Command");
            QVERIFY2(command.contains(" --font-size=") && !command.contains("--font-size=9 ") &&
                         !command.contains("--enlarge"),
                     qPrintable(command));
            const Result result = cli_process::runLine(command + " --out " + again);
            QVERIFY2(result.status == 0, result.err);
            QCOMPARE(contentOf(again), contentOf(once));
        }
        QVERIFY(!run({"render", "--help"}).out.contains("--enlarge"));
    }

    /// What stands beside it is decoded as far as it goes.
    void aForcedTargetIsNoLimitOfWhatStandsBesideIt() {
        const QString out = file("forced.svg");
        const auto drawn = [&](const QStringList& options) {
            const Result result = render(options + QStringList{"--no-space-marks"}, out);
            return result.status == 0 ? QString::fromUtf8(contentOf(out)) : QString::fromUtf8(result.err);
        };
        const QString inputs = drawn({"--view", "inputs", "--beside", "I see.", "--target", "Hallo"});
        QVERIFY2(inputs.contains("The target of sentence 1 was typed and forced"), qPrintable(inputs));
        QVERIFY(inputs.contains(">sehe<")); // the other was decoded
        const QString compare =
            drawn({"--view", "compare", "--beside", "I see.", "--target", "Der Mann", "--head", "cross.1.2"});
        QVERIFY2(compare.contains(">alte | ") && compare.contains(" | sehe<"),
                 qPrintable(compare.right(9000)));
        QVERIFY(compare.contains(">Largest change<"));
        const QString keys = drawn({"--view", "compare", "--beside", "I see.", "--page", "keys"});
        QVERIFY(keys.contains(">Column total, A<") && !keys.contains(">Largest change<"));
        const Result refused = render(
            {"--view", "inputs", "--beside", "I see.", "--target", "Hallo", "--continue"}, file("no.png"));
        QCOMPARE(refused.status, 1);
        QVERIFY(contains(refused.err, {"--view inputs", "--continue", "What to do: "}));
    }

    void everyViewOfATranslatorIsDrawn() {
        QFETCH(QStringList, options);
        const QString out = file("view.png");
        const Result result = render(options + QStringList{"--dpi", "96"}, out); // a quarter of the pixels
        QVERIFY2(result.status == 0, result.err);
        drawn_views::look(QImage(out));
    }

    void expertsAreDrawnOfAMixtureAlone() {
        const QString mixture = HEADSCOPE_SOURCE "/tests/reference/hugging-face/qwen2-moe-tiny";
        const QString out = file("experts.png");
        const std::vector<std::pair<QStringList, const char*>> pages{
            {{"--choose", "layer=2"}, "experts-weights.csv"}, // and the loads, in another file
            {{"--page", "layers", "--step", "3"}, "experts.csv"},
            {{"--page", "load"}, "experts.csv"}};
        for (const auto& [options, numbers] : pages) {
            QFile::remove(out);
            QFile::remove(file(numbers));
            const Result result =
                run(QStringList{"render", mixture, "--source-ids", "5,6,3,7", "--view", "experts", "--dpi",
                                "96", "--out", out, "--out", file("experts.csv")} +
                    options);
            QVERIFY2(result.status == 0, result.err);
            drawn_views::look(QImage(out));
            QVERIFY2(!contentOf(file(numbers)).isEmpty(), numbers);
        }
        const Result refused = render({"--view", "experts"}, file("no.png"));
        QCOMPARE(refused.status, 1);
        QVERIFY2(contains(refused.err, {"experts", "What to do: "}), refused.err);
    }

    void aPngHasTheSizeTheResolutionAndWhereItComesFrom() {
        const QString out = file("map.png");
        QCOMPARE(render({"--view", "heatmap", "--head", "cross.1.2", "--width", "400", "--height", "300",
                         "--dpi", "288", "--font", "sans-serif"},
                        out)
                     .status,
                 0);
        const QImage image(out);
        QCOMPARE(image.size(), QSize(1200, 900));
        QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 288);
        QCOMPARE(image.text("Head"), QString("cross.1.2"));
        QCOMPARE(image.text("Quantity"), QString("weights"));
        QVERIFY(image.text("Source").contains(sentence_));
        QVERIFY(image.text("Software").startsWith("Headscope "));
        QCryptographicHash hash(QCryptographicHash::Sha256);
        QFile weights(HEADSCOPE_SOURCE "/resources/models/tatoeba-en-de/model.safetensors");
        QVERIFY(weights.open(QIODevice::ReadOnly) && hash.addData(&weights));
        QCOMPARE(image.text("Weights"), "sha256:" + QString::fromLatin1(hash.result().toHex()));
    }

    void theCommandInAFileMakesTheFileAgain() {
        const QString first = file("first.png");
        const QString second = file("second.png");
        QCOMPARE(
            render({"--view", "heatmap", "--numbers", "--step", "1", "--beam", "2", "--width", "500"}, first)
                .status,
            0);
        const QString command = QImage(first).text("Command");
        QVERIFY2(command.startsWith("headscope-cli render tatoeba-en-de "), qPrintable(command));
        QCOMPARE(runLine(command + " --out " + second).status, 0);
        QCOMPARE(contentOf(second), contentOf(first));
    }

    void thePictureIsTheSameEveryTime() {
        const auto files = [this](const QString& stem) {
            return QStringList{file(stem + ".png"), file(stem + ".svg"), file(stem + ".pdf")};
        };
        for (const QString& stem : QStringList{"one", "two"}) {
            QStringList words{"render", trained, "--source", sentence_, "--view", "lines"};
            for (const QString& out : files(stem))
                words += {"--out", out};
            const Result result = run(words);
            QVERIFY2(result.status == 0, result.err);
        }
        for (qsizetype i = 0; i < 3; ++i) {
            QVERIFY(!contentOf(files("one")[i]).isEmpty());
            QCOMPARE(contentOf(files("two")[i]), contentOf(files("one")[i]));
        }
    }

    void textStaysText() {
        const QString pdf = file("text.pdf"), svg = file("text.svg");
        QCOMPARE(render({"--view", "heatmap", "--head", "cross.2.5", "--caption", "--out", svg}, pdf).status,
                 0);
        const QString words = output("pdftotext", {"-layout", pdf, "-"});
        for (const QString& drawn : {words, QString::fromUtf8(contentOf(svg))}) {
            QVERIFY2(drawn.contains("book"), qPrintable(drawn));
            QVERIFY2(drawn.contains("Buch"), qPrintable(drawn));
            QVERIFY2(drawn.contains("Cross-attention cross.2.5 (of 3 layers"), qPrintable(drawn));
        }
        QVERIFY(output("pdfinfo", {"-meta", pdf}).contains("sha256:"));
        QVERIFY(contentOf(svg).contains("<headscope:weights>sha256:"));
        const QString drawn = file("from-svg.png");
        output("rsvg-convert", {svg, "-o", drawn});
        QVERIFY(QImage(drawn).width() > 600);
    }

    /// In whatever order they are named; the metadata keep the caption, and the command says it once more.
    void partsOfAPictureAreLeftOut() {
        const QString whole = file("whole.svg"), bare = file("bare.png"), other = file("other.svg");
        const QStringList view{"--view", "heatmap", "--head", "cross.2.5", "--step", "2"};
        QCOMPARE(render(view + QStringList{"--out", file("whole.png")}, whole).status, 0);
        QCOMPARE(
            render(view + QStringList{"--without", "marks,caption,notes,marks", "--out", other}, bare).status,
            0);
        const QImage image(bare);
        QVERIFY(image.height() < QImage(file("whole.png")).height());
        QVERIFY(image.text("Description").startsWith("Cross-attention cross.2.5"));
        QVERIFY2(image.text("Command").contains(" --without=caption,notes,marks "),
                 qPrintable(image.text("Command")));
        const auto drawn = [](const QString& path) {
            const QByteArray svg = contentOf(path);
            return svg.mid(svg.indexOf("</metadata>"));
        };
        QVERIFY(drawn(whole).contains("Cross-attention cross.2.5"));
        QVERIFY(!drawn(other).contains("Cross-attention cross.2.5"));
        QVERIFY(drawn(other).contains("Rows: "));
    }

    void theNumbersBehindAPictureAreWritten() {
        const QStringList heatmap{"--view", "heatmap", "--head", "cross.1.2", "--json"};
        const Result result = render(heatmap, file("map.json"));
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(json(result.out)["out"].toString(), file("map.json"));
        const auto data = json(contentOf(file("map.json")));
        const auto weights = data["arrays"].toArray().at(0).toObject();
        QCOMPARE(weights["name"].toString(), "weights");
        const auto shape = weights["shape"].toArray();
        QCOMPARE(weights["values"].toArray().size(), shape[0].toInt() * shape[1].toInt());
        QVERIFY(data["notes"].toObject()["Command"].toString().contains("--head=cross.1.2"));
        QVERIFY(!data["notes"].toObject()["Weights"].toString().isEmpty());
        const Result parts =
            render({"--view", "overview", "--choose", "tint=entropy", "--json"}, file("all.csv"));
        QVERIFY2(parts.status == 0, parts.err);
        const auto lines = QString::fromUtf8(parts.out).trimmed().split('\n');
        QVERIFY(lines.size() > 2); // a part a file
        for (const auto& line : lines)
            QVERIFY(QFile::exists(json(line.toUtf8())["out"].toString()));
    }

    void manySentencesAreDrawnInOneGo() {
        const QString list = file("sentences.txt"), out = file("many");
        writeFile(list, "I see.\n\nThe cat sleeps.\n");
        const Result result = run(
            {"render", trained, "--view", "heatmap", "--input", list, "--out-dir", out, "--format", "svg"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(QDir(out).entryList(QDir::Files), (QStringList{"0001.svg", "0003.svg"}));
        QVERIFY(contains(result.err, {"0/2  opening", "1/2", "2/2", "0003.svg", "line 2 is empty"}));
        QVERIFY(contentOf(out + "/0003.svg").contains("cat"));
    }

    void theNumbersOfManySentencesAreCountedToo() {
        const QString list = file("numbers.txt"), out = file("numbers");
        writeFile(list, "I see.\nThe cat sleeps.\n");
        const Result result = run(
            {"render", trained, "--view", "heatmap", "--input", list, "--out-dir", out, "--format", "csv"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(QDir(out).entryList(QDir::Files), (QStringList{"0001.csv", "0002.csv"}));
        const auto lines = result.err.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        for (qsizetype i = 0; i < lines.size(); ++i)
            QVERIFY2(lines[i].startsWith(QByteArray::number(i) + "/2  "), lines[i]);
    }

    void aRefusedSentenceLeavesTheOthers() {
        const QString list = file("short.txt"), out = file("some");
        writeFile(list, "I see.\nThe old man reads a book to his daughter.\n");
        const Result result =
            run({"render", trained, "--view", "heatmap", "--step", "7", "--input", list, "--out-dir", out});
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"0001.png: ", "--step", "2/2"}));
        QVERIFY(contains(result.err, {"short.txt: line 1, \"I see.\", for "}));
        QCOMPARE(QDir(out).entryList(QDir::Files), QStringList{"0002.png"});
    }

    void aRefusedLineIsNamedAlsoWhereItIsTheOnlyOne() {
        const QString out = file("only");
        const QByteArray line = "The cat sees " + QByteArray(200, 'o') + "\xff\n"; // which is no UTF-8
        const Result result =
            run({"render", trained, "--view", "heatmap", "--input", "-", "--out-dir", out}, "\n" + line);
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"standard input: line 2, \"The cat sees ooo", "ooo...\", for ",
                                      "0002.png: ", "UTF-8"}));
        QVERIFY(!result.err.contains(QByteArray(50, 'o')));
    }

    void aModelThatIsNotThereIsNoFaultOfTheLines() {
        const Result result = run(
            {"render", "no-such-model", "--view", "heatmap", "--input", "-", "--out-dir", file("no-model")},
            "I see.\nThe cat sleeps.\n");
        QCOMPARE(result.status, 1);
        QCOMPARE(result.err.count("There is no such model"), 1);
        QVERIFY2(!result.err.contains("line 1"), result.err);
    }

    void whatCannotBeDrawnIsRefused_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArrayList>("words");
        QTest::newRow("no such head")
            << QStringList{"--view", "heatmap", "--head", "cross.9.0"}
            << QByteArrayList{"no such head", "cross.9.0", "Expected: ", "What to do: "};
        QTest::newRow("no such step")
            << QStringList{"--view", "heatmap", "--step", "99"} << QByteArrayList{"--step", "99"};
        QTest::newRow("no such cell")
            << QStringList{"--view", "arithmetic", "--cell", "0,99"} << QByteArrayList{"--cell", "99"};
        QTest::newRow("no such dimension")
            << QStringList{"--view", "positions", "--dimensions", "9999"}
            << QByteArrayList{"--dimensions", "Expected: 0 to ", "Found: 9999"};
        QTest::newRow("no search") << QStringList{"--view", "beam-tree"} << QByteArrayList{"--beam 2"};
        QTest::newRow("no classes") << QStringList{"--view", "classifier"} << QByteArrayList{"classifies"};
        QTest::newRow("too large") << QStringList{"--view", "heatmap",  "--width",
                                                  "30000",  "--height", "30000"}
                                   << QByteArrayList{"60000 x 60000", "is the largest"};
    }

    void whatCannotBeDrawnIsRefused() {
        QFETCH(QStringList, options);
        QFETCH(QByteArrayList, words);
        const QString out = file("refused.png");
        const Result result = render(options, out);
        QCOMPARE(result.status, 1);
        for (const QByteArray& word : words)
            QVERIFY2(result.err.contains(word), result.err);
        QVERIFY(!QFile::exists(out));
    }

    void aModelThatReadsAtOnceHasNoStep() {
        const Result result = run({"render", "imdb-classifier", "--source", "A good film.", "--view",
                                   "heatmap", "--step", "3", "--out", file("no-step.png")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err));
        QVERIFY(contains(result.err, {"there are no steps", "Found: 3", "What to do: leave --step out"}));
    }

    void theCommandLineIsCheckedFirst_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("no view") << QStringList{"--source", "I", "--out", "x.png"};
        QTest::newRow("unknown view") << QStringList{"--source", "I", "--out", "x.png", "--view", "nothing"};
        QTest::newRow("unknown ending")
            << QStringList{"--source", "I", "--out", "x.gif", "--view", "heatmap"};
        QTest::newRow("no file") << QStringList{"--source", "I", "--view", "heatmap"};
        QTest::newRow("no input") << QStringList{"--out", "x.png", "--view", "heatmap"};
        QTest::newRow("a page of another view")
            << QStringList{"--source", "I", "--out", "x.png", "--view", "masks", "--page", "curves"};
        QTest::newRow("a choice of another view")
            << QStringList{"--source", "I", "--out", "x.png", "--view", "masks", "--choose", "tint=entropy"};
        QTest::newRow("a choice that means nothing")
            << QStringList{"--source", "I", "--out", "x.png", "--view", "overview", "--choose", "tint=red"};
        QTest::newRow("one and many")
            << QStringList{"--source", "I", "--input", "f", "--out-dir", "d", "--view", "lines"};
    }

    void theCommandLineIsCheckedFirst() {
        QFETCH(QStringList, options);
        QCOMPARE(run(QStringList{"render", "no-such-model"} + options).status, 2);
    }

    /// Before anything else: neither the folder is made nor the model looked for.
    void aFontThatIsNotThereIsRefused() {
        const QString list = file("list.txt"), out = file("no-font");
        writeFile(list, "I see.\n");
        const Result result = run({"render", "no-such-model", "--view", "heatmap", "--input", list,
                                   "--out-dir", out, "--font", "No Such Grotesk"});
        QCOMPARE(result.status, 2);
        QVERIFY(contains(result.err, {"--font", "such as ", "fc-list", "\"No Such Grotesk\""}));
        QVERIFY(!QFileInfo::exists(out));
    }

    void aTrainingIsDrawnOfItsLog() {
        const QString log = HEADSCOPE_SOURCE "/resources/models/toy-copy/log.csv";
        QVERIFY(QDir().mkpath(file("copy.training")));
        QVERIFY(QFile::copy(log, file("copy.training/log.csv")));
        const auto drawn = [&](const QString& training, const QString& ending) {
            const QString out = file("training." + ending);
            QFile::remove(out);
            const Result result = run({"render", training, "--view", "training-curves", "--out", out});
            return result.status == 0 ? contentOf(out) : result.err;
        };
        const QByteArray table = drawn("toy-copy", "csv");
        QVERIFY2(table.startsWith("step,loss,valid_loss"), table);
        QCOMPARE(table.count('\n'), contentOf(log).count('\n'));
        const QByteArray picture = drawn(file("copy"), "svg"); // the model, which need not be there
        QVERIFY2(picture.contains("Training of copy") && picture.contains("headscope-cli render "), picture);
        for (const char* training : {"copy.training", "copy.training/log.csv"}) // but for what was typed
            QCOMPARE(drawn(file(training), "svg").replace(training, "copy"), picture);
    }

    void whatIsNoLogOfATrainingIsRefused() {
        const auto refused = [this](const QStringList& more) {
            return run(QStringList{"render"} + more +
                       QStringList{"--view", "training-curves", "--out", file("training.png")});
        };
        const Result without = refused({"imdb"});
        QCOMPARE(without.status, 1);
        QVERIFY(isWholeRefusal(without.err));
        writeFile(file("other.csv"), "a,b\n1,2\n");
        const Result other = refused({file("other.csv")});
        QCOMPARE(other.status, 1);
        QVERIFY(isWholeRefusal(other.err));
        QCOMPARE(refused({"toy-copy", "--source", "w1"}).status, 2);
        QCOMPARE(refused({"toy-copy", "--animate"}).status, 2);
    }

    void aTraceForNumPyThatIsNotThereIsMissingLikeAnyFile() {
        const Result result =
            run({"render", "run.npz", "--source", "I", "--view", "heatmap", "--out", file("trace.png")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"Where: run.npz", "Found: nothing"}));
    }

    void aTraceIsDrawnWithoutItsSentenceAndSaysWhatItLacks() {
        const QString trace = file("own.safetensors"), out = file("own.png");
        QCOMPARE(run({"trace", trained, "--source", sentence_, "--out", trace}).status, 0);
        const Result drawn = run({"render", trace, "--view", "heatmap", "--out", out});
        QVERIFY2(drawn.status == 0, drawn.err);
        QVERIFY(QFile::exists(out));
        const auto refused = [&](const QString& view) {
            const Result result = run({"render", trace, "--view", view, "--out", file("none.png")});
            [&] { QCOMPARE(result.status, 1); }();
            return result.err;
        };
        QVERIFY(contains(refused("logit-lens"), {"--lens", "What to do: "}));
        QVERIFY(contains(refused("source-share"), {"--quantities"}));
        QVERIFY(!refused("logit-lens").contains("a model with a decoder"));
        QCOMPARE(run({"render", trace, "--view", "heatmap", "--disable-head", "cross.1.1", "--source",
                      sentence_, "--out", out})
                     .status,
                 1);
    }

    void aDecodingIsDrawnStepByStep() {
        const QStringList view{"--view", "heatmap",  "--head", "cross.1.2", "--width",
                               "300",    "--height", "240",    "--dpi",     "96"};
        const QString frames = file("frames");
        const Result result = run(
            QStringList{"render", trained, "--source", sentence_, "--animate", "--out-dir", frames} + view);
        QVERIFY2(result.status == 0, result.err);
        const auto names = QDir(frames).entryList(QDir::Files, QDir::Name);
        QVERIFY(names.size() > 3);
        QCOMPARE(names.front(), QString("0001.png"));
        QSet<QByteArray> different;
        for (const auto& name : names)
            different +=
                QCryptographicHash::hash(bytesOf(QImage(frames + "/" + name)), QCryptographicHash::Md5);
        QCOMPARE(different.size(), names.size());
        // In the first, what is decoded later is not there.
        const QString atStart = file("at-start.png");
        QCOMPARE(render(view + QStringList{"--step", "0"}, atStart).status, 0);
        QVERIFY(QImage(frames + "/" + names.front()) != QImage(atStart));
        // The last is the whole, looked at in its last step.
        const QString whole = file("whole.png");
        QCOMPARE(render(view + QStringList{"--step", QString::number(names.size() - 1)}, whole).status, 0);
        QCOMPARE(QImage(frames + "/" + names.back()), QImage(whole));
        // Each step fills a row more; all above it stays where it is.
        const QImage last(frames + "/" + names.back());
        int sameRows = 0;
        for (qsizetype step = 1; step + 1 < names.size(); ++step) {
            const int now = firstDifference(QImage(frames + "/" + names[step]), last);
            QVERIFY2(now > sameRows && now < last.height(), qPrintable(QString::number(now)));
            sameRows = now;
        }
        QVERIFY(sameRows > last.height() / 3);
        const QString animation = file("film.png");
        QCOMPARE(render(view + QStringList{"--animate"}, animation).status, 0);
        QCOMPARE(QImage(animation), QImage(whole));
        QFile written(animation);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll().count("fcTL"), names.size());
    }

    void aProgramThatReadsAlongIsToldOfFrames() {
        const QStringList view{"--view", "heatmap", "--width", "60", "--height", "60", "--dpi", "96"};
        const QString animation = file("told.png");
        const Result result = run(QStringList{"render", trained, "--source", sentence_, "--animate",
                                              "--progress-json", "--quiet", "--out", animation} +
                                  view);
        QVERIFY2(result.status == 0, result.err);
        const auto lines = result.err.trimmed().split('\n');
        QFile written(animation);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(lines.size(), written.readAll().count("fcTL"));
        QCOMPARE(lines.front(), QString("{\"frame\":1,\"frames\":%1}").arg(lines.size()).toUtf8());
    }

    void aAnimationThatIsTooLargeIsRefusedBeforeAnythingIsWritten() {
        const QString frames = file("too-large");
        const Result result = run({"render", trained, "--source", sentence_, "--view", "heatmap", "--animate",
                                   "--out-dir", frames, "--dpi", "20000"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("is the largest size of this shape"), result.err);
        QVERIFY(!QFileInfo::exists(frames));
    }

    void aPictureThatIsTooLargeLeavesTheFileThatWasThere() {
        const QString out = file("kept.png");
        QFile before(out);
        QVERIFY(before.open(QIODevice::WriteOnly) && before.write("kept") == 4);
        before.close();
        for (const QStringList& view :
             {QStringList{"--view", "heatmap"}, QStringList{"--view", "contact-sheet"}}) {
            const Result result = run(
                QStringList{"render", trained, "--source", sentence_, "--out", out, "--dpi", "20000"} + view);
            QCOMPARE(result.status, 1);
            QVERIFY2(result.err.contains("is the largest size of this shape"), result.err);
        }
        QVERIFY(before.open(QIODevice::ReadOnly));
        QCOMPARE(before.readAll(), QByteArray("kept"));
    }

    void oneOfSeveralFilesThatIsImpossibleLeavesAllUnwritten_data() {
        QTest::addColumn<QString>("other");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("why");
        const QStringList map{"--view", "heatmap"};
        QTest::newRow("no such folder") << "missing/map.csv" << map << "No such file";
        QTest::newRow("a folder") << "." << map << "expected .png"; // before anything is opened
        QTest::newRow("another format") << "map.npy" << map << ".csv .json .npz, found";
        QTest::newRow("too large a page")
            << "map.pdf" << (map + QStringList{"--width", "30000", "--dpi", "24"})
            << "is the largest size of this shape";
    }

    void oneOfSeveralFilesThatIsImpossibleLeavesAllUnwritten() {
        QFETCH(QString, other);
        QFETCH(QStringList, options);
        QFETCH(QString, why);
        const QTemporaryDir folder;
        const Result result = run(QStringList{"render", trained, "--source", sentence_, "--out",
                                              folder.filePath("first.png"), "--out", folder.filePath(other)} +
                                  options);
        QVERIFY(result.status != 0);
        QVERIFY2(result.err.contains(why.toUtf8()), result.err);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    /// It is no file, whose ending would be a format.
    void aFolderOfFramesMayBeCalledAnything() {
        const QString frames = file("frames.svg");
        const Result result = run({"render", trained, "--source", "I see.", "--view", "heatmap", "--animate",
                                   "--width", "200", "--height", "160", "--dpi", "96", "--out-dir", frames});
        QVERIFY2(result.status == 0, result.err);
        const auto names = QDir(frames).entryList(QDir::Files, QDir::Name);
        QVERIFY(names.size() > 2);
        for (const auto& name : names) {
            QCOMPARE(QImageReader::imageFormat(frames + "/" + name), QByteArray("png"));
            QCOMPARE(QImage(frames + "/" + name).size(), QSize(200, 160));
        }
        QVERIFY2(!result.err.contains("longer film"), result.err);
    }

    void framesOfALongerAnimationThatAreThereAreSaid() {
        const QString frames = file("longer");
        QVERIFY(QDir().mkpath(frames));
        for (int frame = 1; frame <= 9; ++frame) // "I see." has fewer
            writeFile(frames + QString("/000%1.png").arg(frame), "of another film");
        const Result result = run({"render", trained, "--source", "I see.", "--view", "heatmap", "--animate",
                                   "--dpi", "24", "--quiet", "--out-dir", frames});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains("longer film"), result.err);
        QCOMPARE(contentOf(frames + "/0009.png"), QByteArray("of another film"));
    }

    void whatDoesNotMoveIsRefused() {
        QCOMPARE(render({"--view", "heatmap", "--animate"}, file("film.svg")).status, 2);
        QCOMPARE(render({"--view", "heatmap", "--animate", "--step", "2"}, file("film.png")).status, 2);
        QCOMPARE(render({"--view", "heatmap", "--frame-time", "100"}, file("film.png")).status, 2);
        const Result result =
            render({"--view", "compare", "--choose", "with=step", "--choose", "step=1", "--animate"},
                   file("film.png"));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("--animate"), result.err);
    }

    void whatShowsTheSentenceAsAWholeHasNoAnimation() {
        for (const auto& [view, wayOut] : std::initializer_list<std::pair<QStringList, const char*>>{
                 {{"positions"}, "such as heatmap"},
                 {{"inputs", "--beside", "I see."}, "such as heatmap"},
                 {{"branches"}, "such as heatmap"},
                 {{"reference"}, "such as heatmap"},
                 {{"head-table"}, "such as heatmap"},
                 {{"head-page"}, "such as heatmap"},
                 {{"scale", "--page", "variance"}, "--page temperature"},
                 {{"importance", "--choose", "of=sentence"}, "of=step"},
                 {{"heatmap", "--head", "encoder.0.0"}, "--head cross.0.0"},
                 {{"contact-sheet", "--head", "encoder.0.0"}, "--head cross.0.0"},
                 {{"arithmetic", "--cell", "1,1"}, "neither --cell nor --query"}}) {
            const Result result = render(QStringList{"--animate", "--view"} + view, file("no-film.png"));
            QCOMPARE(result.status, 2);
            QVERIFY2(contains(result.err, {"--animate", wayOut}), result.err);
        }
    }

    void importanceOfTheSentenceIsTheSameAtEveryStep() {
        const auto drawn = [&](const QString& step, const QString& of) {
            const QString path = file("sheet.png");
            const Result result = run({"render", trained, "--source", "I see.", "--view", "contact-sheet",
                                       "--choose", "tinted=true", "--choose", "importance-of=" + of, "--step",
                                       step, "--dpi", "48", "--out", path});
            return result.status == 0 ? QImage(path) : QImage();
        };
        const QImage whole = drawn("0", "sentence");
        QVERIFY(!whole.isNull());
        QCOMPARE(drawn("2", "sentence"), whole);
        QVERIFY(drawn("2", "step") != whole);
    }

    void aFrameThatCannotBeReplacedLeavesAllThatAreThere() {
        const QString frames = file("blocked");
        QVERIFY(QDir().mkpath(frames + "/0002.png")); // a folder
        const Result result = run({"render", trained, "--source", sentence_, "--view", "heatmap", "--animate",
                                   "--out-dir", frames, "--dpi", "24"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("0002.png"), result.err);
        QCOMPARE(QDir(frames).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList{"0002.png"});
    }

    /// Not the folder in which they lie until all are there.
    void framesThatCannotBeSavedAreNamedAsTheyWereAskedFor() {
        const QStringList words{"render", trained,   "--source",  "I see.",
                                "--view", "heatmap", "--animate", "--out-dir"};
        const Result noFolder = run(words + QStringList{"/proc"});
        QCOMPARE(noFolder.status, 1);
        QVERIFY(contains(noFolder.err, {"The frames cannot be saved", "Where: /proc\n"}));
        const QString frames = file("no-room");
        const Result full = runWithoutRoom(words + QStringList{frames});
        QCOMPARE(full.status, 1);
        QVERIFY(contains(full.err, {("Where: " + frames + "/0001.png\n").toUtf8().constData()}));
        QVERIFY(!noFolder.err.contains(".headscope-") && !full.err.contains(".headscope-"));
        QVERIFY(!QFileInfo::exists(frames));
    }

    void foldersInWhichNothingCouldBeSavedGo() {
        const QString list = file("no-room.txt"), above = file("above");
        writeFile(list, "I see.\nThe cat sleeps.\n");
        const auto full = [&](const QString& folder) {
            return runWithoutRoom(
                {"render", trained, "--view", "heatmap", "--input", list, "--out-dir", folder});
        };
        const Result result = full(above + "/new/pictures");
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"line 1", "could not be saved", "0001.png", "line 2"}));
        QVERIFY(!QFileInfo::exists(above));
        QVERIFY(QDir().mkpath(above + "/empty"));
        QCOMPARE(full(above + "/empty").status, 1);
        QCOMPARE(full(above + "/new/pictures/").status, 1);
        QCOMPARE(QDir(above).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList{"empty"}); // which was there before
    }

    void anEndingInCapitalsIsTheSame() {
        const QString animation = file("Film.PNG");
        const Result result = render({"--view", "heatmap", "--animate", "--dpi", "24"}, animation);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains(animation.toUtf8()), result.err); // what was written
        QVERIFY(QFileInfo::exists(animation));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RenderTest)
#include "render_test.moc"
