#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTest>

#include "app/desktop/dock_tabs.h"
#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/random_twin/random_twin_panel.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;

/// Which panel keys, and the actions that save and copy, belong to.
class DockTabsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    QDockWidget* dock(const char* name) const { return window_->findChild<QDockWidget*>(name); }
    QString panelWithKeys() const {
        const auto* around = app::dockAround(window_->focusWidget());
        return around ? around->objectName() : QString();
    }
    QString copiedTable() {
        QApplication::clipboard()->setText("nothing");
        action(ActionId::CopyTable)->trigger();
        [&] { QTRY_VERIFY(QApplication::clipboard()->text() != "nothing"); }();
        return QApplication::clipboard()->text();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    void cleanup() { window_.reset(); }

    void aPanelThatAnActionOpensHasTheKeys() {
        for (const char* name : {"importance", "head-table", "arithmetic", "logit-lens", "random-twin",
                                 "beam-tree", "reference"}) {
            window_->setFocus();
            action(name)->trigger();
            QCOMPARE(panelWithKeys(), QString(name));
            QVERIFY2(app::isInSight(*dock(name)), name);
        }
    }

    void aPanelThatTheMenuOpensHasTheKeys() {
        for (auto* each : tests::some(window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))) {
            each->close();
            window_->setFocus();
            each->toggleViewAction()->trigger();
            QCOMPARE(panelWithKeys(), each->objectName());
        }
    }

    void aPanelThatTheMenuOpensLiesOnThoseThatAreOpen() {
        action("head-table")->trigger();
        for (const char* name : {"arithmetic", "logit-lens", "head-table"}) {
            dock(name)->close();
            dock(name)->toggleViewAction()->trigger();
            QVERIFY2(app::isInSight(*dock(name)), name);
            QVERIFY2(!window_->tabifiedDockWidgets(dock(name)).isEmpty(), name);
        }
    }

    void aPanelThatIsCoveredLeavesTheKeysToTheOneBeforeIt() {
        action("head-table")->trigger();
        action("arithmetic")->trigger();
        QCOMPARE(panelWithKeys(), QString("arithmetic"));
        dock("head-table")->raise(); // as a click on its tab does
        QTRY_COMPARE(panelWithKeys(), QString("head-table"));
        QVERIFY(!app::isInSight(*dock("arithmetic")));
    }

    void aClickOnATabOrATitleMovesTheKeysThere() {
        action("head-table")->trigger();
        action("arithmetic")->trigger();
        window_->setFocus();
        QTabBar* tabs = nullptr;
        for (auto* bar : window_->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            for (int tab = 0; tab < bar->count(); ++tab)
                if (bar->isVisible() && bar->tabText(tab) == dock("head-table")->windowTitle())
                    tabs = bar;
        QVERIFY(tabs);
        for (const char* name : {"head-table", "arithmetic", "arithmetic"}) { // the last is there already
            window_->setFocus();
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->tabText(tab) == dock(name)->windowTitle())
                    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
            QTRY_COMPARE(panelWithKeys(), QString(name));
        }
        const QPoint title(8, 4);
        QVERIFY(!dock("next-token")->childAt(title));
        QTest::mouseClick(dock("next-token"), Qt::LeftButton, {}, title);
        QTRY_COMPARE(panelWithKeys(), QString("next-token"));
    }

    void aClickOnWordsInAPanelOrOnAGreyedButtonLeavesTheKeysWhereTheyAre() {
        for (auto* each : {dock("what-if"), dock("next-token")}) {
            each->raise();
            QTRY_VERIFY(app::isInSight(*each));
            int clicked = 0;
            for (auto* inside : each->findChildren<QWidget*>()) {
                const auto* button = qobject_cast<QPushButton*>(inside);
                const bool passesOn = qobject_cast<QLabel*>(inside) || (button && !button->isEnabled());
                if (!passesOn || inside->visibleRegion().isEmpty())
                    continue;
                window_->setFocus();
                QTest::mouseClick(inside, Qt::LeftButton);
                QCoreApplication::processEvents();
                QVERIFY2(panelWithKeys().isEmpty(), qPrintable(panelWithKeys()));
                ++clicked;
            }
            QVERIFY(clicked > 0);
        }
    }

    void aPanelThatIsClosedLeavesTheKeysToTheViews() {
        action("head-table")->trigger();
        QCOMPARE(panelWithKeys(), QString("head-table"));
        action("head-table")->trigger();
        QVERIFY(dock("head-table")->isHidden());
        QCOMPARE(window_->focusWidget(), window_.get());
    }

    void whatIsSavedIsNeverOfAPanelThatIsCovered() {
        window_->setFocus();
        const QString ofTab = copiedTable();
        action("head-table")->trigger();
        auto* table = window_->findChild<widgets::HeadTable*>();
        QTRY_VERIFY(table->hasFigure());
        const QString ofTable = copiedTable();
        QVERIFY(ofTable != ofTab);
        action("logit-lens")->trigger();
        QTRY_VERIFY(!app::isInSight(*dock("head-table")));
        table->findChild<QLineEdit*>()->setFocus(); // wherever the keys may be
        QCOMPARE(panelWithKeys(), QString("head-table"));
        QCOMPARE(copiedTable(), ofTab);
    }

    void aControlBesideAViewBelongsToIt() {
        action("random-twin")->trigger();
        auto* map = window_->findChild<widgets::RandomTwinPanel*>()->map();
        QTRY_VERIFY(map->hasFigure());
        action("masks")->trigger();
        const QString ofTab = copiedTable();
        dock("random-twin")->findChild<QAbstractSpinBox*>()->setFocus(); // its seed
        QVERIFY(!map->hasFocus());
        QVERIFY(copiedTable() != ofTab);
    }

    void aPanelThatOpensByItselfCoversNoneThatHasTheKeys() {
        action("head-table")->trigger();
        window_->controller()->choose(2, 22);
        QTRY_VERIFY(!dock("branches")->isHidden());
        QTRY_VERIFY(app::isInSight(*dock("head-table")));
        QCOMPARE(panelWithKeys(), QString("head-table"));
    }
};

HEADSCOPE_WATCHED_TEST(DockTabsTest)
#include "dock_tabs_test.moc"
