#include <QAction>
#include <QSettings>
#include <QTableWidget>
#include <QTest>

#include "app/export/figure_dialog.h"
#include "app/export/figure_exporter.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"

using namespace headscope;
using app::ActionId;
using app::MainWindow;

/// The random twin in the whole window.
class RandomTwinWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    bool isInSight() const { return tests::bench(*window_)->isInSight("random-twin"); }
    widgets::RandomTwinPanel* panel() const { return window_->findChild<widgets::RandomTwinPanel*>(); }
    QAction* action() const { return window_->actions()["random-twin"]; }
    QString words() const { return panel()->words(); }
    bool isShown() const { return panel()->map()->hasFigure(); }

    void openAndDecode() {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                         app::StartWith{.model = "a-model", .sentence = QString("one")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
    }

    std::size_t twins() {
        const std::lock_guard lock(script_.mutex);
        return static_cast<std::size_t>(std::ranges::count_if(
            script_.requests, [](const auto& request) { return request.randomTwin.has_value(); }));
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        openAndDecode();
    }

    void cleanup() { window_.reset(); }

    void itIsClosedAtFirst() {
        QVERIFY(!isInSight());
        QVERIFY(!action()->isChecked());
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(twins(), 0u);
    }

    void oneClickSetsItBesideTheModel() {
        action()->trigger();
        QTRY_VERIFY(isInSight());
        QVERIFY(action()->isChecked());
        QTRY_VERIFY(isShown());
        QVERIFY(panel()->map()->figureText().caption.startsWith("Random twin, seed 1."));
        QVERIFY(words().contains("On its own, the twin writes"));
        QCOMPARE(window_->windowTitle(), QString("a-model - Headscope")); // the twin's runs are its own
        QTRY_VERIFY(words().contains("cross.0.0, mean entropy"));
        window_->selection()->setHead({{trace::AttentionKind::EncoderSelf, 0}, 1});
        QTRY_VERIFY(words().contains("encoder.0.1, mean entropy"));
        action()->trigger();
        QVERIFY(!isInSight());
        QVERIFY(!isShown());
    }

    void thePanelThatHasTheFocusIsSaved() {
        action()->trigger();
        QTRY_VERIFY(isShown());
        auto* panel = this->panel();
        panel->findChild<QTableWidget*>()->setFocus();
        window_->actions()[ActionId::SavePicture]->trigger();
        auto* dialog = window_->findChild<app::FigureDialog*>();
        QVERIFY(dialog);
        QVERIFY2(dialog->path().contains("random-twin"), qPrintable(dialog->path()));
        dialog->reject();
        QCOMPARE(panel->contextMenuPolicy(), Qt::CustomContextMenu);
        const QString command =
            window_->findChild<app::FigureExporter*>()->command(panel).value_or(QString());
        QVERIFY2(command.contains("--view=random-twin") && !command.contains("--random-twin"),
                 qPrintable(command));
    }

    void switchedOffItIsNotComputed() {
        action()->trigger();
        QTRY_VERIFY(isShown());
        action()->trigger();
        const auto before = twins();
        window_->controller()->decode(std::string("two"));
        QTRY_VERIFY(!window_->controller()->isDecoding());
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(twins(), before);
        action()->trigger();
        QTRY_VERIFY(isShown());
    }

    void behindAnotherPanelItStaysOn() {
        action()->trigger();
        QTRY_VERIFY(isShown());
        window_->actions()["paths"]->trigger();
        QTRY_VERIFY(!isInSight());
        QVERIFY(action()->isChecked());
        window_->hide();
        QVERIFY(action()->isChecked());
        window_->show();
    }

    void itsHeadsAreMeasuredBesideTheModels() {
        auto* list = window_->findChild<widgets::ImportanceView*>()->findChild<widgets::ColumnTable*>();
        window_->actions()["importance"]->trigger();
        QTRY_VERIFY(list->model()->rowCount() > 0);
        QVERIFY(list->isColumnHidden(widgets::ImportanceColumns::Twin));
        action()->trigger();
        tests::bench(*window_)->show("importance");
        QVERIFY(!list->isColumnHidden(widgets::ImportanceColumns::Twin));
        const auto first = list->model()->index(0, widgets::ImportanceColumns::Twin);
        QTRY_COMPARE(first.data().toString(), QString("+0.5000"));
        action()->trigger();
        QVERIFY(list->isColumnHidden(widgets::ImportanceColumns::Twin));
    }

    void itsMapIsDrawnAsThatOfTheHead() {
        action()->trigger();
        QTRY_VERIFY(isShown());
        window_->actions()[ActionId::ShowScores]->trigger();
        QCOMPARE(panel()->map()->quantity(), widgets::Quantity::Scores);
        window_->selection()->setHead({{trace::AttentionKind::EncoderSelf, 0}, 1});
        QVERIFY(panel()->map()->head() == window_->selection()->head());
        QVERIFY(panel()->map()->figureText().caption.contains("Scores"));
    }
};

HEADSCOPE_WATCHED_TEST(RandomTwinWindowTest)
#include "random_twin_window_test.moc"
