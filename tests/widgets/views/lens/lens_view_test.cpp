#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/words/captions.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;

class LensViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<LensView> view_;
    std::shared_ptr<trace::Run> run_;

    LensGrid* grid() const { return view_->grid(); }
    QComboBox* tints() const { return view_->findChild<QComboBox*>(); }
    QPoint placeOf(MapCell cell) const { return grid()->cellArea(cell).center(); }
    QColor pixel(QPoint place) const {
        const QImage image = grid()->viewport()->grab().toImage();
        return image.pixelColor(place * image.devicePixelRatio());
    }

    void showLens(const example::Options& options = {}) {
        run_ = example::run(options);
        view_->setLens(run_, example::lens(*run_));
        QCoreApplication::processEvents();
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<LensView>(selection_.get());
        view_->setPalette(paletteOf(lightTheme()));
        QVERIFY(isSeen(*view_, {900, 300}));
    }

    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void theLastSublayerIsOnTopAndIsCalledTheModel() {
        showLens();
        QCOMPARE(grid()->rowCount(), 10);
        QCOMPARE(grid()->columnCount(), int(run_->next.size()));
        QCOMPARE(lensRowName(grid()->table(), 0), QString("feed-forward = model"));
        QCOMPARE(lensRowName(grid()->table(), 1), QString("cross-attention"));
        QCOMPARE(lensRowName(grid()->table(), 9), QString("embedding"));
        QCOMPARE(grid()->rowName(1), QString("After cross-attention, layer 2"));
        QVERIFY(grid()->rowName(0).contains("the model's own prediction"));
    }

    void theTopRowSaysWhatTheCandidatesSay() {
        showLens();
        QCOMPARE(grid()->columnCount(), int(run_->next.size()));
        for (int step = 0; step < grid()->columnCount(); ++step) {
            const auto& best = run_->row(static_cast<std::size_t>(step)).candidates.front();
            const QString words = grid()->cellInWords({0, step});
            QVERIFY(words.contains(numberText(std::exp(double(best.logProbability)))));
            QVERIFY(words.contains(quoted(tokenLabel(best.token))));
            QVERIFY(words.contains("rank 1; KL 0.0000 nats"));
        }
    }

    void itIsDecidedWhereTheChosenPieceComesToStay() {
        showLens();
        // In the example, step t is decided after stage 2 + t.
        QCOMPARE(grid()->table().decidedRow(0), std::optional(7));
        QCOMPARE(grid()->table().decidedRow(3), std::optional(4));
        for (int row = 0; row <= 4; ++row)
            QCOMPARE(grid()->table().piece({row, 3}), grid()->table().chosen(3));
        QVERIFY(grid()->table().piece({5, 3}) != grid()->table().chosen(3));
        QVERIFY(grid()->wordsAt(placeOf({4, 3})).contains("Decided at this stage"));
        QVERIFY(!grid()->wordsAt(placeOf({3, 3})).contains("Decided at this stage"));
    }

    void aTooltipNamesTheBestFiveAndHowTheChosenOneStands() {
        showLens();
        const QStringList lines = grid()->wordsAt(placeOf({6, 3})).split('\n');
        QCOMPARE(lines.size(), 8);
        QCOMPARE(lines[0], QString("After feed-forward, layer 0"));
        QVERIFY(lines[1].startsWith("Step 4 of 12: after"));
        QVERIFY(lines[2].startsWith("1. "));
        QVERIFY(lines[6].startsWith("5. "));
        QVERIFY(lines[7].contains("rank"));
        QVERIFY(lines[7].contains("KL"));
    }

    void aCellIsTintedByWhatWasChosen() {
        showLens();
        for (const LensTint tint : lensTints) {
            tints()->setCurrentIndex(static_cast<int>(tint));
            for (const MapCell cell : {MapCell{0, 2}, MapCell{3, 2}, MapCell{5, 1}}) {
                const double position = lensTintPosition(tint, grid()->table().reading(cell));
                QCOMPARE(pixel(grid()->cellArea(cell).topLeft() + QPoint(3, 3)),
                         lensTintColour(position, lightTheme()));
            }
        }
    }

    void againstAnotherTokenTheCellsSayHowFarTheChosenOneLeads() {
        const auto namesIt = [&] {
            return std::array{
                tints()->itemText(0).contains("Katze"), view_->figureText().caption.contains("Katze"),
                grid()->cellInWords({3, 2}).contains("Katze"), view_->figureText().quantity.contains("Katze"),
                std::ranges::any_of(view_->figureData().arrays,
                                    [](const auto& array) { return array.name == "lead"; })};
        };
        showLens();
        QVERIFY((namesIt() == std::array<bool, 5>{}));
        view_->setLens(run_, example::lens(*run_, trace::Token{.piece = "▁Katze"}));
        QVERIFY((namesIt() == std::array{true, true, true, true, true}));
        const auto position = lensTintPosition(LensTint::Probability, grid()->table().reading({3, 2}));
        QCOMPARE(pixel(grid()->cellArea({3, 2}).topLeft() + QPoint(3, 3)),
                 lensTintColour(position, lightTheme()));
    }

    void aClickGoesToTheStepOfACellOrAHeading() {
        showLens();
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {}, placeOf({4, 3}));
        QCOMPARE(selection_->step(), 3);
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {},
                          QPoint(placeOf({0, 5}).x(), int(grid()->layout().headingHeight() / 2)));
        QCOMPARE(selection_->step(), 5);
    }

    void thePointerLightsTheStepEverywhereAndIsDescribed() {
        showLens();
        const QSignalSpy described(view_.get(), &LensView::cellDescribed);
        QTest::mouseMove(grid()->viewport(), placeOf({4, 3}));
        QTRY_COMPARE(selection_->hover().targetQuery, std::optional(3));
        QVERIFY(described.last().front().toString().contains("step 4; After"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(grid()->viewport(), &leave);
        QVERIFY(selection_->hover().isEmpty());
        QCOMPARE(described.last().front().toString(), QString());
    }

    void keysMoveTheCursorAndEnterGoesToItsStep() {
        showLens();
        grid()->setFocus();
        QTest::keyClick(grid(), Qt::Key_Down);
        QCOMPARE(grid()->cursorCell(), std::optional(MapCell{1, 0}));
        QTest::keyClick(grid(), Qt::Key_Right);
        QTest::keyClick(grid(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(grid()->cursorCell(), std::optional(MapCell{9, 11}));
        QVERIFY(grid()->viewport()->rect().contains(grid()->cellArea({9, 11})));
        QTest::keyClick(grid(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(grid()->cursorCell(), std::optional(MapCell{0, 0}));
        QVERIFY(grid()->viewport()->rect().contains(grid()->cellArea({0, 0})));
        QTest::keyClick(grid(), Qt::Key_Right);
        QTest::keyClick(grid(), Qt::Key_Return);
        QCOMPARE(selection_->step(), 1);
        QTest::keyClick(grid(), Qt::Key_Escape);
        QCOMPARE(grid()->cursorCell(), std::nullopt);
    }

    void theKeysCellIsThereAgainOnceThePointerHasLeft() {
        showLens();
        grid()->setFocus();
        QTest::keyClick(grid(), Qt::Key_Down);
        QTest::keyClick(grid(), Qt::Key_Right);
        const QPointF there(placeOf({4, 3}));
        QMouseEvent move(QEvent::MouseMove, there, there, Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(grid()->viewport(),
                                    &move); // an earlier test may have left the pointer anywhere
        QCOMPARE(grid()->cursorCell(), std::optional(MapCell{4, 3}));
        QCOMPARE(selection_->focus().targetQuery, std::optional(3));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(grid()->viewport(), &leave);
        QCOMPARE(grid()->cursorCell(), std::optional(MapCell{1, 1}));
        QCOMPARE(selection_->focus().targetQuery, std::optional(1));
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {}, placeOf({4, 3}));
        QCoreApplication::sendEvent(grid()->viewport(), &leave);
        QCOMPARE(grid()->cursorCell(), std::nullopt);
        QVERIFY(selection_->focus().isEmpty());
    }

    void aLongDecodeIsScrolledToItsStepUnderHeadingsThatStay() {
        showLens({.repeats = 10, .layers = 6});
        QCOMPARE(grid()->rowCount(), 19);
        QVERIFY(grid()->horizontalScrollBar()->maximum() > 0);
        QVERIFY(grid()->verticalScrollBar()->maximum() > 0);
        const QRect rows(0, 0, int(grid()->layout().layerWidth()), grid()->viewport()->height());
        const QImage before = grid()->viewport()->grab(rows).toImage();
        selection_->setStep(80);
        QVERIFY(grid()->viewport()->rect().contains(grid()->cellArea({0, 80})));
        QCOMPARE(grid()->viewport()->grab(rows).toImage(), before);
        QVERIFY(grid()->wordsAt(QPointF(placeOf({0, 80}))).contains("Step 81 of 111"));
    }

    void inALargeFontEveryRowStillHasItsLine() {
        QFont large = view_->font();
        large.setPointSize(20);
        view_->setFont(large);
        showLens();
        QVERIFY(grid()->layout().rowHeight() >= QFontMetricsF(large).height());
        QVERIFY(grid()->layout().headingWidth() <= 0.41 * grid()->viewport()->width());
    }

    void theCaptionSaysExactlyWhatIsDrawn() {
        showLens();
        const auto said = [this] { return view_->figureText().caption; };
        QVERIFY(said().startsWith("Logit lens of example-en-de: final norm and generator applied to the "
                                  "residual stream after each sublayer"));
        QVERIFY(said().contains("the probability of the chosen token."));
        tints()->setCurrentIndex(static_cast<int>(LensTint::Divergence));
        QVERIFY(said().contains("Kullback-Leibler"));
        const auto lens = example::lens(*run_);
        lens->finalNorm = false;
        run_->request.interventions = {trace::withoutHead(example::aligningHead)};
        view_->setLens(run_, lens);
        QVERIFY(said().contains("example-en-de, changed: generator applied"));
        QVERIFY(said().contains("without a final norm"));
    }

    void inALowViewTheRestOfTheCaptionIsInItsTooltip() {
        showLens();
        const auto* caption = view_->findChild<QLabel*>();
        QVERIFY(caption->text().endsWith(QChar(0x2026)));
        QVERIFY(caption->toolTip().contains("stays the most probable one."));
        view_->resize(900, 600);
        QCOMPARE(caption->text(), view_->figureText().caption);
    }

    void withoutALensItSaysWhatItWouldShowAndHowToGetThere() {
        view_->setWhyEmpty("Press Enter.");
        QVERIFY(!view_->hasFigure());
        QVERIFY(!tints()->isVisible());
        QVERIFY(grid()->accessibleDescription().endsWith("Press Enter."));
        QVERIFY(grid()->wordsAt({200, 100}).isEmpty());
        QTest::keyClick(grid(), Qt::Key_Down);
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {}, {200, 100});
        QCOMPARE(grid()->cursorCell(), std::nullopt);
    }

    void aShorterDecodeLosesTheCursorThatStoodBehindIt() {
        showLens();
        QTest::keyClick(grid(), Qt::Key_End);
        QVERIFY(grid()->cursorCell());
        view_->setLens(nullptr, nullptr);
        QCOMPARE(grid()->cursorCell(), std::nullopt);
    }

    void readersAreToldOfATable() {
        showLens();
        auto* table = QAccessible::queryAccessibleInterface(grid());
        QVERIFY(table && table->tableInterface());
        QCOMPARE(table->tableInterface()->rowCount(), 10);
        QCOMPARE(table->tableInterface()->columnCount(), 12);
        QVERIFY(table->tableInterface()->rowDescription(9).contains("embedding"));
        QVERIFY(table->tableInterface()->columnDescription(3).contains("Step 4"));
        QVERIFY(table->tableInterface()->cellAt(0, 3)->text(QAccessible::Name).contains("probability"));
    }

    void theFigureHasEveryRowAndColumn() {
        showLens({.repeats = 6, .layers = 6});
        const QSize size = view_->figureSize();
        const LensLayout cells(grid()->picture().measured(), {480, 0});
        QVERIFY(size.width() <= 1032); // the width of a page
        QVERIFY(size.height() > cells.whole().height() * cells.whole().width() / 1032);
        const auto file = figureBytes({.format = FigureFormat::Png, .size = size, .dpi = 96}, *view_);
        QVERIFY(file.error.isEmpty());
        QVERIFY(view_->figureText().provenance.contains("example-en-de"));
    }
};

HEADSCOPE_WATCHED_TEST(LensViewTest)
#include "lens_view_test.moc"
