#include <QAbstractButton>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTest>

#include "app/desktop/toast.h"
#include "app/window/frame/card.h"
#include "app/window/top/sentence_panel.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/controls/help_button.h"
#include "widgets/controls/token_strip.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/compare/change_strip.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/places.h"

using namespace headscope;

/// How the workspaces share the room of the window, on the bundled model.
class FrameWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    app::Workbench* bench() const { return tests::bench(*window_); }
    /// Of the cells, without labels and colour bar, in the window.
    double shareOfMap() const {
        const auto* map = window_->findChild<widgets::HeatmapPage*>()->single();
        const QRectF cells =
            map->cellArea({0, 0}) | map->cellArea({map->rowCount() - 1, map->columnCount() - 1});
        return cells.width() * cells.height() / (window_->width() * window_->height());
    }

    void seeAllHeads() const {
        const auto* grid = window_->findChild<widgets::HeadGridView*>();
        int heads = 0;
        for (const auto kind : trace::attentionKinds)
            for (int layer = 0; layer < 3; ++layer)
                for (int head = 0; head < 8; ++head, ++heads)
                    QTRY_VERIFY(
                        grid->viewport()->rect().contains(grid->thumbnailRect({{kind, layer}, head})));
        QCOMPARE(heads, 72);
    }

  private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        open({.sentence = "I don't know who wrote this letter, but I like it."});
        window_->resize(1440, 900);
        QTRY_COMPARE(window_->width(), 1440);
    }
    void cleanupTestCase() { window_.reset(); }

    void theMapHasAQuarterOfTheWindow() {
        trigger("heatmap");
        settle();
        QTRY_VERIFY2(shareOfMap() >= 0.25, qPrintable(QString::number(shareOfMap())));
    }

    void eachOfThreeComparedMapsHasATenthOfTheWindow() {
        trigger("workspace.compare");
        auto* view = window_->findChild<widgets::CompareView*>();
        view->bar()->setSentence("I don't know who wrote this book, but I like it.");
        view->bar()->enterSentence();
        QTRY_VERIFY(view->hasFigure());
        settle();
        const auto share = [&](std::size_t map) {
            const QRectF cells = view->maps()->plot(map);
            return cells.width() * cells.height() / (window_->width() * window_->height());
        };
        for (std::size_t map = 0; map < 3; ++map)
            QTRY_VERIFY2(share(map) >= 0.10, qPrintable(QString::number(share(map))));
        for (std::size_t map = 1; map < 3; ++map) // side by side
            QCOMPARE(view->maps()->plot(map).top(), view->maps()->plot(0).top());
        QTRY_COMPARE(view->strip()->heads().size(), widgets::ChangeStrip::mostTiles);
        const auto tiles = view->strip()->findChildren<QAbstractButton*>("tile");
        QVERIFY2(tiles.front()->width() >= 100, qPrintable(QString::number(tiles.front()->width())));
        for (const auto& [size, least] :
             {std::pair(QSize(1280, 720), 0.08), std::pair(QSize(800, 500), 0.05)}) {
            window_->resize(size);
            settle();
            QTRY_VERIFY2(share(2) >= least,
                         qPrintable(QString("%1 wide: %2").arg(size.width()).arg(share(2))));
        }
        window_->resize(1440, 900);
        view->bar()->setSentence({});
        view->bar()->enterSentence();
    }

    void theMapHasAFifthOfSmallWindowsAndMoreThanASeventhBesideTheDrawer() {
        trigger("logit-lens");
        settle();
        QTRY_VERIFY2(shareOfMap() >= 0.15, qPrintable(QString::number(shareOfMap())));
        bench()->close("logit-lens");
        for (const QSize size : {QSize(1280, 720), QSize(800, 500)}) {
            window_->resize(size);
            settle();
            QTRY_VERIFY2(shareOfMap() >= 0.18,
                         qPrintable(QString("%1 wide: %2").arg(size.width()).arg(shareOfMap())));
            if (size.width() > 1000)
                seeAllHeads();
        }
        window_->resize(1440, 900);
    }

    void aNarrowWindowHasTheInspectorInTheDrawer() {
        const auto* card = bench()->view("candidates");
        window_->resize(800, 500);
        settle();
        QVERIFY(!card->isVisible());
        bench()->open("what-if");
        QTRY_VERIFY(card->isVisible() && bench()->isInSight("what-if"));
        QVERIFY(!bench()->isInSight("heatmap")); // the drawer has all the room
        window_->resize(1440, 900);
        QTRY_VERIFY(card->isVisible() && bench()->isInSight("heatmap"));
    }

    void everyCardOfTheInspectorSaysWhatItShows() {
        for (const auto& place : widgets::places())
            if (place.region == widgets::Place::Region::Inspector) {
                const auto of = QString::fromStdString(place.key);
                QVERIFY2(*place.spec->help, qPrintable(of));
                for (const auto* card : window_->findChildren<app::Card*>(of))
                    QCOMPARE(card->findChild<widgets::HelpButton*>()->accessibleDescription(),
                             QString(place.spec->help));
            }
    }

    void theOutputBeforeAChangeIsShownAbove() {
        auto* strip = window_->findChild<app::SentencePanel*>();
        const auto* before = control<widgets::TokenStrip>(strip, "Output before the change");
        QVERIFY(!before->isVisible());
        const auto original = window_->controller()->run();
        window_->selection()->setHead(
            {{trace::AttentionKind::Cross, 2}, 5}); // one word is another without it
        trigger(app::ActionId::ToggleHead);
        QTRY_VERIFY(before->isVisible());
        const auto& changed = strip->target()->changed();
        QCOMPARE(std::ranges::count(changed, true), 1);
        const auto word = std::ranges::find(changed, true) - changed.begin();
        QVERIFY(original->next[word].piece != window_->controller()->run()->next[word].piece);
        auto* toast = window_->findChild<app::Toast*>();
        QVERIFY2(toast->isVisible() && toast->words().contains("cross.2.5"), qPrintable(toast->words()));
        QTRY_VERIFY(window_->actions()[app::ActionId::Undo]->text().contains("Disable")); // a step of its own
        toast->findChild<QPushButton*>()->click();
        QTRY_VERIFY(!before->isVisible());
        QVERIFY(!toast->isVisible() && strip->target()->changed().empty());
    }

    void allHeadsAreInSight() { seeAllHeads(); }

    /// Beside a scroll bar the small maps are smaller and may need none.
    void theSmallMapsComeToRestAtEveryHeight() {
        struct Resizes : QObject {
            int count = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                count += event->type() == QEvent::Resize;
                return false;
            }
        } resizes;
        auto* viewport = window_->findChild<widgets::HeadGridView*>()->viewport();
        viewport->installEventFilter(&resizes);
        for (int height = 900; height >= 640; height -= 4) {
            resizes.count = 0;
            window_->resize(1440, height);
            int atRest = 0; // resizes of the last turns
            for (int turn = 0; turn < 8; ++turn) {
                const int before = resizes.count;
                QTest::qWait(1);
                atRest = turn < 6 ? 0 : atRest + resizes.count - before;
            }
            QCOMPARE(atRest, 0);
            QVERIFY2(resizes.count <= 6,
                     qPrintable(QString("%1 resizes at %2").arg(resizes.count).arg(height)));
        }
        window_->resize(1440, 900);
    }

    void aLongTextTakesNoMoreRows() {
        const auto* strip = window_->findChild<widgets::TokenStrip*>();
        const int height = strip->parentWidget()->height();
        window_->controller()->decode(
            std::string("The old man gave his daughter a red book and a blue book, and "
                        "then he gave his son a green book and a white one, too."));
        settle();
        QTRY_VERIFY(strip->height() > height);
        QCOMPARE(strip->parentWidget()->height(), height);
    }

    void sizesOfPanelAndInspectorAreKeptUntilTheLayoutIsReset() {
        const auto ofHeads = [this] {
            QWidget* around = window_->findChild<widgets::HeadGridView*>();
            while (!qobject_cast<QSplitter*>(around))
                around = around->parentWidget();
            return static_cast<QSplitter*>(around);
        };
        auto* splitter = ofHeads();
        const auto first = splitter->sizes();
        QCOMPARE(first.size(), 3);
        splitter->setSizes({first[0] + 60, first[1] - 100, first[2] + 40});
        const auto chosen = splitter->sizes();
        const QByteArray layout = bench()->layout();
        trigger(app::ActionId::ResetLayout);
        QTRY_COMPARE(splitter->sizes(), first);
        bench()->setLayout(layout);
        QCOMPARE(splitter->sizes(), chosen);
        QVERIFY(window_->close()); // its layout is kept for the next start
        window_.reset();
        open({.sentence = "I see."});
        QCOMPARE(window_->width(), 1440);
        splitter = ofHeads();
        QTRY_COMPARE(splitter->sizes(), chosen);
        trigger(app::ActionId::ResetLayout);
        QTRY_COMPARE(splitter->sizes(), first);
    }

    void thePageOfTheDrawerIsClosedWhereItsCardHadTheKeys() {
        bench()->setWorkspace("explain");
        auto* lens = bench()->view("logit-lens");
        for (auto* part : lens->findChildren<QWidget*>())
            if (part->isVisible() && part->focusPolicy() & Qt::TabFocus) {
                part->setFocus();
                break;
            }
        QTRY_COMPARE(bench()->frontKey(), std::string("logit-lens"));
        bench()->show("logit-lens");
        bench()->close("logit-lens");
        QCOMPARE(bench()->workspace(), std::string("explain"));
        bench()->setWorkspace("heads");
    }

    void everyWorkspaceShowsItsViewsAndComesBackAsItWas() {
        for (const auto& workspace : widgets::workspaces()) {
            bench()->setWorkspace(workspace.key);
            QVERIFY2(bench()->isInSight(bench()->frontKey()), workspace.key.c_str());
        }
        bench()->open("positions");
        bench()->open("heatmap");
        bench()->setWorkspace("model");
        QCOMPARE(bench()->frontKey(), std::string("positions"));
    }

    void theLineOfAViewStandsBesideTheButtonsOfItsCanvas() {
        bench()->open("positions");
        auto* view = bench()->view("positions");
        QVERIFY(view->canvasLine()->isVisible() && !view->isAncestorOf(view->canvasLine()));
        bench()->open("architecture");
        QVERIFY(!view->canvasLine()->isVisible() && bench()->view("architecture")->canvasLine()->isVisible());
        bench()->open("heatmap");
    }

    void aBatchIsTheSameInBothPlaces() {
        const auto field = [this](const char* view) {
            return bench()->view(view)->findChildren<QLineEdit*>().front();
        };
        bench()->open("inputs");
        QCOMPARE(bench()->workspace(), std::string("model"));
        field("inputs")->setText("Another sentence.");
        QTest::keyClick(field("inputs"), Qt::Key_Return);
        QCOMPARE(field("masks")->text(), QString("Another sentence."));
        field("masks")->setText("And one more.");
        QTest::keyClick(field("masks"), Qt::Key_Return);
        QCOMPARE(field("inputs")->text(), QString("And one more."));
        bench()->open("heatmap");
    }

    void whatWasSeenBeforeComesBack() {
        bench()->open("heatmap");
        QCoreApplication::processEvents();
        bench()->setWorkspace("model");
        QCoreApplication::processEvents();
        bench()->open("lines");
        QCoreApplication::processEvents();
        trigger(app::ActionId::GoBack);
        QCOMPARE(bench()->workspace(), std::string("model"));
        trigger(app::ActionId::GoBack);
        QCOMPARE(bench()->workspace(), std::string("heads"));
        QCOMPARE(bench()->frontKey(), std::string("heatmap"));
    }

    void aViewOfSeveralWorkspacesIsOpenedWhereOneIs() {
        bench()->setWorkspace("explain");
        trigger("logit-lens");
        QCOMPARE(bench()->workspace(), std::string("explain"));
        bench()->setWorkspace("heads");
        trigger("logit-lens");
        QCOMPARE(bench()->workspace(), std::string("heads"));
        QTRY_VERIFY(bench()->isInSight("logit-lens") && bench()->isInSight("heatmap"));
        trigger("logit-lens"); // it has the keys
        QVERIFY(!bench()->isInSight("logit-lens"));
    }
};

HEADSCOPE_WATCHED_TEST(FrameWindowTest)
#include "frame_window_test.moc"
