#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include "tests/watched_test.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/shown_heatmap.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/words/effect_words.h"
#include "widgets/words/plain_words.h"

using namespace headscope;
using namespace headscope::heatmaps;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::MapQuantity;

/// What the heatmap shows beside weights and scores, and how.
class HeatmapQuantitiesTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::shared_ptr<trace::Run> run_;
    std::unique_ptr<HeatmapView> view_;

    void showQuantity(Quantity quantity, std::shared_ptr<const trace::QuantityMaps> maps) {
        view_->setQuantity(quantity);
        view_->setMaps(std::move(maps));
    }

    /// Below the map, pointing at it.
    QString hint() const {
        QHelpEvent help(QEvent::ToolTip, QPoint(40, view_->height() - 16), {});
        QCoreApplication::sendEvent(view_.get(), &help);
        const QString words = QToolTip::text();
        QToolTip::hideText();
        return words;
    }

  private Q_SLOTS:
    void init() {
        selection_.setHead(example::aligningHead);
        selection_.setStep(5);
        selection_.setCursor({});
        selection_.clearPinned();
        run_ = example::run();
        view_ = std::make_unique<HeatmapView>(&selection_);
        view_->setRun(run_);
        show(*view_);
    }

    void everyQuantityIsNamedInItsCaption() {
        const auto site = example::aligningHead.site;
        showQuantity(Quantity::NormWeighted, example::normWeighted(*run_, site));
        QVERIFY(view_->figureText().caption.contains("Norm-weighted attention"));
        QCOMPARE(view_->figureText().title, "cross.2.5");
        showQuantity(Quantity::Rollout, example::shares(*run_, MapQuantity::Rollout, site));
        QVERIFY(view_->figureText().caption.contains("all heads"));
        QVERIFY(view_->figureText().caption.contains("(of 3 layers) and all previous layers"));
        QVERIFY(view_->figureText().caption.contains("no information"));
        QCOMPARE(view_->figureText().title, "cross.2");
        showQuantity(Quantity::Contribution, example::shares(*run_, MapQuantity::Contribution, site));
        QVERIFY(view_->figureText().caption.contains("ALTI+"));
        showQuantity(Quantity::GradientAttention, example::gradient(*run_, site, 5));
        QVERIFY(view_->figureText().caption.contains("Tochter"));
        QVERIFY(view_->figureText().caption.contains("step 6"));
    }

    void wordsAreCalledWordsAndTheirRuleIsTold() {
        const auto site = example::aligningHead.site;
        view_->setOptions({.words = true});
        QVERIFY(view_->figureText().caption.contains("while choosing each German word."));
        QVERIFY(view_->figureText().caption.contains("sum over the tokens of a key word"));
        view_->setOptions({.quantity = Quantity::NormWeighted, .words = true});
        view_->setMaps(example::normWeighted(*run_, site));
        QVERIFY2(view_->figureText().caption.contains("norms of a key word's tokens are added up"),
                 qPrintable(view_->figureText().caption));
        view_->setOptions({.quantity = Quantity::Scores, .words = true});
        QVERIFY(view_->figureText().caption.contains("while choosing each German token."));
        QVERIFY(view_->figureText().caption.contains("Scores are shown per token"));
        QVERIFY(!view_->figureText().caption.contains("Words:"));
    }

    void aClassifiersGradientNamesTheClass() {
        const trace::AttentionSite site{AttentionKind::EncoderSelf, 1};
        selection_.setHead({site, 2});
        auto maps = example::gradient(*run_, site, 1);
        maps->token = trace::Token{.id = 1, .piece = "class"};
        const auto classified = example::classified(*run_);
        view_->setRun(classified);
        showQuantity(Quantity::GradientAttention, maps);
        QVERIFY2(
            withoutIsolation(view_->figureText().caption).contains("The logit here is that of class “#1”."),
            qPrintable(view_->figureText().caption));
        auto model = std::make_shared<trace::ModelSummary>(*classified->model);
        model->classLabels = {"negative", "positive"};
        classified->model = model;
        view_->setRun(classified);
        QString caption = view_->figureText().caption;
        caption.remove(QChar(0x2068)).remove(QChar(0x2069));
        QVERIFY2(caption.contains("The logit here is that of class \u201Cpositive\u201D."),
                 qPrintable(caption));
    }

    void nothingIsReadOffAsLongAsMapsAreOnTheirWay() {
        pictureOf(*view_);
        view_->setQuantity(Quantity::Contribution);
        QVERIFY(!view_->hasFigure());
        QCOMPARE(view_->rowCount(), 0);
        QVERIFY(!view_->cellAt(view_->rect().center()));
        pictureOf(*view_); // the one before
        view_->setMaps(example::shares(*run_, MapQuantity::Contribution, example::aligningHead.site));
        QVERIFY(view_->hasFigure());
        QCOMPARE(view_->columnCount(), 23);
    }

    void mapsOfTheSiteBeforeAreNotShownAtTheNextOne() {
        showQuantity(Quantity::NormWeighted, example::normWeighted(*run_, example::aligningHead.site));
        selection_.setHead({example::aligningHead.site, 3});
        QVERIFY(view_->hasFigure()); // another head of the same site
        selection_.setHead({{AttentionKind::Cross, 0}, 3});
        QVERIFY(!view_->hasFigure());
    }

    void cellsOfTheTargetLightWhatWasFed() {
        const auto site = example::aligningHead.site;
        showQuantity(Quantity::Contribution, example::shares(*run_, MapQuantity::Contribution, site));
        QTest::mouseMove(view_.get(), middleOf(*view_, 4, 13));
        QCOMPARE(selection_.hover(), (TokenFocus{.targetQuery = 4, .targetKey = 2}));
        QVERIFY(view_->cellInWords({4, 13}).startsWith("cross.2 ["));
        QVERIFY(!view_->runCellAt(middleOf(*view_, 4, 3)));
    }

    void aTurnedMapReadsTheSameCells() {
        const QString before = view_->cellInWords({5, 3});
        MapOptions options;
        options.transposed = true;
        view_->setOptions(options);
        QCOMPARE(view_->cellInWords({3, 5}), before);
        QVERIFY(view_->figureText().caption.contains("statements about rows apply to its columns"));
        QCOMPARE(view_->runCellAt(middleOf(*view_, 3, 5)), std::optional(MapCell{5, 3}));
        QVERIFY(view_->rowName(3).contains("gave"));
        QTest::mouseMove(view_.get(), middleOf(*view_, 3, 5));
        QCOMPARE(selection_.hover(), TokenFocus::cell(AttentionKind::Cross, 5, 3));
        QTest::keyClick(view_.get(), Qt::Key_Down);
        QCOMPARE(selection_.hover(), TokenFocus::cell(AttentionKind::Cross, 5, 4));
    }

    void theCaptionSaysWhatAViewLeavesOutOrPutsTogether() {
        MapOptions options;
        options.withoutSpecial = options.words = options.received = options.colourPerRow = true;
        view_->setOptions(options);
        const QString caption = view_->figureText().caption;
        for (const char* part :
             {"Special keys are hidden", "tokens of a key word", "Bars", "own colour scale"})
            QVERIFY2(caption.contains(part), part);
    }

    void theFirstDecoderLayersRollOutHasReadNoSource() {
        const trace::AttentionSite first{AttentionKind::DecoderSelf, 0};
        selection_.setHead({first, 0});
        showQuantity(Quantity::Rollout, example::shares(*run_, MapQuantity::Rollout, first));
        const QString caption = view_->figureText().caption;
        QVERIFY2(caption.contains("its side is empty"), qPrintable(caption));
    }

    void numbersAreWrittenWhereTheyFit() {
        const QImage before = pictureOf(*view_);
        MapOptions options;
        options.numbers = true;
        view_->setOptions(options);
        QVERIFY(pictureOf(*view_) != before);
        const auto saidBelow = [&] {
            QHelpEvent help(QEvent::ToolTip, QPoint(20, view_->height() - 4), {});
            QCoreApplication::sendEvent(view_.get(), &help);
            return QToolTip::text();
        };
        QVERIFY(!saidBelow().contains("Zoom in"));
        view_->resize(260, 240);
        QTRY_VERIFY(saidBelow().contains("Zoom in"));
        QToolTip::hideText();
    }

    void theMapStandsWhereItIsDrawnAtAnySize() {
        MapOptions options;
        options.numbers = options.received = options.words = true;
        view_->setOptions(options);
        view_->setEffect(example::normWeighted(*run_, example::aligningHead.site));
        view_->resize(420, 320);
        const QImage image = pictureOf(*view_);
        const QRectF plot = view_->mapLayout().plot();
        QCOMPARE(image.pixel(plot.topLeft().toPoint() + QPoint(-1, 4)), lightTheme().line.rgb());
        QCOMPARE(image.pixel(plot.bottomRight().toPoint() + QPoint(-4, 0)), lightTheme().line.rgb());
    }

    void anotherHeadsPictureIsSaidInTheRowsHint() {
        const auto site = example::aligningHead.site;
        auto effect = example::normWeighted(*run_, site);
        for (std::size_t c = 0; c < effect->values.columns(); ++c)
            effect->values.at(5, 5, c) = c == 0 ? 9.0F : 0.1F;
        const QImage before = pictureOf(*view_);
        view_->setEffect(effect);
        QVERIFY(pictureOf(*view_) != before);
        QHelpEvent help(QEvent::ToolTip, QPoint(40, view_->height() - 16), {});
        QCoreApplication::sendEvent(view_.get(), &help);
        QTRY_VERIFY(QToolTip::text().contains("contributes most"));
        QVERIFY(QToolTip::text().contains("bits apart"));
        QToolTip::hideText();
    }

    void whatAStepLosesIsSaidBelowTheMap() {
        const auto said = [&] {
            QHelpEvent help(QEvent::ToolTip, QPoint(40, view_->height() - 16), {});
            QCoreApplication::sendEvent(view_.get(), &help);
            return QToolTip::text();
        };
        view_->setCause({.isAwaited = true});
        QTRY_VERIFY(said().contains("Step 6: measuring"));
        view_->setCause({.isAwaited = true, .progress = "Measured: 40 of 449 source tokens."});
        QTRY_VERIFY(said().contains("each source token... Measured: 40 of 449"));
        view_->setCause(example::cause(*run_, 5));
        QTRY_VERIFY2(said().contains("Rank correlation of weights and losses (Spearman): ") &&
                         said().contains(" over 10 tokens"),
                     qPrintable(said()));
        QVERIFY(said().contains("in this head alone"));
        QVERIFY(!said().contains(QChar(0x26A0)));
        selection_.setStep(4); // of which nothing is known
        QVERIFY(!said().contains("Spearman"));
        selection_.setStep(5);
        view_->setCause({.whyNot = "Too long: shorten it"});
        QTRY_VERIFY(said().contains("Step 6: Too long"));
        selection_.setHead(decoderHead); // looks at no source
        QTRY_VERIFY(!said().contains("Step 6"));
        QToolTip::hideText();
    }

    void lossesThatRankOtherwiseAreAWarning() {
        auto cause = example::cause(*run_, 5);
        auto turned = std::make_shared<trace::CausalRow>(*cause.everywhere);
        for (double& drop : turned->drops)
            drop = -drop;
        cause.everywhere = turned;
        const QString words = causeInWords(*run_, example::aligningHead, 5, cause);
        QVERIFY2(words.contains(QString(QChar(0x26A0)) + " Rank correlation"), qPrintable(words));
        QVERIFY(words.contains(QString::fromUtf8("\u2212"))); // the correlation itself
        QVERIFY(causeInWords(*run_, {{AttentionKind::Cross, 0}, 1}, 4, cause).isEmpty()); // of another step
    }

    void lossesAgainstAnotherTokenNameIt() {
        auto cause = example::cause(*run_, 5);
        auto against = std::make_shared<trace::CausalRow>(*cause.everywhere);
        against->contrast = trace::Token{.piece = "▁Katze"};
        cause.everywhere = against;
        QVERIFY(causeInWords(*run_, example::aligningHead, 5, cause).contains("Katze"));
        QVERIFY(lossInWords(cause, 3).contains("Katze"));
        QVERIFY(!lossInWords(example::cause(*run_, 5), 3).contains("Katze"));
    }

    void lossesThatRoundToNothingAreSaidToBeNone() {
        auto cause = example::cause(*run_, 5);
        auto little = std::make_shared<trace::CausalRow>(*cause.here);
        for (double& drop : little->drops)
            drop *= -1e-4;
        cause.here = little;
        const QString words = causeInWords(*run_, example::aligningHead, 5, cause);
        QVERIFY2(words.contains("in this head alone it changes by less than 0.001"), qPrintable(words));
        QVERIFY(!words.contains(QString::fromUtf8("\u2212"
                                                  "0.000")));
        QVERIFY(!words.contains(QChar(0x26A0)));
        QVERIFY(lossInWords(cause, 3).contains("changes by less than 0.0001"));
    }

    void tokensOfTheSameNameAreToldApart() {
        auto run = std::make_shared<trace::Run>(*run_);
        run->source[9] = run->source[3]; // with another space mark, it has the same name all the same
        run->source[9].piece = "gave";
        run->source[3].piece = "\u2581gave";
        auto cause = example::cause(*run, 5);
        auto turned = std::make_shared<trace::CausalRow>(*cause.everywhere);
        turned->drops[3] = 9;
        cause.everywhere = turned;
        const QString words = causeInWords(*run, example::aligningHead, 5, cause);
        QVERIFY2(words.contains("at position 3 ("), qPrintable(words));
        QVERIFY(
            !causeInWords(*run_, example::aligningHead, 5, example::cause(*run_, 5)).contains("position"));
    }

    void theHintSaysWhatItCountsWhereTheMapHasOtherColumns() {
        view_->setEffect(example::normWeighted(*run_, example::aligningHead.site));
        view_->setCause(example::cause(*run_, 5));
        QVERIFY(!hint().contains("tokens are compared"));
        QVERIFY2(hint().contains("Row \u2068\u201cTochter\u201d\u2069: "), qPrintable(hint()));
        MapOptions options;
        options.withoutSpecial = true;
        view_->setOptions(options);
        QVERIFY2(hint().contains("Single tokens are compared: 11 tokens in 10 columns of the map."),
                 qPrintable(hint()));
        options.withoutSpecial = false;
        options.words = true; // "rot" and "es" are one row
        view_->setOptions(options);
        selection_.setStep(8);
        QVERIFY2(hint().contains("Single token \u2068\u201ces\u201d\u2069: "), qPrintable(hint()));
    }

    void lossesThatRoundToNothingHaveNoBars() {
        const auto bars = [&](double size) {
            auto cause = example::cause(*run_, 5);
            for (auto* row : {&cause.everywhere, &cause.here}) {
                auto scaled = std::make_shared<trace::CausalRow>(**row);
                for (double& drop : scaled->drops)
                    drop *= size;
                *row = scaled;
            }
            MapOptions options;
            options.losses = true;
            view_->setOptions(options);
            view_->setCause(cause);
            const QImage image = pictureOf(*view_);
            int pixels = 0;
            for (int y = static_cast<int>(view_->mapLayout().plot().bottom()) + 8; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    pixels += image.pixelColor(x, y) == aboveZeroColour(themeOf(view_->palette()));
            return pixels;
        };
        QVERIFY(bars(1) > 0);
        QCOMPARE(bars(1e-6), 0);
    }

    void aHeadThatIsSwitchedOffIsNotCompared() {
        auto off = std::make_shared<trace::Run>(*run_);
        off->request.interventions = {trace::withoutHead(example::aligningHead)};
        view_->setRun(off);
        view_->setEffect(example::normWeighted(*run_, example::aligningHead.site));
        view_->setCause(example::cause(*run_, 5));
        QHelpEvent help(QEvent::ToolTip, QPoint(40, view_->height() - 16), {});
        QCoreApplication::sendEvent(view_.get(), &help);
        QTRY_VERIFY2(QToolTip::text().contains("The head is switched off"), qPrintable(QToolTip::text()));
        QVERIFY(!QToolTip::text().contains("Spearman"));
        QToolTip::hideText();
    }

    void barsShowWhatAStepLosesAndAreReadOff() {
        MapOptions options;
        options.losses = true;
        view_->setOptions(options);
        const QImage without = pictureOf(*view_); // nobody tells of losses
        view_->setOptions({});
        QCOMPARE(pictureOf(*view_), without);
        view_->setCause(example::cause(*run_, 5));
        view_->setOptions(options);
        QVERIFY(view_->figureText().caption.contains("Bars up are losses, bars down gains"));
        for (const bool turned : {false, true}) {
            options.transposed = turned;
            view_->setOptions(options);
            const QRectF plot = view_->mapLayout().plot();
            const QPointF cell = view_->mapLayout().cellRect(turned ? 3 : 5, turned ? 5 : 3).center();
            const QPointF strip =
                turned ? QPointF(plot.right() + 24, cell.y()) : QPointF(cell.x(), plot.bottom() + 24);
            QHelpEvent help(QEvent::ToolTip, strip.toPoint(), {});
            QCoreApplication::sendEvent(view_.get(), &help);
            QTRY_VERIFY2(QToolTip::text().contains("gave"), qPrintable(QToolTip::text()));
            QVERIFY(QToolTip::text().contains("falls by"));
        }
        options.transposed = false;
        view_->setOptions(options);
        QVERIFY(view_->cellInWords({5, 3}).contains("falls by"));
        QVERIFY(view_->cellInWords({5, 10}).contains("rises by"));
        // The cell is of one piece, which is named once.
        QVERIFY(view_->cellInWords({5, 3}).endsWith(". " + lossInWords(example::cause(*run_, 5), 3)));
        QVERIFY(view_->cellInWords({5, 1}).contains("cannot be measured"));
        QVERIFY(!view_->cellInWords({4, 3}).contains("falls by")); // another step
        const QImage six = pictureOf(*view_);
        view_->setCause({});
        QVERIFY(pictureOf(*view_) != six);
        QToolTip::hideText();
    }

    void aRefusalIsSaidInThePlaceOfThePicture() {
        view_->setQuantity(Quantity::GradientAttention);
        const QImage waiting = pictureOf(*view_);
        view_->setWhyNoMaps("No gradient of this model: choose another quantity");
        QVERIFY(pictureOf(*view_) != waiting);
        QVERIFY(!view_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(HeatmapQuantitiesTest)
#include "heatmap_quantities_test.moc"
