#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QMenu>
#include <QTest>
#include <QTimer>

#include "app/export/figure_dialog.h"
#include "app/export/figure_exporter.h"
#include "app/window/main_window.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/head_grid/head_grid.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/random_twin/random_twin_panel.h"

#include <utility>

using namespace headscope;
using app::ActionId;
using app::FigureDialog;

/// What the menus of views save.
class MainWindowPicturesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<app::MainWindow> window_;

    /// The file that is offered, and how large the picture is.
    using Offered = std::pair<QString, QSize>;

    Offered offered() const {
        const auto* dialog = window_->findChild<FigureDialog*>();
        const Offered what = dialog ? Offered(dialog->path(), dialog->options().size) : Offered();
        delete dialog;
        return what;
    }
    Offered savedAs(QWidget* view) const {
        window_->findChild<app::FigureExporter*>()->savePicture(view);
        return offered();
    }
    /// Chooses "Export Picture..." in its menu.
    Offered savedByMenuOf(QWidget* view) const {
        QTimer::singleShot(0, window_.get(), [] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            for (QAction* action : menu->actions())
                if (action->text().startsWith("Export Picture"))
                    action->trigger();
            menu->close();
        });
        Q_EMIT view->customContextMenuRequested(view->rect().center());
        return offered();
    }

  private Q_SLOTS:
    void initTestCase() {
        window_ =
            std::make_unique<app::MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                              app::StartWith{.model = "a-model", .sentence = QString("one")});
        window_->show();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
    }

    void aPinnedMapIsSavedWithThoseBesideIt() {
        auto* selection = window_->selection();
        for (const int head : {0, 1})
            selection->togglePinnedHead({{trace::AttentionKind::EncoderSelf, 0}, head});
        auto* compared = window_->findChild<widgets::HeatmapPage*>();
        QTRY_VERIFY(compared->maps().size() >= 2 && compared->maps().back()->hasFigure());
        QTRY_VERIFY(!compared->figureText().caption.contains("Comparing"));
        const auto whole = savedAs(compared);
        QVERIFY(!whole.first.isEmpty());
        for (auto* map : compared->maps()) {
            QCOMPARE(savedByMenuOf(map), whole);
            QVERIFY(savedAs(map).second != whole.second);
        }
    }

    void theCellsOwnActionsStandFirstInTheMapsMenu() {
        auto* compared = window_->findChild<widgets::HeatmapPage*>();
        auto* map = compared->maps().empty() ? compared->allMaps().front() : compared->maps().front();
        const QPoint cell = map->cellArea({0, 0}).center();
        QVERIFY(map->runCellAt(cell));
        QStringList entries;
        QTimer::singleShot(0, window_.get(), [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            for (const QAction* action : menu->actions())
                if (!action->isSeparator())
                    entries += action->text();
            menu->close();
        });
        Q_EMIT map->customContextMenuRequested(cell);
        const auto* copyCell = window_->actions()[ActionId::CopyCell];
        QCOMPARE(entries.indexOf(copyCell->text()), 1);
        QVERIFY(entries.indexOf(copyCell->text()) < entries.indexOf("Copy Picture"));
        QVERIFY(entries.last().startsWith("Export Data"));
    }

    void aHeadIsChosenInItsPanelAndSavedFromTheTab() {
        window_->actions()["heatmap"]->trigger();
        auto* heads = window_->findChild<widgets::HeadGridView*>();
        heads->setFocus();
        window_->actions()[ActionId::SavePicture]->trigger();
        const auto shown = offered().first;
        QVERIFY2(QFileInfo(shown).fileName().startsWith("heatmap"), qPrintable(shown));
        const auto small = savedByMenuOf(window_->findChild<widgets::HeadGrid*>()).first;
        QVERIFY2(QFileInfo(small).fileName().startsWith("contact-sheet"), qPrintable(small));
    }

    void theTwinsMapIsSavedWithTheModels() {
        window_->actions()["random-twin"]->trigger();
        auto* panel = window_->findChild<widgets::RandomTwinPanel*>();
        QTRY_VERIFY(panel->map()->hasFigure());
        QVERIFY(
            tests::becomesIdle(*window_->findChild<app::WorkQueue*>())); // all is said that makes it higher
        const auto whole = savedAs(panel);
        QVERIFY2(whole.first.contains("random-twin"), qPrintable(whole.first));
        QCOMPARE(savedByMenuOf(panel->map()), whole);
    }
};

HEADSCOPE_WATCHED_TEST(MainWindowPicturesTest)
#include "main_window_pictures_test.moc"
