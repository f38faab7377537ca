#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <QToolButton>
#include <QWheelEvent>

#include "model/analysis/heads/head_similarity.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_run.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;

class HeatmapPageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<HeatmapPage> compared_;
    std::shared_ptr<trace::Run> run_;

    static HeadAddress cross(int layer, int head) { return {{AttentionKind::Cross, layer}, head}; }
    static constexpr HeadAddress encoder{{AttentionKind::EncoderSelf, 1}, 4};

    void answer(HeadDistances::Value distances) {
        example::givenAnswers(compared_.get())
            ->give(HeadDistances{.run = run_, .heads = compared_->heads(), .selected = selection_->head()},
                   distances);
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(cross(2, 5));
        run_ = example::run();
        compared_ = std::make_unique<HeatmapPage>(selection_.get());
        compared_->setRun(run_);
        compared_->resize(1000, 700);
        compared_->show();
        QVERIFY(QTest::qWaitForWindowExposed(compared_.get()));
    }

    void cleanup() {
        compared_.reset();
        selection_.reset();
    }

    void withNothingPinnedItIsTheSelectedHeadAlone() {
        QVERIFY(compared_->heads().empty());
        QVERIFY(compared_->single()->isVisible());
        HeatmapView alone(selection_.get());
        alone.setRun(run_);
        alone.resize(compared_->size());
        compared_->single()->clearFocus(); // its frame
        QCOMPARE(compared_->grab().toImage(), alone.grab().toImage());
    }

    void thePinnedHeadsAndTheSelectedOneStandBesideEachOther() {
        selection_->togglePinnedHead(encoder);
        QVERIFY(compared_->heads() == (std::vector{encoder, cross(2, 5)}));
        QVERIFY(!compared_->single()->isVisible());
        selection_->togglePinnedHead(cross(2, 5));
        QVERIFY(compared_->heads() == (std::vector{encoder, cross(2, 5)}));
        for (int head = 0; head < 2; ++head)
            selection_->togglePinnedHead(cross(0, head));
        selection_->setHead(cross(1, 1)); // beside four, too
        QVERIFY(compared_->heads() ==
                (std::vector{encoder, cross(2, 5), cross(0, 0), cross(0, 1), cross(1, 1)}));
        for (std::size_t i = 0; i < 5; ++i) {
            QVERIFY(compared_->maps()[i]->isVisible());
            QVERIFY(compared_->maps()[i]->head() == compared_->heads()[i]);
        }
        selection_->setPinnedHeads({});
        QVERIFY(compared_->single()->isVisible());
    }

    void whereThereIsLittleRoomAMapStaysReadableAndScrolls() {
        HeatmapView* single = compared_->single();
        single->expectEffect();
        single->setCause({.isAwaited = true});
        single->setOptions({.losses = true});
        const auto* area = single->parentWidget()->parentWidget();
        const auto* bar = qobject_cast<const QScrollArea*>(area)->verticalScrollBar();
        QVERIFY(!bar->isVisible());
        compared_->resize(620, 300);
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(single->height(), single->heightForWidth(single->width()));
        const int rows = std::min(single->rowCount(), 16);
        QVERIFY(single->mapLayout().plot().height() >= 0.9 * rows * single->fontMetrics().height());
        compared_->resize(1000, 900);
        QTRY_VERIFY(!bar->isVisible());
        QCOMPARE(single->height(), compared_->height());
        selection_->setPinnedHeads({encoder, cross(0, 1)});
        compared_->resize(620, 300);
        for (const auto* map : compared_->maps())
            QTRY_VERIFY(map->mapLayout().plot().height() >= 8 * map->fontMetrics().height());
    }

    void theHeadThatWasSelectedElsewhereIsInSightAgain() {
        selection_->setPinnedHeads({encoder, cross(0, 1), cross(0, 2), cross(2, 5)});
        compared_->resize(620, 300);
        const auto isSeen = [&](std::size_t panel) {
            const auto* map = compared_->maps()[panel];
            return !map->visibleRegion().isEmpty() || !map->parentWidget()->visibleRegion().isEmpty();
        };
        QTRY_VERIFY(isSeen(3));
        compared_->hide();
        selection_->setHead(encoder);
        compared_->show();
        QTRY_VERIFY(isSeen(0));
        compared_->hide();
        selection_->setHead(cross(1, 1)); // none of the four
        compared_->show();
        QTRY_VERIFY(isSeen(4));
    }

    void whatIsPinnedStandsTheSameWhateverStoodThereBefore() {
        const std::vector few{encoder, cross(0, 1)}, many{encoder, cross(0, 1), cross(0, 2), cross(2, 5)};
        const auto shown = [&](const std::vector<HeadAddress>& heads) {
            selection_->setPinnedHeads(heads);
            const auto now = [this] {
                for (auto* button : compared_->findChildren<QToolButton*>())
                    button->setAttribute(Qt::WA_UnderMouse, false); // nothing is pointed at
                if (QWidget* focus = compared_->focusWidget())
                    focus->clearFocus(); // its frame
                return compared_->grab().toImage();
            };
            QImage last;
            for (QImage next; (next = now()) != last; last = next)
                QTest::qWait(20);
            return last;
        };
        for (const QSize size : {QSize(1000, 700), QSize(700, 420), QSize(560, 300)}) {
            compared_->resize(size);
            const QImage alone = shown({}), first = shown(few), second = shown(many);
            QCOMPARE(shown(few), first);
            QCOMPARE(shown({}), alone);
            QCOMPARE(shown(many), second);
            QCOMPARE(shown(few), first);
        }
    }

    void mapsBesideEachOtherHaveAllTheirLabels() {
        selection_->setPinnedHeads({encoder, cross(0, 1), cross(0, 2), cross(1, 1)});
        compared_->resize(900, 500);
        for (const auto* map : tests::some(compared_->maps())) {
            QTRY_COMPARE(map->mapLayout().labelledRows().size(), static_cast<std::size_t>(map->rowCount()));
            QCOMPARE(map->mapLayout().labelledColumns().size(), static_cast<std::size_t>(map->columnCount()));
        }
    }

    void mapsOfTheSameAxesShowTheSamePartAndTheSameLabels() {
        selection_->togglePinnedHead(cross(1, 3));
        selection_->togglePinnedHead(encoder);
        const auto maps = compared_->maps();
        QCOMPARE(maps.size(), std::size_t(3));
        QTest::keyClick(maps[0], Qt::Key_Plus);
        QVERIFY(!maps[0]->zoom().isEmpty());
        QCOMPARE(maps[2]->zoom(), maps[0]->zoom());
        QVERIFY(maps[1]->zoom().isEmpty()); // other axes
        QTest::keyClick(maps[2], Qt::Key_0);
        QVERIFY(maps[0]->zoom().isEmpty());
        for (const int width : {1000, 820, 700}) {
            compared_->resize(width, 420);
            QTest::qWait(0);
            QCOMPARE(maps[0]->mapLayout().labelledRows(), maps[2]->mapLayout().labelledRows());
            QCOMPARE(maps[0]->mapLayout().plot().height(), maps[2]->mapLayout().plot().height());
        }
    }

    void aPanelWithoutAxesToCompareSaysSo() {
        selection_->setPinnedHeads({encoder});
        const auto labels = compared_->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("no other shown head has the same axes");
        }));
    }

    void theWheelScrollsThePanelsAndZoomsWithControl() {
        selection_->setPinnedHeads({encoder, cross(0, 1), cross(0, 2), cross(2, 5)});
        compared_->resize(620, 300);
        HeatmapView* map = compared_->maps().front();
        const auto* area =
            qobject_cast<QScrollArea*>(map->parentWidget()->parentWidget()->parentWidget()->parentWidget());
        QVERIFY(area);
        auto* bar = area->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
        const auto turn = [&](Qt::KeyboardModifiers keys) {
            const QPointF at = map->cellArea({0, 0}).center();
            QWheelEvent wheel(at, map->mapToGlobal(at), {}, {0, -120}, {}, keys, Qt::NoScrollPhase, false);
            QSpontaneKeyEvent::setSpontaneous(&wheel); // only what a hand does goes on to what is around it
            qApp->notify(map, &wheel);
        };
        map->setZoom(QRectF(0, 0, 4, 4));
        const QRectF zoom = map->zoom();
        turn(Qt::NoModifier);
        QCOMPARE(map->zoom(), zoom);
        const int scrolled = bar->value();
        QVERIFY(scrolled > 0);
        turn(Qt::ControlModifier);
        QVERIFY(map->zoom() != zoom);
        QCOMPARE(bar->value(), scrolled);
        compared_->resize(620, 310); // and panels that a hand scrolled stay so
        QCoreApplication::processEvents();
        QCOMPARE(bar->value(), scrolled);
        compared_->resize(1000, 1500); // all that there is fits
        QTRY_COMPARE(bar->maximum(), 0);
        map->setZoom(zoom);
        turn(Qt::NoModifier);
        QVERIFY(map->zoom() != zoom);
    }

    void theCellThatTheKeyboardGoesToIsScrolledTo() {
        compared_->resize(620, 200);
        HeatmapView* single = compared_->single();
        auto* area = qobject_cast<QScrollArea*>(single->parentWidget()->parentWidget());
        QTRY_VERIFY(area->verticalScrollBar()->isVisible());
        compared_->activateWindow();
        single->setFocus();
        QTRY_VERIFY(single->hasFocus());
        single->setAttribute(Qt::WA_UnderMouse, false); // wherever the pointer happens to be
        QTest::keyClick(single, Qt::Key_End, Qt::ControlModifier);
        const auto cell = single->cursorCell();
        QVERIFY(cell && cell->row == single->rowCount() - 1);
        QVERIFY(area->viewport()->rect().contains(
            single->mapTo(area->viewport(), single->cellArea(*cell).center())));
        QVERIFY(area->verticalScrollBar()->value() > 0);
    }

    void aHeadThatHasNoLossesSaysWhy() {
        compared_->single()->setOptions({.losses = true});
        selection_->setHead(encoder);
        const QString caption = compared_->single()->figureText().caption;
        QVERIFY2(caption.contains("No knock-out losses"), qPrintable(caption));
    }

    void aButtonLetsAHeadGo() {
        selection_->setPinnedHeads({encoder, cross(0, 1)});
        for (auto* button : compared_->findChildren<QToolButton*>())
            if (button->toolTip() == "Unpin encoder.1.4")
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(selection_->pinnedHeads() == std::vector{cross(0, 1)});
    }

    void theCursorIsInAllMapsOfAKind() {
        selection_->setPinnedHeads({cross(0, 1), cross(1, 1), encoder});
        selection_->setHover(TokenFocus::cell(AttentionKind::Cross, 4, 3));
        const auto isCross = [](const auto* map) { return map->head().site.kind == AttentionKind::Cross; };
        for (const auto* map : tests::some(compared_->maps() | std::views::filter(isCross)))
            QVERIFY(map->cursorCell() == (MapCell{4, 3}));
        // The encoder has the source token, as a key; nothing of it looks.
        QVERIFY(!compared_->maps()[2]->cursorCell());
        QVERIFY(compared_->maps()[2]->shownMap().keyOf(selection_->focus()) == 3);
    }

    void allShowTheSameQuantityOnTheSameScale() {
        selection_->setPinnedHeads({cross(0, 1), encoder});
        example::givenAnswers(compared_.get())
            ->choose({.quantity = Quantity::Scores, .mapping = ColourMapping::Logarithmic});
        for (const auto* map : tests::some(compared_->maps())) {
            QCOMPARE(map->quantity(), Quantity::Scores);
            QCOMPARE(map->mapping(), ColourMapping::Logarithmic);
        }
    }

    void oneColourBarStandsForAllThatShareAScale() {
        compared_->resize(360, 1600); // maps as wide as their panels
        selection_->setPinnedHeads({cross(0, 1), cross(1, 1), cross(2, 1)});
        const auto* map = compared_->maps()[0];
        const auto besideIt = [&] { return map->width() - map->mapLayout().plot().right(); };
        QTRY_VERIFY(besideIt() < 40);
        example::givenAnswers(compared_.get())
            ->choose({.quantity = Quantity::Scores}); // each as far as its own largest
        QTRY_VERIFY(besideIt() > 40);
    }

    void mapsOfAnotherSiteAreNeverShown() {
        selection_->setPinnedHeads({cross(0, 1), cross(2, 1)});
        example::givenAnswers(compared_.get())->choose({.quantity = Quantity::NormWeighted});
        for (auto* map : compared_->maps())
            map->setMaps(example::normWeighted(*run_, {AttentionKind::Cross, 2}));
        QVERIFY(compared_->maps()[0]->shownMap().empty());
        QVERIFY(!compared_->maps()[1]->shownMap().empty());
    }

    void theOthersAreComparedWithTheSelectedOneElseTheFirst() {
        const std::vector heads{encoder, cross(0, 1), cross(2, 5)};
        QVERIFY(referenceHead(heads, cross(2, 5), AttentionKind::Cross) == cross(2, 5));
        QVERIFY(referenceHead(heads, encoder, AttentionKind::Cross) == cross(0, 1));
        QVERIFY(referenceHead(heads, cross(1, 1), AttentionKind::Cross) == cross(0, 1));
        QVERIFY(!referenceHead(heads, cross(2, 5), AttentionKind::DecoderSelf));
    }

    void thePanelsSayHowFarTheyAreFromIt() {
        selection_->setPinnedHeads({cross(0, 1), encoder});
        QVERIFY(compared_->words(0).endsWith("Cross-attention cross.0.1 (of 3 layers, 8 heads per layer)."));
        QVERIFY(compared_->words(0).startsWith("Comparing with cross.2.5..."));
        QVERIFY(compared_->words(1).contains("The only shown head of its kind"));
        QVERIFY(compared_->words(2).contains("The other heads of this kind are compared with this head."));
        answer({{cross(0, 1), 0.1234}});
        QVERIFY(compared_->words(0).startsWith("Mean divergence of weights from cross.2.5: 0.123 of 1 bit"));
        answer({{cross(0, 1), std::nullopt}});
        QVERIFY(compared_->words(0).startsWith("No row can be compared with cross.2.5."));
        answer({{cross(0, 1), 0.1234}});
        compared_->setContext({});
        compared_->setRun(example::run({.repeats = 2})); // of another sentence
        QVERIFY(compared_->words(0).startsWith("Comparing with cross.2.5..."));
    }

    void howFarTheHeadsAreFromItIsCounted() {
        selection_->setPinnedHeads({cross(0, 1)});
        QVERIFY(compared_->words(0).startsWith("Comparing with cross.2.5..."));
        new example::AnsweredAtOnce(compared_.get());
        const auto divergence = analysis::divergenceOfHeads(*run_, cross(2, 5), cross(0, 1));
        QVERIFY(divergence &&
                compared_->words(0).contains(QString::number(*divergence, 'f', 3) + " of 1 bit"));
    }

    void aRunThatStillGrowsIsComparedLater() {
        selection_->setPinnedHeads({cross(0, 1)});
        answer({{cross(0, 1), 0.1234}});
        auto growing = example::run({.repeats = 2});
        growing->complete = false;
        compared_->setRun(growing);
        QVERIFY2(compared_->words(0).startsWith("Compared with cross.2.5 when decoding is complete."),
                 qPrintable(compared_->words(0)));
    }

    void onlyOnePanelSaysTheCell() {
        selection_->setPinnedHeads({cross(0, 1), cross(1, 1)});
        const QSignalSpy described(compared_.get(), &HeatmapPage::cellDescribed);
        selection_->setHover(TokenFocus::cell(AttentionKind::Cross, 4, 3));
        QCOMPARE(described.size(), 1);
    }

    void panelsStandWhereTheyAreLargest() {
        QCOMPARE(panelColumns(1, {900, 300}), 1);
        QCOMPARE(panelColumns(2, {900, 600}), 2);
        QCOMPARE(panelColumns(2, {400, 900}), 1);
        QCOMPARE(panelColumns(4, {900, 700}), 2);
        QCOMPARE(panelColumns(3, {1500, 400}), 3);
    }

    void whatIsSaidOfAllMapsIsSaidOnce() {
        example::givenAnswers(compared_.get())->choose({.numbers = true});
        selection_->setPinnedHeads({cross(0, 1), cross(1, 3), cross(1, 4), cross(0, 6), encoder});
        const auto svg = QString::fromUtf8(
            figureBytes({.format = FigureFormat::Svg, .size = compared_->figureSize()}, *compared_).bytes);
        static const QRegularExpression text("<text[^>]*>([^<]*)</text>");
        QString words;
        for (auto found = text.globalMatch(svg); found.hasNext();)
            words += found.next().captured(1).simplified() + ' ';
        QCOMPARE(words.count("each row sums to 1"), 1);
        QCOMPARE(words.count("Numbers in cells are rounded"), 1);
        QVERIFY(words.contains("too small for numbers") && !words.contains("Zoom in"));
    }

    void theFigureHoldsAllOfThem() {
        selection_->setPinnedHeads({cross(0, 1), encoder});
        QVERIFY(compared_->hasFigure());
        QCOMPARE(compared_->figureText().title, QString("cross.0.1, encoder.1.4, cross.2.5"));
        QVERIFY(compared_->figureText().caption.contains("Weights; each row sums to 1."));
        compared_->setRun(nullptr);
        QVERIFY(!compared_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(HeatmapPageTest)
#include "heatmap_page_test.moc"
