#include <QAction>
#include <QDockWidget>
#include <QSettings>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

using namespace headscope;
using app::ActionKey;
using app::MainWindow;

/// How the window's views share its room.
class MainWindowLayoutTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    void trigger(const ActionKey& id) const { window_->actions()[id]->trigger(); }
    widgets::HeatmapView* map() const {
        return window_->findChild<widgets::HeatmapPage*>()->allMaps().front();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->resize(1440, 900);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        QTRY_VERIFY(map()->hasFigure());
        QTest::qWait(300); // until the panels have their places
    }

    void cleanup() { window_.reset(); }

    void aTallPanelBelowThatIsClosedGivesTheMapItsHeightBack_data() {
        QTest::addColumn<QString>("panel");
        for (const char* panel : {"logit-lens", "arithmetic", "head-table", "random-twin"})
            QTest::newRow(panel) << panel;
    }

    void aTallPanelBelowThatIsClosedGivesTheMapItsHeightBack() {
        QFETCH(const QString, panel);
        const int before = map()->height();
        const QSize whole = window_->size();
        auto* dock = window_->findChild<QDockWidget*>(panel);
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY(dock->isVisible());
        QTest::qWait(300);
        window_->resizeDocks({dock}, {600}, Qt::Vertical);
        QTest::qWait(300);
        QVERIFY(map()->height() < before);
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY(dock->isHidden());
        QTest::qWait(300);
        QCOMPARE(window_->size(), whole);
        QCOMPARE(map()->height(), before);
    }
};

HEADSCOPE_WATCHED_TEST(MainWindowLayoutTest)
#include "main_window_layout_test.moc"
