#include <QAbstractButton>
#include <QComboBox>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_long_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/tiles/head_squares.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/words/captions.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using tests::buttonOf;
using tests::isSeen;
using trace::AttentionKind;

class LinesViewTest : public QObject {
    Q_OBJECT

    using Shown = LinesView::Shown;

    static constexpr trace::HeadAddress decoderHead{{AttentionKind::DecoderSelf, 1}, 2};

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<LinesView> view_;

    QPoint query(int row) const { return view_->linesLayout().queryRect(row).center().toPoint(); }
    QPoint key(int row) const { return view_->linesLayout().keyRect(row).center().toPoint(); }
    QAbstractButton* square(int head) const {
        return buttonOf(*view_->findChild<HeadSquares*>(), QString::number(head));
    }
    void show(std::shared_ptr<const trace::Run> run) {
        view_->setRun(std::move(run));
        QVERIFY(isSeen(*view_, {900, 640}));
    }

  private Q_SLOTS:
    void inALongTextTheLinesAreThoseWellAboveEvenAttention() {
        QCOMPARE(LinesView::thresholdOf(11), LinesView::mostThreshold);
        QCOMPARE(LinesView::thresholdOf(200), LinesView::mostThreshold);
        QCOMPARE(LinesView::thresholdOf(4096), 10.0 / 4096);
    }

    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(example::aligningHead);
        view_ = std::make_unique<LinesView>(selection_.get());
    }
    void cleanup() { view_.reset(); }

    void longAttentionTellsHowMuchOfItIsCounted() {
        selection_->setHead({{AttentionKind::EncoderSelf, 1}, 3});
        auto* answers = new example::AnsweredAtOnce(view_.get());
        answers->setHolding(true);
        show(example::longRuns(1).leftOut);
        answers->setShare(0.359);
        QVERIFY2(view_->figureText().caption.contains("Counting the lines of this long input: 35 %"),
                 qPrintable(view_->figureText().caption));
        answers->setHolding(false);
        QVERIFY(!view_->figureText().caption.contains("Counting the lines"));
        QVERIFY(!view_->lines().lines.empty());
    }

    void theShareOfLongAttentionGrowsAndARefusalIsSaid() {
        selection_->setHead({{AttentionKind::EncoderSelf, 1}, 3});
        auto* answers = new example::AnsweredAtOnce(view_.get());
        answers->setRefusal(trace::RefusalText{.what = "This computation was stopped"});
        show(example::longRuns(1).leftOut);
        QVERIFY(view_->figureText().caption.contains("This computation was stopped."));
        std::vector<double> shares;
        const auto question = std::get<trace::Counted>(view_->questions().front());
        QVERIFY(question.takesLong() && !question.asksModel());
        question.answer(nullptr, {{}, [&](double share) { shares.push_back(share); }}, {});
        QVERIFY(!shares.empty() && std::ranges::is_sorted(shares));
    }

    void aHoveredTokenReachesOtherViewsAndIsPutInWords() {
        show(example::run());
        const QSignalSpy described(view_.get(), &LinesView::cellDescribed);
        QTest::mouseMove(view_.get(), query(5));
        QCOMPARE(selection_->hover(), TokenFocus::cell(AttentionKind::Cross, 5, {}));
        QVERIFY(!described.isEmpty());
        const QString words = described.last().front().toString();
        QVERIFY2(words.contains("Tochter") && words.contains("attends to") && words.contains("0."),
                 qPrintable(words));
        QCOMPARE(view_->accessibleDescription(), words);
        QTest::mouseMove(view_.get(), key(3));
        QCOMPARE(selection_->hover(), TokenFocus::cell(AttentionKind::Cross, {}, 3));
        QVERIFY(view_->accessibleDescription().contains("is read by"));
        QTest::mouseMove(view_.get(), QPoint(2, 400));
        QVERIFY(selection_->hover().isEmpty());
    }

    /// A trace may hold weights above 1.
    void weightsAboveOneAreToldApart() {
        const auto drawn = [this](float first) {
            auto run = example::run();
            auto& record = run->cross.at(2);
            for (std::size_t row = 0; row < record.queries(); ++row)
                for (std::size_t key = 0; key < record.keys(); ++key)
                    record.weights.at(5, row, key) = key != row ? 0 : row == 0 ? first : 2.4F;
            run->selfCheck.rowsSumToOne = {trace::CheckState::Failed, 1.4, 1e-5};
            show(run);
            return view_->grab().toImage();
        };
        const QImage weak = drawn(1.2F);
        QVERIFY2(view_->figureText().caption.contains("Lines reach full strength at a weight of 3."),
                 qPrintable(view_->figureText().caption));
        QVERIFY(drawn(2.4F) != weak);
        show(example::run());
        QVERIFY(!view_->figureText().caption.contains("strongest"));
    }

    void aHoveredTokenShowsItsLinesOnly() {
        show(example::run());
        const QImage all = view_->grab().toImage();
        selection_->setHover({.targetQuery = 5});
        const QImage one = view_->grab().toImage();
        QVERIFY(all != one);
        selection_->setHover({.targetQuery = 99});
        QCOMPARE(view_->grab().toImage(), all); // this sentence has no such token
        selection_->setHover({});
        QCOMPARE(view_->grab().toImage(), all);
    }

    void aClickLocksATokenAndEscapeFreesIt() {
        show(example::run());
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, query(2));
        QCOMPARE(selection_->pinned(), TokenFocus::cell(AttentionKind::Cross, 2, {}));
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, query(2));
        QVERIFY(selection_->pinned().isEmpty());
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, key(1));
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(selection_->focus().isEmpty());
    }

    void keysMoveTheCursorAndSpaceLocks() {
        selection_->setStep(3);
        show(example::run());
        const auto at = [&](std::optional<int> query, std::optional<int> key) {
            return selection_->hover() == TokenFocus::cell(AttentionKind::Cross, query, key);
        };
        QTest::keyClick(view_.get(), Qt::Key_Down);
        QVERIFY(at(3, {}));
        QTest::keyClick(view_.get(), Qt::Key_Down);
        QVERIFY(at(4, {}));
        QTest::keyClick(view_.get(), Qt::Key_Space);
        QCOMPARE(selection_->pinned(), TokenFocus::cell(AttentionKind::Cross, 4, {}));
        QTest::keyClick(view_.get(), Qt::Key_Up);
        QTest::keyClick(view_.get(), Qt::Key_Right);
        QVERIFY(at({}, 3));
        QTest::keyClick(view_.get(), Qt::Key_End);
        QVERIFY(at({}, 10));
        QTest::keyClick(view_.get(), Qt::Key_Left);
        QTest::keyClick(view_.get(), Qt::Key_Home);
        QVERIFY(at(0, {}));
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(selection_->focus().isEmpty());
    }

    void headsAreChosenByTheirSquares() {
        show(example::run());
        QCOMPARE(view_->heads(), std::vector{5});
        QTest::mouseClick(square(0), Qt::LeftButton);
        QCOMPARE(view_->shown(), Shown::Chosen);
        QCOMPARE(view_->heads(), (std::vector{0, 5}));
        QTest::mouseClick(square(5), Qt::LeftButton);
        QCOMPARE(view_->heads(), std::vector{0});
        QTest::mouseClick(square(0), Qt::LeftButton); // the last head cannot be removed
        QCOMPARE(view_->heads(), std::vector{0});
        view_->setShown(Shown::AllHeads);
        QCOMPARE(view_->heads().size(), std::size_t(8));
        QVERIFY(view_->figureText().caption.contains("all 8 heads"));
        view_->setShown(Shown::OneHead);
        QCOMPARE(view_->heads(), std::vector{5});
        selection_->setHead(decoderHead);
        QCOMPARE(view_->heads(), std::vector{2});
    }

    void eightHeadsAreTheMostThatAreChosen() {
        selection_->setHead({{AttentionKind::Cross, 0}, 0});
        show(example::run({.heads = 12, .layers = 1}));
        for (int head = 1; head < 8; ++head)
            QTest::mouseClick(square(head), Qt::LeftButton);
        QCOMPARE(view_->heads().size(), std::size_t(8));
        QVERIFY(!square(9)->isEnabled());
        QVERIFY(square(9)->toolTip().contains("At most 8"));
        view_->setShown(Shown::AllHeads);
        QCOMPARE(view_->heads().size(), std::size_t(12));
        QVERIFY(square(9)->isEnabled());
    }

    void theCaptionSaysWhatIsLeftOut() {
        show(example::run());
        const QString caption = view_->figureText().caption;
        const auto& lines = view_->lines();
        QVERIFY2(caption.contains(QString("%1 of 132").arg(lines.leftOut)), qPrintable(caption));
        QCOMPARE(lines.leftOut + lines.lines.size(), std::size_t(132));
        QVERIFY(caption.contains("% of the weight"));
    }

    void wordsAreDrawnInsteadOfPieces() {
        const auto run = example::run();
        selection_->setStep(8); // fed "rot", chose "es"
        show(run);
        QCOMPARE(view_->rowCount(), 12);
        view_->setWordsShown(true);
        QCOMPARE(view_->rowCount(), 11); // "rotes" is one row
        QCOMPARE(view_->columnCount(), 11);
        QVERIFY2(view_->rowName(7).contains("rotes"), qPrintable(view_->rowName(7)));
        QVERIFY(view_->figureText().caption.contains("mean over those of a query word"));
        const auto& weights = run->cross[2].weights;
        const double mean =
            (static_cast<double>(weights(5, 7, 6)) + static_cast<double>(weights(5, 8, 6))) / 2;
        QVERIFY2(view_->cellInWords({7, 6}).endsWith(numberText(mean)),
                 qPrintable(view_->cellInWords({7, 6})));
        const auto line = std::ranges::find_if(
            view_->lines().lines, [](const AttentionLine& one) { return one.query == 7 && one.key == 6; });
        QVERIFY(line != view_->lines().lines.end());
        QVERIFY(std::abs(static_cast<double>(line->weight) - mean) < 1e-6);
        QTest::mouseMove(view_.get(), query(8)); // the row of the next word
        QCOMPARE(selection_->hover(), TokenFocus::cell(AttentionKind::Cross, 9, {}));
        view_->setWordsShown(false);
        QCOMPARE(view_->rowCount(), 12);
    }

    void whatTheMaskClosesIsNotDrawn() {
        selection_->setHead(decoderHead);
        show(example::run());
        for (const AttentionLine& line : view_->lines().lines)
            QVERIFY(line.key <= line.query);
        QVERIFY(view_->cellInWords({1, 4}).endsWith("masked"));
    }

    void longSentencesScrollToTheStep() {
        show(example::run({.repeats = 8}));
        auto* bar = view_->findChild<QScrollBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), 0);
        selection_->setStep(80);
        QVERIFY(bar->value() > 0);
        QVERIFY(view_->linesLayout().area().contains(query(80)));
        QTest::keyClick(view_.get(), Qt::Key_Home);
        QCOMPARE(bar->value(), 0);
    }

    void theTableBehindItNamesEveryPair() {
        show(example::run());
        QCOMPARE(view_->rowCount(), 12);
        QCOMPARE(view_->columnCount(), 11);
        QVERIFY(view_->rowName(5).contains("Tochter"));
        QVERIFY(view_->columnName(5).contains("daughter"));
        QVERIFY(view_->cellInWords({5, 3}).startsWith("cross.2.5"));
        selection_->setHover({.targetQuery = 5});
        QCOMPARE(view_->cursorCell()->row, 5);
        view_->toggleHead(1);
        QVERIFY(view_->cellInWords({5, 3}).contains("; cross.2.5"));
    }

    /// Pinned tokens are marked as on screen, the pointer is not.
    void figuresShowTheLinesOfWhatIsPinned() {
        show(example::run());
        const auto svg = [this] {
            return figureBytes({.format = FigureFormat::Svg, .size = view_->figureSize(), .dpi = 96}, *view_)
                .bytes;
        };
        const QByteArray all = svg();
        selection_->setHover({.targetQuery = 5});
        QVERIFY(svg() == all);
        QVERIFY(!view_->figureText().caption.contains("pinned"));
        selection_->togglePinned({.targetQuery = 5});
        const QByteArray pinned = svg();
        QVERIFY(pinned.count("<path") + pinned.count("<line ") < all.count("<path") + all.count("<line "));
        QVERIFY(view_->figureText().caption.contains("Only the lines of the pinned"));
        const auto weight = example::run()->cross[2].weights(5, 5, 5);
        QVERIFY(pinned.contains('>' + QByteArray::number(static_cast<double>(weight), 'f', 2).mid(1)) ||
                pinned.contains('>' + QByteArray::number(static_cast<double>(weight), 'f', 2)));
    }

    void figuresKeepLinesAsLines() {
        show(example::run());
        const auto figure =
            figureBytes({.format = FigureFormat::Svg, .size = view_->figureSize(), .dpi = 96}, *view_);
        QVERIFY(figure.error.isEmpty());
        const auto shapes = figure.bytes.count("<line ") + figure.bytes.count("<path");
        QVERIFY(static_cast<std::size_t>(shapes) >= view_->lines().lines.size());
        QVERIFY(!figure.bytes.contains("<image"));
        QVERIFY(figure.bytes.contains("Tochter"));
    }

    void nothingToShowIsNoError() {
        view_->grab();
        QVERIFY(!view_->hasFigure());
        QTest::keyClick(view_.get(), Qt::Key_Down);
        view_->setRun(example::run());
        QVERIFY(view_->hasFigure());
        selection_->setHead({{AttentionKind::Cross, 9}, 0});
        QVERIFY(!view_->hasFigure());
        view_->setShown(Shown::AllHeads);
        view_->grab();
        view_->setRun(nullptr);
        view_->grab();
    }
};

HEADSCOPE_WATCHED_TEST(LinesViewTest)
#include "lines_view_test.moc"
