#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/desktop/settings.h"
#include "app/training/train_page.h"
#include "app/training/training_snapshots.h"
#include "app/window/main_window.h"
#include "app/window/top/state_pills.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/views/what_if/what_if_view.h"

using namespace headscope;
using app::ActionId;
using app::MainWindow;

class SnapshotControllerTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString series() const { return folder_.path() + "/series"; }
    widgets::SnapshotBar* bar() const { return window_->findChild<widgets::SnapshotBar*>(); }
    const std::shared_ptr<const trace::Run>& run() const { return window_->controller()->run(); }

    void open(const QString& model) {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                         app::StartWith{.model = model, .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(run() && run()->complete);
    }

    /// Waits for a whole run of the snapshot.
    bool isShown(const QString& snapshot) const {
        return QTest::qWaitFor(
            [&] { return run() && run()->complete && run()->model->name == snapshot.toStdString(); });
    }

  private Q_SLOTS:
    void initTestCase() {
        for (const char* step : {"step-0", "step-40", "step-300"})
            QVERIFY(QDir().mkpath(series() + "/" + step));
    }

    void cleanup() { window_.reset(); }

    void aSeriesOpensAsItsLastSnapshotWithASlider() {
        open(series());
        QCOMPARE(script_.opened.back().string(), (series() + "/step-300").toStdString());
        QVERIFY(bar()->isVisible());
        QCOMPARE(bar()->count(), 3);
        QCOMPARE(bar()->shown(), 2);
        QVERIFY(!window_->actions()[ActionId::LaterSnapshot]->isEnabled());
    }

    void theModelsNameKeepsTheRoomOfTheLongest() {
        open(series());
        const auto* button = window_->findChild<QPushButton*>("model");
        const int width = button->width();
        bar()->choose(0);
        QVERIFY(isShown("step-0"));
        QCOMPARE(button->text(), QString("step-0"));
        QApplication::processEvents();
        QCOMPARE(button->width(), width);
    }

    void anotherModelHasNoSlider() {
        open("a-model");
        QVERIFY(!bar()->isVisible());
        QVERIFY(window_->findChild<app::StatePills*>()->words().isEmpty());
        QVERIFY(!window_->actions()[ActionId::EarlierSnapshot]->isEnabled());
    }

    void anEarlierSnapshotReadsWhatIsShownWithTheSameHead() {
        open(series());
        const trace::HeadAddress head{{trace::AttentionKind::Cross, 1}, 1};
        window_->selection()->setHead(head);
        window_->actions()[ActionId::EarlierSnapshot]->trigger();
        QVERIFY(isShown("step-40"));
        QCOMPARE(bar()->shown(), 1);
        QVERIFY(window_->selection()->head() == head);
        const auto& path = run()->request.paths.front();
        QVERIFY(std::holds_alternative<trace::TargetIds>(path.forced));
        QVERIFY(path.ends);
    }

    void whatWasChangedAndTheStepStay() {
        open(series());
        window_->selection()->setStep(2);
        window_->actions()[ActionId::ToggleHead]->trigger();
        QTRY_VERIFY(run()->complete && run()->request.interventions.size() == 1);
        window_->actions()[ActionId::EarlierSnapshot]->trigger();
        QVERIFY(isShown("step-40"));
        QCOMPARE(window_->findChild<app::StatePills*>()->words(), (QStringList{"forced", "step 40"}));
        QCOMPARE(run()->request.interventions.size(), std::size_t{1});
        QCOMPARE(window_->selection()->step(), 2);
        QCOMPARE(window_->findChild<widgets::WhatIfView*>()->findChild<QListWidget*>()->count(), 1);
    }

    void withoutTheSameOutputEachDecodesByItself() {
        open(series());
        bar()->findChild<QCheckBox*>()->setChecked(false);
        bar()->choose(0);
        QVERIFY(isShown("step-0"));
        QVERIFY(std::holds_alternative<std::monostate>(run()->request.paths.front().forced));
    }

    void aQuickWayThroughTheSnapshotsKeepsTheOutput() {
        open(series());
        bar()->choose(0);
        bar()->choose(1);
        bar()->choose(0);
        QVERIFY(isShown("step-0"));
        QVERIFY(run()->request.paths.front().ends);
    }

    void aModelThatIsRefusedLeavesTheSliderWhereItIs() {
        open(series());
        bar()->choose(1);
        QVERIFY(isShown("step-40"));
        window_->openModel("bad-model");
        QTRY_VERIFY(window_->findChild<app::MessagePanel*>()->isVisible());
        QCOMPARE(bar()->shown(), 1);
        QVERIFY(bar()->isVisible());
    }

    void playingGoesFromSnapshotToSnapshotAndEndsAtTheLast() {
        open(series());
        auto* play = window_->actions()[ActionId::PlaySnapshots];
        const QString name = play->text();
        const auto opened = script_.opened.size();
        play->trigger(); // from the first one, as the last one is shown
        QVERIFY(play->text() != name);
        QVERIFY(isShown("step-0"));
        QVERIFY(isShown("step-300"));
        QTRY_COMPARE(play->text(), name);
        QCOMPARE(script_.opened.size(), opened + 3);
        QCOMPARE(script_.opened[opened + 1].string(), (series() + "/step-40").toStdString());
        QVERIFY(run()->request.paths.front().ends); // each read the output that was shown
    }

    void playingPausesWhereAPersonActs_data() {
        QTest::addColumn<bool>("bySlider");
        QTest::newRow("the button again") << false;
        QTest::newRow("the slider") << true;
    }

    void playingPausesWhereAPersonActs() {
        QFETCH(bool, bySlider);
        open(series());
        auto* play = window_->actions()[ActionId::PlaySnapshots];
        const QString name = play->text();
        play->trigger();
        QVERIFY(isShown("step-0"));
        if (bySlider)
            bar()->choose(1);
        else
            play->trigger();
        QCOMPARE(play->text(), name);
        const auto opened = script_.opened.size();
        QTest::qWait(1200); // more than the pace
        QVERIFY(script_.opened.size() <= opened + (bySlider ? 1U : 0U));
        QCOMPARE(bar()->shown(), bySlider ? 1 : 0);
    }

    void playingStopsWhereAnotherModelIsOpened() {
        open(series());
        auto* play = window_->actions()[ActionId::PlaySnapshots];
        const QString name = play->text();
        play->trigger();
        QVERIFY(isShown("step-0"));
        window_->openModel("a-model");
        QVERIFY(isShown("a-model"));
        QCOMPARE(play->text(), name);
        QVERIFY(!play->isEnabled());
        QTest::qWait(1200);
        QCOMPARE(run()->model->name, std::string("a-model"));
    }

    void onlyTheSeriesIsAmongTheRecentModels() {
        QSettings().clear();
        open(series());
        bar()->choose(0);
        QVERIFY(isShown("step-0"));
        QCOMPARE(app::Settings().recentModels(), QStringList{series()});
    }

    void trainShowsTheOpenSeriesAndMovesItsSlider() {
        open(series());
        window_->actions()[ActionId::Train]->trigger();
        auto* page = window_->findChild<app::TrainPage*>();
        const auto& readings = page->snapshots()->reader().readings();
        const auto isRead = [](const auto& reading) { return reading.common != nullptr; };
        QTRY_VERIFY(readings.size() == 3 && std::ranges::all_of(readings, isRead));
        QCOMPARE(page->snapshots()->sentence(), "a sentence");
        QCOMPARE(page->snapshots()->shownStep(), std::optional<std::int64_t>(300));
        QCOMPARE(page->snapshots()->shownHead(), std::optional(window_->selection()->head()));
        page->snapshots()->findChild<QListWidget*>()->setCurrentRow(1);
        QCOMPARE(bar()->shownStep(), std::optional<std::int64_t>(40));
        QVERIFY(isShown("step-40"));
        QVERIFY(page->isVisible());
        bar()->choose(0);
        QCOMPARE(page->snapshots()->shownStep(), std::optional<std::int64_t>(0));
        QVERIFY(isShown("step-0"));
        QVERIFY(page->log().points.empty()); // it has no log
        window_->openModel("tatoeba-en-de");
        QTRY_VERIFY(!page->isVisible());
        QTRY_VERIFY(run() && run()->complete);
        window_->actions()[ActionId::Train]->trigger();
        QVERIFY(!page->snapshots()->shownStep()); // no series is open
    }

    void aSeriesHasTheCurvesOfItsLog() {
        const QDir folder(folder_.path());
        for (const char* step : {"kept.snapshots/step-0", "kept.snapshots/step-10", "kept.training"})
            QVERIFY(folder.mkpath(step));
        QFile log(folder.filePath("kept.training/log.csv"));
        QVERIFY(log.open(QIODevice::WriteOnly) && log.write("step,loss\n5,2.5\n10,1.25\n") > 0);
        log.close();
        open(folder.filePath("kept.snapshots"));
        window_->actions()[ActionId::Train]->trigger();
        const auto& points = window_->findChild<app::TrainPage*>()->log().points;
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points.back().step, 10);
        QCOMPARE(points.back().loss, 1.25);
    }
};

HEADSCOPE_WATCHED_TEST(SnapshotControllerTest)
#include "snapshot_controller_test.moc"
