#include <QAction>
#include <QCloseEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/desktop/message_panel.h"
#include "app/training/train_page.h"
#include "app/training/training_form.h"
#include "app/training/training_report.h"
#include "app/training/training_snapshots.h"
#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/drawing/type_scale.h"

#include <cmath>

using namespace headscope;
using app::TrainingPlan;
using app::TrainingTask;
using app::TrainPage;

class TrainPageTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    test::FakeEngine::Script script_;

    app::WorkQueue::MakeEngine fakeEngine() {
        return [this] { return std::make_unique<test::FakeEngine>(script_); };
    }

    static constexpr int patience = 60'000; // ms

    TrainingPlan toy(const QString& name, int steps) const {
        return {.task = TrainingTask::Copy,
                .file = {},
                .validation = {},
                .numbers = app::usualNumbers(TrainingTask::Copy, app::TrainingSize::Small, steps),
                .steps = steps,
                .snapshots = false,
                .name = name,
                .folder = folder_.path()};
    }

    /// A configuration that trains in a moment.
    TrainingPlan tiny(const QString& name, int steps, int validateEvery) const {
        auto plan = toy(name, steps);
        plan.task = TrainingTask::Configuration;
        plan.file = writtenFile(
            name + ".json",
            QString(R"({"corpus": {"task": "copy", "words": 6, "sentences": 300, "valid_sentences": 20},
                        "network": {"encoder_layers": 1, "model_width": 16, "heads": 2},
                        "training": {"steps": %1, "batch_tokens": 200, "validate_every": %2,
                                     "bleu_sentences": 3}, "model": "%3"})")
                .arg(steps)
                .arg(validateEvery)
                .arg(name)
                .toUtf8());
        return plan;
    }

    static QPushButton* button(const QWidget& page, const QString& text) {
        for (auto* button : page.findChildren<QPushButton*>())
            if (button->text().remove('&') == text)
                return button;
        return nullptr;
    }

    QString writtenFile(const QString& name, const QByteArray& content) const {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a file cannot be written");
        return file.fileName();
    }

  private Q_SLOTS:
    void theFormIsAsWideAsItsTextNeeds() {
        auto page = std::make_unique<TrainPage>(fakeEngine());
        const auto area = [&] {
            const QScrollArea* area = nullptr;
            for (QWidget* around = page->form(); !area; around = around->parentWidget())
                area = qobject_cast<QScrollArea*>(around->parentWidget());
            return area;
        };
        page->resize(1384, 800);
        page->show();
        for (const int percent : {100, 150, 0}) {
            if (percent > 0) {
                widgets::setTextSize(percent);
            } else { // with large text from the start
                page = std::make_unique<TrainPage>(fakeEngine());
                page->show();
                page->resize(1384, 800);
            }
            QTRY_VERIFY(page->form()->isVisible() && !area()->horizontalScrollBar()->isVisible());
            for (const auto* number : page->form()->findChildren<QSpinBox*>()) {
                const auto* line = number->findChild<QLineEdit*>();
                QTRY_VERIFY2(number->isHidden() ||
                                 line->width() >= line->fontMetrics().horizontalAdvance(number->text()),
                             qPrintable(number->text()));
            }
        }
        widgets::setTextSize(100);
    }

    void aToyModelIsTrainedBeforeOnesEyesAndOpened() {
        TrainPage page(fakeEngine());
        page.form()->setPlan(toy("whole", 10));
        QVERIFY(!button(page, "Open the Model")->isEnabled());
        button(page, "Train")->click();
        QVERIFY(page.process()->isRunning());
        QVERIFY(!page.form()->isEnabled() && button(page, "Stop")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        const auto& points = page.log().points;
        QVERIFY(!points.empty());
        QCOMPARE(points.back().step, 10);
        for (const double number : {points.back().loss, points.back().validationLoss, points.back().bleu,
                                    points.back().encoderEntropy, points.back().crossEntropy})
            QVERIFY(std::isfinite(number));
        const QString log = folder_.filePath("whole.training/log.csv"); // what `render` draws them of
        QCOMPARE(QString::fromStdString(page.log().path), log);
        QCOMPARE(app::pointsOfLog(log).size(), points.size());
        QSignalSpy wanted(&page, &TrainPage::modelWanted);
        button(page, "Open the Model")->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), folder_.filePath("whole"));
        QVERIFY(QFile::exists(folder_.filePath("whole/model.safetensors")));
    }

    void snapshotsOpenAsTheirSeries() {
        auto plan = toy("kept", 10);
        plan.snapshots = true;
        TrainPage page(fakeEngine());
        page.form()->setPlan(plan);
        QVERIFY(!button(page, "Open Series kept.snapshots"));
        page.train();
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        auto* open = button(page, "Open Series kept.snapshots");
        QVERIFY(open && open->isVisibleTo(&page) && button(page, "Open the Model")->isEnabled());
        const auto& readings = page.snapshots()->reader().readings(); // as many as are planned
        QTRY_COMPARE_WITH_TIMEOUT(readings.size(), std::size_t{3}, patience);
        QTRY_VERIFY_WITH_TIMEOUT(page.snapshots()->shownStep() == 10, patience);
        QSignalSpy wanted(&page, &TrainPage::modelWanted);
        open->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), folder_.filePath("kept.snapshots"));
    }

    void whatIsStoppedGoesOnWhereItWas() {
        TrainPage page(fakeEngine());
        page.form()->setPlan(tiny("parts", 100'000, 1000));
        page.train();
        const auto isLogged = [&] {
            const auto& points = page.log().points;
            return !points.empty() && points.front().settled;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isLogged(), patience);
        QVERIFY(page.log().path.empty()); // it goes on
        page.stop();
        QVERIFY(button(page, "Stopping...") && !button(page, "Stopping...")->isEnabled()); // at once
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        QVERIFY(page.findChild<app::MessagePanel*>()->isHidden());
        QVERIFY(button(page, "Resume")->isEnabled());
        const auto last = page.log().points.back().step;
        const auto end = last + 1000; // it trained on until it stopped
        page.form()->setPlan(tiny("parts", static_cast<int>(end), 1000));

        TrainPage another(fakeEngine()); // as after a new start of the program
        another.form()->setPlan(page.form()->plan());
        button(another, "Resume")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!another.process()->isRunning(), patience);
        QCOMPARE(another.log().points.back().step, end);
        QVERIFY(another.log().points.front().step <= last); // from the log
    }

    void aFileThatIsNoCorpusIsRefusedOnThePage_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        QTest::newRow("no tab") << QByteArray("one\ntwo\n") << "line 1";
        QTest::newRow("empty") << QByteArray() << "no line";
        QTest::newRow("no text") << QByteArray("\xff\xfe\x00\x01\n", 5) << "line 1";
    }

    void aFileThatIsNoCorpusIsRefusedOnThePage() {
        QFETCH(QByteArray, content);
        QFETCH(QString, found);
        TrainPage page(fakeEngine());
        const QString name = QString("bad-%1").arg(content.size());
        auto plan = toy(name, 10);
        plan.task = TrainingTask::Pairs;
        plan.file = writtenFile(name + ".tsv", content);
        page.form()->setPlan(plan);
        page.train();
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        const auto* message = page.findChild<app::MessagePanel*>();
        QVERIFY(!message->isHidden());
        for (const QString& part : {plan.file, QString("Expected: "), found, QString("What to do: ")})
            QVERIFY2(message->words().contains(part), qPrintable(message->words()));
        QVERIFY(button(page, "Train")->isEnabled());
    }

    void whatWasRefusedLeavesNothingBehind() {
        TrainPage page(fakeEngine());
        auto plan = toy("gone", 10);
        plan.task = TrainingTask::Pairs;
        plan.file = writtenFile("no-tab.tsv", "one\ntwo\n");
        plan.folder = folder_.filePath("new-folder");
        page.form()->setPlan(plan);
        page.train();
        QVERIFY(QFile::exists(plan.configuration()));
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        QVERIFY(!QFile::exists(plan.folder));
        QVERIFY(button(page, "Train")->isEnabled());
    }

    void aTrainingAtItsEndGoesOnWithMoreSteps() {
        TrainPage page(fakeEngine());
        page.form()->setPlan(toy("end", 10));
        page.train();
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        QVERIFY(!button(page, "Resume")->isEnabled());
        const QString why = button(page, "Resume")->toolTip();
        QVERIFY2(why.contains("Finished at step 10") && why.contains("Add steps"), qPrintable(why));
        page.form()->setPlan(toy("end", 20));
        QVERIFY(button(page, "Resume")->isEnabled());
        button(page, "Resume")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        QCOMPARE(page.log().points.back().step, 20);
    }

    void aConfigurationRunsAsItIs() {
        TrainPage page(fakeEngine());
        page.form()->setFile(writtenFile("own.json", R"({"corpus": {"task": "reverse", "sentences": 200},
            "network": {"encoder_layers": 1, "model_width": 16, "heads": 2}, "training": {"steps": 5},
            "model": "own"})"));
        page.train();
        QTRY_VERIFY_WITH_TIMEOUT(!page.process()->isRunning(), patience);
        QVERIFY(QFile::exists(folder_.filePath("own/model.safetensors")));
        QCOMPARE(page.log().points.back().step, 5);
    }

    void theWindowOpensWhatWasTrainedAndAsksBeforeItCloses() {
        test::FakeEngine::Script script;
        app::MainWindow window([&script] { return std::make_unique<test::FakeEngine>(script); },
                               app::StartWith{.model = "tatoeba-en-de", .sentence = QString("a sentence")});
        window.show();
        QTRY_VERIFY(window.controller()->run() && window.controller()->run()->complete);
        window.actions()[app::ActionId::Train]->trigger();
        auto* page = window.findChild<TrainPage*>();
        QVERIFY(page && page->isVisible());
        page->form()->setPlan(tiny("opened", 1'000'000, 20));
        page->train();
        QTRY_VERIFY_WITH_TIMEOUT(button(*page, "Open the Model")->isEnabled(), patience); // on its way
        button(*page, "Open the Model")->click();
        QTRY_COMPARE(QString::fromStdString(script.opened.back().string()), folder_.filePath("opened"));
        QTRY_VERIFY(!page->isVisible());
        QVERIFY(page->process()->isRunning());
        window.actions()[app::ActionId::Train]->trigger();
        QVERIFY(page->isVisible());

        const auto answer = [&](const QString& text) {
            QTimer::singleShot(0, this, [text] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box);
                for (auto* each : box->buttons())
                    if (each->text().remove('&') == text)
                        return each->click();
                box->reject();
                QFAIL("there is no such button");
            });
        };
        answer("Cancel");
        QVERIFY(!window.close());
        QVERIFY(page->process()->isRunning());
        answer("Stop Training");
        QVERIFY(window.close());
        QVERIFY(!page->process()->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder_.filePath("opened.training/state.safetensors")),
                                 patience);
    }
};

HEADSCOPE_WATCHED_TEST(TrainPageTest)
#include "train_page_test.moc"
