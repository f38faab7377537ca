#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QProcess>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "app/export/command_process.h"
#include "app/training/training_form.h"
#include "app/training/training_plan.h"
#include "app/training/training_report.h"
#include "tests/watched_test.h"

#include <cmath>

using namespace headscope;
using app::TrainingPlan;
using app::TrainingSize;
using app::TrainingTask;

class TrainingPlanTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    TrainingPlan plan(TrainingTask task, const QString& name) const {
        return {.task = task,
                .file = folder_.filePath("no-such-corpus.tsv"),
                .validation = {},
                .numbers =
                    app::usualNumbers(task, TrainingSize::Small, app::usualSteps(task, TrainingSize::Small)),
                .steps = app::usualSteps(task, TrainingSize::Small),
                .snapshots = false,
                .name = name,
                .folder = folder_.path()};
    }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void write(const QString& name, const QByteArray& content) const {
        QFile file(folder_.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

  private Q_SLOTS:
    /// It reads the configuration first, and the corpus next: that is the one it misses.
    void theTrainerTakesEveryConfiguration_data() {
        QTest::addColumn<int>("task");
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("more");
        const auto add = [](const char* name, TrainingTask task, TrainingSize size, bool more) {
            QTest::newRow(name) << static_cast<int>(task) << static_cast<int>(size) << more;
        };
        add("pairs, small", TrainingTask::Pairs, TrainingSize::Small, false);
        add("pairs, large", TrainingTask::Pairs, TrainingSize::Large, true);
        add("texts, medium", TrainingTask::Texts, TrainingSize::Medium, true);
        add("texts, small", TrainingTask::Texts, TrainingSize::Small, false);
    }

    void theTrainerTakesEveryConfiguration() {
        QFETCH(int, task);
        QFETCH(int, size);
        QFETCH(bool, more);
        auto wanted =
            plan(static_cast<TrainingTask>(task), QString("taken-%1-%2-%3").arg(task).arg(size).arg(more));
        wanted.steps = app::usualSteps(wanted.task, static_cast<TrainingSize>(size));
        wanted.numbers = app::usualNumbers(wanted.task, static_cast<TrainingSize>(size), wanted.steps);
        wanted.numbers.normFirst = wanted.numbers.hasSinusoids = !more;
        wanted.snapshots = more;
        if (more)
            wanted.validation = folder_.filePath("valid.tsv");
        QVERIFY(!app::writeConfiguration(wanted));
        QProcess process;
        process.start(HEADSCOPE_BUILD "/bin/headscope-cli", {"train", wanted.configuration()});
        QVERIFY(process.waitForFinished(60'000));
        const auto text =
            app::parseRefusal(QString::fromUtf8(process.readAllStandardError()).section("\n", 1));
        QVERIFY2(text.where.find("no-such-corpus.tsv") != std::string::npos, text.what.c_str());
    }

    void whatIsWrittenIsWhatWasAskedFor() {
        auto wanted = plan(TrainingTask::Pairs, "pairs");
        wanted.steps = 1234;
        wanted.snapshots = true;
        const QJsonValue object = app::configurationOf(wanted);
        QCOMPARE(object["training"]["steps"].toInt(), 1234);
        QCOMPARE(object["corpus"]["train"].toString(), wanted.file);
        QCOMPARE(object["corpus"]["valid_every"].toInt(), app::validationEvery);
        QVERIFY(!object["corpus"].toObject().contains("valid"));
        QCOMPARE(object["snapshots"]["steps"].toArray().last().toInt(), 1234);
        QCOMPARE(object["network"]["model_width"].toInt(), 128);
        wanted.validation = folder_.filePath("valid.tsv");
        const auto corpus = app::configurationOf(wanted)["corpus"].toObject();
        QCOMPARE(corpus["valid"].toString(), wanted.validation);
        QVERIFY(!corpus.contains("valid_every"));
    }

    void aClassifierEndsWhereItOnlyLearnsByHeart() {
        const auto training = app::configurationOf(plan(TrainingTask::Texts, "texts"))["training"].toObject();
        QCOMPARE(training["dropout"].toInt(-1), 0);
        QVERIFY(training["patience"].toInt() > 0);
        QVERIFY(!training.contains("bleu_sentences"));
    }

    void theLastStepIsValidated() {
        for (const int steps : {1, 7, 20, 200, 1000, 2000, 9000, 50000}) {
            auto wanted = plan(TrainingTask::Copy, "copy");
            wanted.steps = steps;
            const int every = app::configurationOf(wanted)["training"].toObject()["validate_every"].toInt();
            QVERIFY2(every >= 1 && every <= 500 && steps % every == 0, qPrintable(QString::number(steps)));
        }
    }

    void aConfigurationOfAnotherModelIsNotWrittenOver() {
        auto wanted = plan(TrainingTask::Copy, "mine");
        QVERIFY(!app::writeConfiguration(wanted));
        const auto written = contentOf(wanted.configuration());
        wanted.task = TrainingTask::Reverse;
        const auto refusal = app::writeConfiguration(wanted);
        QVERIFY(refusal && refusal->where == wanted.configuration().toStdString());
        QVERIFY(!refusal->found.empty() && !refusal->expected.empty() && !refusal->wayOut.empty());
        QCOMPARE(contentOf(wanted.configuration()), written);
        wanted.task = TrainingTask::Copy;
        wanted.steps *= 2; // longer
        QVERIFY(!app::writeConfiguration(wanted));
        QVERIFY(contentOf(wanted.configuration()) != written);
    }

    void whereNothingCanBeWrittenIsSaid() {
        write("file", "words");
        auto wanted = plan(TrainingTask::Copy, "copy");
        wanted.folder = folder_.filePath("file/inside");
        QVERIFY(app::writeConfiguration(wanted));
    }

    void foldersAreThoseOfTheConfiguration() {
        write("own.json", R"({"model": "out/model/", "state": "kept"})");
        const auto folders = app::foldersOf(folder_.filePath("own.json"));
        QCOMPARE(folders.model, folder_.filePath("out/model"));
        QCOMPARE(folders.state, folder_.filePath("kept"));
        QVERIFY(!folders.hasModel() && !folders.hasState());
        QVERIFY(app::foldersOf(folder_.filePath("nothing.json")).model.isEmpty());
    }

    void theFormIsThePlan() {
        app::TrainingForm form;
        QVERIFY(!form.whatIsMissing().isEmpty());
        auto wanted = plan(TrainingTask::Texts, "texts");
        wanted.validation = folder_.filePath("valid.tsv");
        wanted.numbers = app::usualNumbers(TrainingTask::Texts, TrainingSize::Medium, 77);
        wanted.numbers.normFirst = wanted.numbers.hasSinusoids = false;
        wanted.numbers.rate = 0.0025;
        wanted.steps = 77;
        wanted.snapshots = true;
        form.setPlan(wanted);
        QVERIFY(form.plan() == wanted);
        QCOMPARE(form.whatIsMissing(), QString());
        wanted.name = "a/b";
        form.setPlan(wanted);
        QVERIFY(!form.whatIsMissing().isEmpty());
    }

    void aSizeThatIsChosenReplacesWhatWasTyped() {
        app::TrainingForm form;
        auto* sizes = form.findChild<QComboBox*>("size");
        QCOMPARE(sizes->currentIndex(), 0);
        auto typed = form.plan();
        typed.numbers.width = 96;
        form.setPlan(typed);
        QCOMPARE(sizes->currentIndex(), -1); // it is none of them
        sizes->setCurrentIndex(1);
        Q_EMIT sizes->activated(1);
        QVERIFY(form.plan().numbers ==
                app::usualNumbers(TrainingTask::Pairs, TrainingSize::Medium, form.plan().steps));
        QCOMPARE(sizes->currentIndex(), 1);
    }

    void aFileThatIsDroppedSaysWhatItIs() {
        app::TrainingForm form;
        form.setFile("/x/pairs.tsv.gz");
        QCOMPARE(form.plan().task, TrainingTask::Pairs);
        QCOMPARE(form.plan().name, QString("pairs"));
        form.setFile("/x/own.json");
        QCOMPARE(form.plan().task, TrainingTask::Configuration);
        QCOMPARE(form.plan().configuration(), QString("/x/own.json"));
    }

    void aNameIsProposedThatIsFreeOrGoesOn() {
        app::TrainingForm form;
        auto* folder = form.findChild<QLineEdit*>("folder");
        folder->setText(folder_.filePath("proposed"));
        form.setTask(TrainingTask::Copy);
        QCOMPARE(form.plan().name, QString("copy"));
        QVERIFY(!app::writeConfiguration(form.plan()));
        form.findChild<QSpinBox*>("steps")->setValue(4321); // longer: the same model
        QCOMPARE(form.plan().name, QString("copy"));
        QVERIFY(QFile::remove(form.plan().configuration()));
        auto other = form.plan();
        other.task = TrainingTask::Reverse;
        QVERIFY(!app::writeConfiguration(other)); // takes the name
        form.findChild<QSpinBox*>("steps")->setValue(1234);
        QCOMPARE(form.plan().name, QString("copy-2"));
    }

    void aLineOfProgressIsRead() {
        const auto report = app::parseReport(
            R"({"step":100,"steps":200,"epoch":2,"loss":3.5,"tokens_per_second":900,"learning_rate":0.1,)"
            R"("seconds_left":12.5,"logged":true,"validation":{"loss":3.25,"accuracy":0.5,"best":true,)"
            R"("bleu":7.5,"entropy":{"encoder":2.5}},"sample":{"source":"a","output":"b"}})");
        QVERIFY(report && report->validated && report->point.settled);
        QCOMPARE(report->steps, 200);
        QCOMPARE(report->secondsLeft, std::optional(12.5));
        QCOMPARE(report->point.validationLoss, 3.25);
        QCOMPARE(report->point.bleu, 7.5);
        QCOMPARE(report->point.encoderEntropy, 2.5);
        QVERIFY(std::isnan(report->point.crossEntropy));
        QCOMPARE(report->output, QString("b"));
        QVERIFY(!app::parseReport(R"({"step":1,"seconds_left":null})")->secondsLeft);
        QCOMPARE(app::parseReport(R"({"message":"reading"})")->message, QString("reading"));
        QVERIFY(!app::parseReport("The corpus cannot be used."));
    }

    void aLogIsReadWithAndWithoutNewerColumns() {
        write("log.csv", "step,epoch,loss,valid_loss,valid_accuracy,bleu,entropy_encoder\n"
                         "50,0,4,,,,\n100,0,3,3.5,0.25,12.5,2\n");
        const auto points = app::pointsOfLog(folder_.filePath("log.csv"));
        QCOMPARE(points.size(), std::size_t{2});
        QVERIFY(std::isnan(points[0].validationLoss));
        QCOMPARE(points[1].bleu, 12.5);
        QVERIFY(std::isnan(points[1].crossEntropy));
        QVERIFY(app::pointsOfLog(folder_.filePath("nothing.csv")).empty());
    }

    void aRefusalIsReadInItsParts() {
        const trace::RefusalText text{.what = "It cannot be",
                                      .where = "/a b/c.tsv",
                                      .expected = "one thing",
                                      .found = "two\nthings",
                                      .wayOut = "mend it"};
        const auto read =
            app::parseRefusal(QString::fromStdString(trace::paragraph(text)) + "\n  Details: more");
        QCOMPARE(read.what, text.what);
        QCOMPARE(read.where, text.where);
        QCOMPARE(read.expected, text.expected);
        QCOMPARE(read.found, text.found);
        QCOMPARE(read.wayOut, text.wayOut);
        QCOMPARE(read.details, std::string("more"));
    }
};

HEADSCOPE_WATCHED_TEST(TrainingPlanTest)
#include "training_plan_test.moc"
