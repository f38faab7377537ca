#include <QCheckBox>
#include <QImage>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>

#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/card_head.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/positions/head_shares_picture.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/words/captions.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::childNamed;
using tests::isSeen;
using trace::AttentionKind;
using About = PositionQuestion::About;

/// The scores page within its view.
class ScoreTermsPageTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<PositionalEncodingView> view_;
    std::shared_ptr<trace::Run> run_;

    ScoreTermsPage& page() { return *view_->findChild<ScoreTermsPage*>(); }
    ScoreTermMaps& maps() { return *view_->findChild<ScoreTermMaps*>(); }
    void answer() { example::give(*view_, example::positionAnswer(*view_, run_)); }

    /// The numbers of "4.1 = 2.5 (word\u2013word) + 1.2 (...) \u2212 ...", signs included.
    static std::vector<double> numbersIn(const QString& words) {
        std::vector<double> numbers;
        double sign = 1;
        for (const QString& word : words.split(' ')) {
            bool isNumber = false;
            const double value = QString(word).replace(QChar(0x2212), '-').toDouble(&isNumber);
            if (isNumber)
                numbers.push_back(sign * value);
            sign = word == QString(QChar(0x2212)) ? -1 : 1;
        }
        return numbers;
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<PositionalEncodingView>(selection_.get());
        run_ = example::run();
        view_->setRun(run_);
        view_->setPage(Page::Scores);
        QVERIFY(isSeen(*view_, {900, 640}));
    }

    void theFirstLayerOfTheSideIsAskedFor() {
        QCOMPARE(
            view_->question(),
            (PositionQuestion{.about = About::Scores, .run = run_, .site = {AttentionKind::EncoderSelf, 0}}));
        view_->setSide(PositionSide::Target);
        QVERIFY(view_->question()->site == (trace::AttentionSite{AttentionKind::DecoderSelf, 0}));
        answer();
        QVERIFY(view_->hasFigure());
        view_->setSide(PositionSide::Source); // an answer about the decoder does not apply to the encoder
        QVERIFY(!view_->hasFigure());
    }

    void allTermsAreInSightWhereThePanelIsAsLargeAsItIsAtFirst() {
        view_->resize(1360, 690);
        tests::buttonOf<QToolButton>(*view_, "Numbers")->click();
        answer();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        QCoreApplication::processEvents();
        auto* terms = childNamed<ColumnTable>(page(), "Terms of one score");
        QCOMPARE(terms->model()->rowCount(), 10); // nine terms and their sum
        QVERIFY(terms->height() >= terms->wholeHeight());
        QCOMPARE(terms->horizontalScrollBar()->maximum(), 0);
        for (QWidget* around = terms->parentWidget(); around && around != view_.get();
             around = around->parentWidget())
            QVERIFY2(around->rect().contains(QRect(terms->mapTo(around, QPoint()), terms->size())),
                     around->metaObject()->className());
    }

    void aSelectedHeadBringsItsSideAlong() {
        selection_->setHead({{AttentionKind::DecoderSelf, 0}, 3});
        QVERIFY(view_->side() == PositionSide::Target);
        answer();
        QVERIFY2(
            view_->caption().startsWith(
                "Decoder self-attention decoder.0.3 (of 3 layers, 8 heads per layer) of example-en-de: each"),
            qPrintable(view_->caption()));
        QVERIFY(!page().findChild<QPushButton*>()->isVisible());
    }

    void theNearestHeadIsOfferedForOthers() {
        selection_->setHead({{AttentionKind::Cross, 2}, 5});
        answer();
        auto* select = page().findChild<QPushButton*>();
        QVERIFY(select->isVisible());
        QVERIFY(view_->caption().startsWith(
            "Encoder self-attention encoder.0.5 (of 3 layers, 8 heads per layer)"));
        select->click();
        QVERIFY(selection_->head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 5}));
        QVERIFY(!select->isVisible());
    }

    void theTermsOfACellAddUpToItsScore() {
        answer();
        for (const bool centred : {false, true}) {
            page().setCentred(centred);
            for (const MapCell cell : {MapCell{2, 1}, MapCell{7, 9}}) {
                const auto numbers = numbersIn(maps().cellInWords(cell).section(": ", 1));
                QCOMPARE(numbers.size(), std::size_t{10});
                double sum = 0;
                for (std::size_t i = 1; i < numbers.size(); ++i)
                    sum += numbers[i];
                QVERIFY(std::abs(sum - numbers.front()) < 9 * 0.5e-4 + 1e-9);
                const float score =
                    run_->encoder[0].scores(0, std::size_t(cell.row), std::size_t(cell.column));
                QCOMPARE(std::abs(numbers.front() - double(score)) < 1e-4, !centred);
            }
        }
    }

    void whatIsDrawnIsSavedFirst() {
        answer();
        const auto plain = view_->figureData().arrays;
        QCOMPARE(plain.front().name, std::string("scores"));
        page().setCentred(true);
        const auto both = view_->figureData().arrays;
        QCOMPARE(both.size(), plain.size() + 10); // the scores and nine terms
        for (std::size_t i = 0; i < 10; ++i) {
            QCOMPARE(both[i].name, plain[i].name + "_centred");
            QVERIFY(both[i + 10].name == plain[i].name); // the values that the model computed
            const auto keys = both[i].shape[1];
            for (std::size_t query = 0; query < both[i].shape[0]; ++query) {
                double sum = 0, mean = 0, open = 0;
                for (std::size_t cell = query * keys; cell < (query + 1) * keys; ++cell) {
                    QCOMPARE(std::isnan(both[i].values[cell]), std::isnan(plain[i].values[cell]));
                    if (std::isnan(plain[i].values[cell]))
                        continue;
                    sum += both[i].values[cell];
                    mean += plain[i].values[cell];
                    ++open;
                }
                QVERIFY(std::abs(sum) < 1e-4);
                for (std::size_t cell = query * keys; cell < (query + 1) * keys; ++cell)
                    if (!std::isnan(plain[i].values[cell]))
                        QVERIFY(std::abs(both[i].values[cell] - plain[i].values[cell] + mean / open) < 1e-5);
            }
        }
    }

    void theTableTellsTheLitCell() {
        answer();
        selection_->togglePinned(TokenFocus::cell(AttentionKind::EncoderSelf, 4, 2));
        auto* table = page().findChild<ColumnTable*>();
        QCOMPARE(table->model()->rowCount(), 10);
        QCOMPARE(table->model()->index(9, 1).data().toString(),
                 preciseText(double(run_->encoder[0].scores(0, 4, 2))));
        double shares = 0;
        for (int term = 0; term < 9; ++term)
            shares += table->model()->index(term, 2).data().toString().replace(QChar(0x2212), '-').toDouble();
        QVERIFY(std::abs(shares - 1) < 1e-3);
    }

    void aKeyMovesTheCursorAndLightsTheCellEverywhere() {
        answer();
        QSignalSpy described(view_.get(), &PositionalEncodingView::cellDescribed);
        QTest::keyClick(&maps(), Qt::Key_Right);
        QTest::keyClick(&maps(), Qt::Key_Down);
        QCOMPARE(selection_->hover(), TokenFocus::cell(AttentionKind::EncoderSelf, 1, 0));
        QCOMPARE(described.back().front().toString(), maps().cellInWords({1, 0}));
        QTest::keyClick(&maps(), Qt::Key_Return);
        QCOMPARE(selection_->pinned(), TokenFocus::cell(AttentionKind::EncoderSelf, 1, 0));
    }

    void theKeysCellIsThereAgainOnceThePointerHasLeft() {
        answer();
        maps().setFocus();
        QTest::keyClick(&maps(), Qt::Key_Right);
        QTest::keyClick(&maps(), Qt::Key_Down);
        const QPointF there(maps().cellArea({2, 1}).center());
        QMouseEvent move(QEvent::MouseMove, there, there, Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(&maps(), &move); // an earlier test may have left the pointer anywhere
        QCOMPARE(maps().cursorCell(), std::optional(MapCell{2, 1}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&maps(), &leave);
        QCOMPARE(maps().cursorCell(), std::optional(MapCell{1, 0}));
        QCOMPARE(selection_->hover(), TokenFocus::cell(AttentionKind::EncoderSelf, 1, 0));
        QTest::keyClick(&maps(), Qt::Key_Escape);
        QCOMPARE(maps().cursorCell(), std::nullopt);
        QVERIFY(selection_->hover().isEmpty());
    }

    void theCaptionOfLongScoresWaitsForTheirMaps() {
        auto known = example::positionAnswer(*view_, run_);
        auto terms = std::make_shared<trace::ScoreTerms>(*known.scores);
        constexpr std::size_t tokens = static_cast<std::size_t>(trace::longestStoredMap) + 1;
        terms->tokens.resize(tokens);
        terms->mask = trace::MaskMatrix(tokens, tokens, 1);
        terms->scores = trace::HeadStack(terms->scores.heads(), tokens, tokens);
        terms->terms.resize(1);
        terms->terms.front().values = terms->scores;
        known.scores = terms;
        answer();
        const auto says = [this](const QString& words) {
            return page().cardHead()->accessibleDescription().startsWith(words);
        };
        const QString before = view_->caption();
        QVERIFY(!before.isEmpty() && says(before));
        auto* answers = example::give(*view_, known);
        QVERIFY(answers->isAwaited(trace::Counted(page().preparing().value())));
        QVERIFY(page().caption().isEmpty()); // the caption of the previous sentence is outdated
        QVERIFY(!says(before));
        answers->setHolding(false);
        QVERIFY(!page().caption().isEmpty() && page().caption() != before);
        QVERIFY(says(view_->caption()));
    }

    /// Covariances with the score: a term that works against it has a share below 0.
    void aShareBelowZeroIsExplained() {
        analysis::HeadScoreShares shares{.rows = 3};
        shares.origins = {2.0, -1.97, 0.5, 0.47};
        using Origin = analysis::ScoreOrigin;
        const HeadSharesPicture picture({{"decoder.0.3", shares}},
                                        {Origin::Content, Origin::Position, Origin::Mixed, Origin::Bias}, 0);
        for (int part = 0; part < 4; ++part) {
            const QString origin = picture.columnName(part);
            QCOMPARE(picture.inWords({0, part}).contains("add up to 100 %"),
                     origin == "content" || origin == "position");
        }
    }

    void neighbouringSharesDifferInGrey() {
        analysis::HeadScoreShares shares{.rows = 3};
        shares.origins = {0.4, 0.4, 0, 0.2};
        using Origin = analysis::ScoreOrigin;
        const HeadSharesPicture picture({{"decoder.0.3", shares}},
                                        {Origin::Content, Origin::Position, Origin::Bias}, 0);
        for (const auto* theme : {&lightTheme(), &darkTheme()}) {
            QImage image(600, 100, QImage::Format_RGB32);
            image.fill(theme->background);
            QPainter painter(&image);
            picture.draw(painter, image.rect(), QFont(), *theme);
            const auto colour = [&](int part) {
                const QRectF place = picture.place({0, part}, image.rect(), QFont());
                return image.pixelColor((place.topLeft() + QPointF(3, 3)).toPoint());
            };
            for (int part = 1; part < 3; ++part)
                QVERIFY(contrastRatio(colour(part - 1), colour(part)) >= 1.5);
        }
    }

    void everyHeadsSharesAddUpAlongItsBarAndAClickSelectsIt() {
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 2});
        answer();
        auto* plot = childNamed<ReadablePlot>(*view_, "Shares of the scores'");
        QCOMPARE(plot->rowCount(), 8);
        QCOMPARE(plot->columnCount(), 4);
        const auto shares = example::positionAnswer(*view_, run_).headShares;
        const QRectF area(0, 0, 400, 300);
        for (int head = 0; head < 8; ++head) {
            double signedLength = 0;
            for (int part = 0; part < 4; ++part) {
                const double length = plot->picture()->place({head, part}, area, plot->font()).width();
                const auto origin = plot->columnName(part);
                const double share = origin == "content"    ? shares[head].origins[0]
                                     : origin == "position" ? shares[head].origins[1]
                                     : origin == "mixed"    ? shares[head].origins[2]
                                                            : shares[head].origins[3];
                signedLength += share < 0 ? -length : length;
            }
            const double whole = plot->picture()->place({0, 0}, area, plot->font()).width() /
                                 std::abs(shares[0].origins[1]); // position is the first part
            QVERIFY(std::abs(signedLength - whole) < 1e-6 * whole);
        }
        Q_EMIT plot->markChosen({5, 0});
        QVERIFY(selection_->head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 5}));
    }

    void termsWithABiasAreShownOnDemand() {
        answer();
        QCOMPARE(maps().mapCount(), std::size_t(5)); // word and position, and the sum
        auto* more = tests::buttonOf<QToolButton>(page(), "+ five terms with a bias");
        QVERIFY(more && more->isVisible());
        more->click();
        QCOMPARE(maps().mapCount(), std::size_t(10));
    }

    void closedCellsSaySo() {
        view_->setSide(PositionSide::Target);
        answer();
        QVERIFY(maps().cellInWords({1, 4}).endsWith("masked"));
    }

    void aBiasByDistanceIsATermInEveryLayer() {
        run_ = example::withDistanceBias(*run_);
        view_->setRun(run_);
        selection_->setHead({{AttentionKind::EncoderSelf, 2}, 1});
        QVERIFY(view_->question()->site == (trace::AttentionSite{AttentionKind::EncoderSelf, 2}));
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 1});
        answer();
        QVERIFY(view_->caption().contains("the distance bias of the head"));
        QVERIFY(maps().cellInWords({3, 1}).contains("(content)"));
        QVERIFY(maps().cellInWords({3, 1}).contains("(distance)"));
    }

    void aTurnedScoreIsShownByItsDistance() {
        run_ = example::withRotation(*run_);
        view_->setRun(run_);
        selection_->setHead({{AttentionKind::EncoderSelf, 1}, 2});
        QCOMPARE(view_->question(), (PositionQuestion{.about = About::Rotation, .run = run_}));
        answer();
        QVERIFY(view_->hasFigure());
        selection_->togglePinned(TokenFocus::cell(AttentionKind::EncoderSelf, 6, 2));
        const QString score = numberText(double(run_->encoder[1].scores(2, 6, 2)));
        QVERIFY2(view_->caption().contains("distance \u22124 with the model's own score " + score),
                 qPrintable(view_->caption()));
        QVERIFY(view_->caption().contains("encoder.1.2 (of 3 layers, 8 heads per layer)"));
    }
};

HEADSCOPE_WATCHED_TEST(ScoreTermsPageTest)
#include "score_terms_page_test.moc"
