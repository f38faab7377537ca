#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "model/trace/refusal.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_long_run.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/tall_area.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/svg_drawing.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/words/captions.h"

#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using tests::childNamed;
using tests::isSeen;
using tests::ShownView;
using trace::AttentionKind;

class MaskViewTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress decoderHead{{AttentionKind::DecoderSelf, 1}, 2};

    static std::shared_ptr<trace::Run> filled(const std::string& fill) {
        auto run = example::run();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->architecture = {{"mask_fill", fill}};
        run->model = model;
        return run;
    }

    static std::shared_ptr<const trace::Run> withPaddedTarget() {
        auto run = example::run();
        run->target.back().role = trace::TokenRole::Padding;
        return run;
    }

    /// The maps of the current page, visible or not.
    static LinkedMaps* mapsOf(const MaskView& view) { return qobject_cast<LinkedMaps*>(view.focusProxy()); }

  private Q_SLOTS:
    void aCausalMaskIsBothMasksTogether() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        view.setRun(example::run());
        QVERIFY2(view.caption().contains("combines the subsequent mask and the padding mask"),
                 qPrintable(view.caption()));
    }

    void aPaddedSourceIsThePaddingMaskAlone() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(example::aligningHead);
        view.show();
        view.setRun(example::run({.sourcePadding = 2}));
        QVERIFY2(view.caption().contains("padding mask alone"), qPrintable(view.caption()));
        QVERIFY2(view.caption().contains(" of example-en-de. "), qPrintable(view.caption()));
    }

    void titlesOfNarrowMapsAreWhole() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        view.setRun(filled("lowest"));
        view.setPage(MaskView::Page::Effect);
        const QSize narrow(380, 420);
        RecordedDrawing drawing(RecordedDrawing::Target::Document);
        QPainter painter(&drawing);
        view.drawFigure(painter, narrow, lightTheme());
        painter.end();
        const QByteArray drawn = svgBytes(drawing, narrow, {});
        for (const char* title : {">1. Scores<", ">2. Mask<", ">3. Masked<", ">4. Weights<"})
            QVERIFY2(drawn.contains(title), title);
    }

    void aMaskThatDoesNotApplyTakesNoMapsPlace() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(example::aligningHead);
        view.resize(900, 500);
        view.show();
        view.setRun(example::run({.sourcePadding = 1}));
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const LinkedMaps* maps = mapsOf(view);
        QVERIFY(maps->maps()[0].values.empty());
        const QRectF padding = maps->cellRect(1, {0, 0});
        const QRectF applied = maps->cellRect(2, {0, 0});
        QCOMPARE(padding.top(), applied.top());
        QVERIFY(padding.left() < maps->width() / 3); // the position of the missing map
    }

    /// On the page of a long cross-attention the first map only holds text and has no cells.
    void cellsOfALongMapAreOfItsOwnTokens() {
        Selection selection;
        LinkedMaps maps("maps", &selection);
        const auto row = [](int index) { return QString("token %1").arg(index); };
        maps.setWords([](auto, MapCell cell) { return QString("%1, %2").arg(cell.row).arg(cell.column); },
                      [row](auto, bool, int index) { return row(index); });
        maps.setMaps({LinkedMap{.words = "Does not apply."},
                      pooled(allowedCells(trace::MaskMatrix(16, 16)), 4), LinkedMap{.words = "Neither."}});
        QCOMPARE(maps.rowCount(), 4);
        QCOMPARE(maps.cellInWords({1, 2}), QString("4, 8"));
        QCOMPARE(maps.rowName(3), row(12));
        QVERIFY2(cellsInWords(maps.maps()).contains("4 x 4"), qPrintable(cellsInWords(maps.maps())));
    }

    void longMasksAreCountedOfWholeRunsUntilTheyAreStopped() {
        auto run = std::make_shared<trace::Run>(*example::longRuns(1).leftOut);
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead({{AttentionKind::EncoderSelf, 1}, 3});
        auto* answers = new example::AnsweredAtOnce(&view);
        view.show();
        for (const auto page : {MaskView::Page::Why, MaskView::Page::Effect}) {
            answers->setHolding(true);
            view.setPage(page);
            run->complete = false;
            view.setRun(run);
            QVERIFY(view.questions().empty());
            run->complete = true;
            view.setRun(run);
            answers->setShare(0.359);
            QVERIFY2(mapsOf(view)->wayThere().contains("35 %"), qPrintable(mapsOf(view)->wayThere()));
            const auto question = std::get<trace::Counted>(view.questions().front());
            std::stop_source stopped;
            stopped.request_stop();
            QVERIFY(question.takesLong());
            QVERIFY_EXCEPTION_THROWN(question.answer(nullptr, stopped.get_token(), {}), trace::Cancelled);
            answers->setHolding(false);
            QVERIFY(view.hasFigure());
            QCOMPARE(mapsOf(view)->maps().size(), std::size_t(page == MaskView::Page::Why ? 3 : 4));
        }
    }

    void aMaskThatIsNeitherIsNamedWithItsFirstCell() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        auto run = example::run();
        run->decoder[1].mask(2, 4) = 1;
        view.setRun(run);
        QVERIFY2(view.caption().contains("row 2, column 4"), qPrintable(view.caption()));
        QVERIFY(view.caption().endsWith("in the model it is allowed."));
        QCOMPARE(mapsOf(view)->accessibleDescription(), view.caption());
    }

    void theSpinBoxesFollowTheRunSilently() {
        auto&& [selection, view] = ShownView<MaskView>();
        view.show();
        const QSignalSpy changed(&view, &MaskView::intended);
        view.setRun(example::run({.sourcePadding = 2}));
        const auto boxes = view.findChildren<QSpinBox*>();
        QCOMPARE(boxes.size(), 2);
        QCOMPARE(boxes[0]->value(), 2);
        QCOMPARE(changed.size(), 0);
        boxes[1]->setValue(3);
        QCOMPARE(changed.size(), 1);
        const auto padding = std::get<intents::Pad>(changed.front().front().value<Intent>());
        QCOMPARE(padding.source, 2);
        QCOMPARE(padding.target, 3);
        for (const QSpinBox* box : boxes)
            QVERIFY(!box->accessibleName().isEmpty());
    }

    void arrowKeysMoveTheFocusOfAllViews() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.setRun(example::run());
        QVERIFY(isSeen(view, {900, 400}));
        LinkedMaps* maps = mapsOf(view);
        QTest::keyClick(maps, Qt::Key_Down);
        QTest::keyClick(maps, Qt::Key_Right);
        QCOMPARE(selection.hover(), TokenFocus::cell(AttentionKind::DecoderSelf, 1, 1));
        QVERIFY(maps->accessibleDescription().startsWith("decoder.1.2"));
        QCOMPARE(maps->accessibleDescription(), view.detail());
        QTest::keyClick(maps, Qt::Key_Escape);
        QVERIFY(selection.focus().isEmpty());
    }

    void aCellSaysWhyItIsClosedAndWhatBecomesOfItsScore() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        const auto run = filled("-1e9");
        view.setRun(run);
        view.setPage(MaskView::Page::Effect);
        QVERIFY2(view.caption().contains("are filled with −1e9"), qPrintable(view.caption()));
        selection.setHover(TokenFocus::cell(AttentionKind::DecoderSelf, 1, 3));
        QVERIFY2(view.detail().contains("because the key comes later than the query"),
                 qPrintable(view.detail()));
        const QString score = numberText(static_cast<double>(run->decoder[1].scores(2, 1, 3)));
        QVERIFY2(view.detail().contains("Score " + score + " before the mask, −1e9 after; weight 0.0000"),
                 qPrintable(view.detail()));
        QVERIFY2(view.detail().contains("on its 2 allowed keys (of 12) sum to 1.0000"),
                 qPrintable(view.detail()));
        selection.setHover(TokenFocus::cell(AttentionKind::DecoderSelf, 3, 1));
        QVERIFY2(view.detail().contains(": allowed. Score"), qPrintable(view.detail()));
    }

    void theFourMapsAreScoresMaskFilledScoresAndWeights() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        const auto run = filled("lowest");
        view.setRun(run);
        view.setPage(MaskView::Page::Effect);
        const auto& maps = mapsOf(view)->maps();
        QCOMPARE(maps.size(), std::size_t(4));
        const auto& record = run->decoder[1];
        for (std::size_t r = 0; r < record.mask.rows(); ++r)
            for (std::size_t c = 0; c < record.mask.columns(); ++c) {
                QCOMPARE(maps[0].values(r, c), record.scores(2, r, c));
                QCOMPARE(maps[1].mask(r, c), record.mask(r, c));
                QCOMPARE(maps[2].values(r, c),
                         record.mask(r, c) ? record.scores(2, r, c) : std::numeric_limits<float>::lowest());
                QCOMPARE(maps[3].values(r, c), record.weights(2, r, c));
            }
        QVERIFY(maps[0].mask.empty()); // nothing is masked before the mask
    }

    void aRowThatIsClosedWholeIsSaidToBe() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.show();
        auto run = filled("-1e9");
        for (std::size_t key = 0; key < run->decoder[1].mask.columns(); ++key) {
            run->decoder[1].mask(0, key) = 0;
            run->decoder[1].weights.at(2, 0, key) = 1.0f / 12;
        }
        view.setRun(run);
        view.setPage(MaskView::Page::Effect);
        QVERIFY2(view.caption().contains("Fully masked rows: 1 of 12; there"), qPrintable(view.caption()));
        selection.setHover(TokenFocus::cell(AttentionKind::DecoderSelf, 0, 0));
        QVERIFY2(
            view.detail().contains("The whole row is masked: all keys have the same fill value and get the "
                                   "same weight, 0.0833"),
            qPrintable(view.detail()));
    }

    void readersMeetTheMapsAsATable() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(example::aligningHead);
        view.show();
        view.setRun(example::run({.sourcePadding = 2}));
        const LinkedMaps* maps = mapsOf(view);
        QCOMPARE(maps->rowCount(), 12);
        QCOMPARE(maps->columnCount(), 13);
        QVERIFY(maps->cellInWords({0, 12}).contains("because the key is padding"));
        QVERIFY(maps->rowName(1).startsWith("after"));
        QVERIFY(!maps->cursorCell());
    }

    void onlyThePageInSightIsBuilt() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead(decoderHead);
        view.setRun(example::run());
        view.setPage(MaskView::Page::Effect);
        selection.setHead(example::aligningHead);
        const auto* why = childNamed<LinkedMaps>(view, "Why cells are masked");
        const auto* effect = childNamed<LinkedMaps>(view, "Scores and weights under the mask");
        QVERIFY(why->isEmpty() && effect->isEmpty()); // not built while hidden
        QVERIFY(view.hasFigure());
        view.show();
        QVERIFY(why->isEmpty() && !effect->isEmpty());
        QCOMPARE(effect->maps().front().kind, AttentionKind::Cross);
        view.setPage(MaskView::Page::Why);
        QVERIFY(!why->isEmpty());
        view.hide();
        selection.setHead(decoderHead);
        QVERIFY(why->isEmpty() && effect->isEmpty());
        view.show();
        QCOMPARE(why->maps().front().kind, AttentionKind::DecoderSelf);
    }

    void theBatchHasNoPaddingBoxes() {
        auto&& [selection, view] = ShownView<MaskView>(example::run());
        QVERIFY(isSeen(view));
        view.setPage(MaskView::Page::Batch);
        for (const QSpinBox* box : view.findChildren<QSpinBox*>())
            QVERIFY(!box->isVisible());
        QVERIFY(!view.hasFigure()); // the model has not run yet
        QVERIFY(view.batch()->isVisible());
    }

    void nothingToShowIsNoError() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead({{AttentionKind::Cross, 9}, 0});
        view.show();
        QVERIFY(!view.hasFigure());
        view.setRun(example::run());
        QVERIFY(!view.hasFigure());
        QCOMPARE(view.caption(), QString());
        view.grab();
        QTest::keyClick(mapsOf(view), Qt::Key_Down);
        view.setRun(nullptr);
        view.grab();
    }

    void withLargeTextMapsScrollInsteadOfShrinking() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        QFont font = view.font();
        font.setPointSize(24);
        view.setFont(font);
        view.setRun(withPaddedTarget());
        QVERIFY(isSeen(view, {1000, 480}));
        for (const auto page : {MaskView::Page::Why, MaskView::Page::Effect}) {
            view.setPage(page);
            QCoreApplication::processEvents();
            auto* maps = qobject_cast<LinkedMaps*>(view.focusProxy());
            for (std::size_t map = 0; map < maps->maps().size(); ++map) {
                const QSizeF cell = maps->cellRect(map, {0, 0}).size();
                QVERIFY2(cell.width() >= 4 && cell.height() >= 4,
                         qPrintable(QString("%1 x %2").arg(cell.width()).arg(cell.height())));
            }
            auto* bar = view.findChild<TallArea*>()->verticalScrollBar();
            QVERIFY(bar->maximum() > 0);
            bar->setValue(0);
            QTest::keyClick(maps, Qt::Key_End, Qt::ControlModifier);
            const QRect cell = maps->cellArea(*maps->cursorCell());
            QVERIFY(maps->visibleRegion().contains(cell)); // the keyboard scrolls the cell into view
        }
    }

    void whatClosesNothingLeavesItsRoomToTheOthersWhoseCellsAreNearlySquare() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        QVERIFY(isSeen(view, {600, 560}));
        const auto cellOf = [&](std::size_t map) {
            return qobject_cast<LinkedMaps*>(view.focusProxy())->cellRect(map, {0, 0}).size();
        };
        view.setRun(withPaddedTarget());
        const double beside = cellOf(0).width();
        QVERIFY(!qobject_cast<LinkedMaps*>(view.focusProxy())->maps()[1].values.empty());
        view.setRun(example::run());
        const auto& maps = qobject_cast<LinkedMaps*>(view.focusProxy())->maps();
        QVERIFY(maps[1].values.empty() && maps[1].words.contains("no token of the target is padding"));
        const QSizeF cell = cellOf(2);
        QVERIFY2(cell.width() > 1.3 * beside, qPrintable(QString("%1 > %2").arg(cell.width()).arg(beside)));
        QVERIFY2(cell.height() <= 1.4 * cell.width() && cell.width() <= 1.4 * cell.height(),
                 qPrintable(QString("%1 x %2").arg(cell.width()).arg(cell.height())));
    }

    void withUsualTextNothingScrolls() {
        auto&& [selection, view] = ShownView<MaskView>();
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        view.setRun(example::run());
        QVERIFY(isSeen(view, {1000, 560}));
        QCOMPARE(view.findChild<TallArea*>()->verticalScrollBar()->maximum(), 0);
    }
};

HEADSCOPE_WATCHED_TEST(MaskViewTest)
#include "mask_view_test.moc"
