#include <QTest>

#include "model/analysis/maps/cell_arithmetic.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using analysis::cellArithmetic;
using analysis::WhyMasked;
using trace::AttentionKind;

/// Cells of a head with three tokens and two dimensions, by hand.
class CellArithmeticTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{AttentionKind::DecoderSelf, 0}, 0};

    /// Weights and scores follow the definition for `scale`.
    static trace::Run run(double scale = 1 / std::sqrt(2.0)) {
        trace::Run made;
        made.target.resize(3);
        made.source.resize(3);
        trace::AttentionRecord record{.site = head.site, .mask = trace::MaskMatrix(3, 3)};
        record.q = {1, 3, 2, {1, 2, 3, 4, 0.5F, -1}};
        record.k = {1, 3, 2, {2, 1, -1, 3, 0.25F, 4}};
        record.v = {1, 3, 2, {1, 0, 0, 2, -3, 4}};
        record.scores = record.weights = {1, 3, 3};
        for (std::size_t t = 0; t < 3; ++t) {
            double sum = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                const double dot = double(record.q(0, t, 0)) * double(record.k(0, j, 0)) +
                                   double(record.q(0, t, 1)) * double(record.k(0, j, 1));
                record.scores.at(0, t, j) = static_cast<float>(dot * scale);
                record.mask(t, j) = j <= t;
                sum += j <= t ? std::exp(dot * scale) : 0;
            }
            for (std::size_t j = 0; j <= t; ++j)
                record.weights.at(0, t, j) =
                    static_cast<float>(std::exp(double(record.scores(0, t, j))) / sum);
        }
        made.decoder = {record};
        return made;
    }

    static analysis::CellArithmetic cell(const trace::Run& run, std::size_t query, std::size_t key) {
        return cellArithmetic(run, run, head, query, key).value();
    }

    static trace::Run changed(trace::Change change, double scale = 1 / std::sqrt(2.0)) {
        auto made = run(scale);
        made.request.interventions = {{std::move(change)}};
        return made;
    }

    /// The run's scores are rounded, what is computed again is in float64.
    static tests::Comparison compareScore(const analysis::CellArithmetic& cell) {
        return tests::compare("score", cell.score, cell.shownScore,
                              tests::ofRoundings(1, std::abs(cell.score)));
    }
    /// The run's weights are exponentials of rounded scores, and rounded.
    static tests::Comparison compareWeight(const analysis::CellArithmetic& cell) {
        return tests::compare("weight", cell.weight, cell.shownWeight,
                              tests::ofRoundings(1, cell.weight * (std::abs(cell.score) + 1)));
    }
    static tests::Comparison compareInFloat64(double found, double expected, double size) {
        return tests::compare("number", found, expected, tests::ofSum(2 * 3, size, tests::float64));
    }

  private Q_SLOTS:
    void productsTimesScaleAreTheScore() {
        const auto made = run();
        for (std::size_t t = 0; t < 3; ++t)
            for (std::size_t j = 0; j < 3; ++j) {
                const auto c = cell(made, t, j);
                VERIFY_AGREES(compareScore(c));
                QCOMPARE(c.products.size(), std::size_t(2));
                QCOMPARE(c.dot, c.products[0] + c.products[1]);
                QVERIFY(c.scale.isInverseRoot && !c.scale.isChanged);
            }
    }

    void theSoftmaxOfTheRowIsTheWeight() {
        const auto made = run();
        for (std::size_t t = 0; t < 3; ++t)
            for (std::size_t j = 0; j < 3; ++j) {
                const auto c = cell(made, t, j);
                VERIFY_AGREES(compareWeight(c));
                VERIFY_AGREES(compareInFloat64(c.row[j].exponential / c.sum, c.weight, c.weight));
            }
    }

    void aClosedCellHasNoWeightAndAReason() {
        const auto c = cell(run(), 1, 2);
        QCOMPARE(c.closed, std::optional(WhyMasked::LaterToken));
        QCOMPARE(c.weight, 0.0);
        QVERIFY(!c.row[2].open && c.row[1].open);
        auto padded = run();
        padded.target[0].role = trace::TokenRole::Padding;
        padded.decoder[0].mask(1, 0) = 0;
        QCOMPARE(cell(padded, 1, 0).closed, std::optional(WhyMasked::PaddingKey));
        auto odd = run();
        odd.decoder[0].mask(1, 0) = 0;
        QCOMPARE(cell(odd, 1, 0).closed, std::optional(WhyMasked::Otherwise));
        QVERIFY(!cell(run(), 2, 1).closed);
    }

    void aRowWithNoAllowedKeyIsEven() {
        auto made = run();
        for (std::size_t j = 0; j < 3; ++j)
            made.decoder[0].mask(1, j) = 0;
        const auto c = cell(made, 1, 0);
        QVERIFY(c.rowIsClosed);
        VERIFY_AGREES(compareInFloat64(c.weight, 1.0 / 3, 1.0 / 3));
    }

    void whatBecomesOfTheOutputIsTold() {
        QCOMPARE(cell(run(), 2, 1).factor, 1.0);
        const auto off = cell(changed(trace::ScaleHead{.head = head}), 2, 1);
        QCOMPARE(off.factor, 0.0);
        QCOMPARE(off.output, cell(run(), 2, 1).output); // computed regardless
        QCOMPARE(cell(changed(trace::ScaleHead{.head = {head.site, 1}}), 2, 1).factor, 1.0);
        const trace::SublayerAddress sublayer{trace::SublayerKind::DecoderSelf, 0};
        QCOMPARE(cell(changed(trace::ScaleSublayer{.sublayer = sublayer, .factor = 0.5}), 2, 1).factor, 0.5);
        const trace::SublayerAddress other{trace::SublayerKind::DecoderFeedForward, 0};
        QCOMPARE(cell(changed(trace::ScaleSublayer{.sublayer = other, .factor = 0.5}), 2, 1).factor, 1.0);
        QVERIFY(cell(changed(trace::ReplaceHead{.head = head}), 2, 1).isReplaced);
    }

    void changesByHandAreWhatTheySay() {
        const auto unscaled = cell(changed(trace::ScaleScores{}, 1), 2, 1);
        QVERIFY(unscaled.scale.isChanged);
        QCOMPARE(unscaled.scale.factor, 1.0);
        VERIFY_AGREES(compareScore(unscaled));
        const auto cool =
            cell(changed(trace::SoftmaxTemperature{.temperature = 2}, 0.5 / std::sqrt(2.0)), 2, 1);
        QCOMPARE(cool.scale.temperature, 2.0);
        QVERIFY(cool.scale.isInverseRoot && !cool.scale.isChanged);
        VERIFY_AGREES(compareWeight(cool));
        const auto blocked = cell(changed(trace::BlockCell{.head = head, .query = 2, .key = 1}), 2, 1);
        QCOMPARE(blocked.closed, std::optional(WhyMasked::BlockedByHand));
        QCOMPARE(blocked.weight, 0.0);
    }

    void aForcedRowHasTheWeightsItWasGiven() {
        using trace::RowPattern;
        const auto forced = [&](RowPattern pattern, std::size_t key, std::size_t looked) {
            return cell(changed(trace::ForceRow{.head = head, .query = 1, .pattern = pattern, .key = key}), 1,
                        looked);
        };
        QVERIFY(forced(RowPattern::Uniform, 0, 0).isForced);
        QCOMPARE(forced(RowPattern::Uniform, 0, 0).weight, 0.5);
        QCOMPARE(forced(RowPattern::Uniform, 0, 2).weight, 0.0);
        QCOMPARE(forced(RowPattern::Key, 0, 0).weight, 1.0);
        QVERIFY(!forced(RowPattern::Key, 2, 0).isForced); // masked
        QCOMPARE(forced(RowPattern::Hard, 0, 0).weight, 1.0);
    }

    void theModelsOwnScaleIsUsed() {
        auto made = run(0.25);
        auto model = std::make_shared<trace::ModelSummary>();
        model->architecture = {{"score_scale", "0.25"}};
        made.model = model;
        const auto c = cell(made, 2, 0);
        QCOMPARE(c.scale.factor, 0.25);
        QVERIFY(!c.scale.isInverseRoot);
        VERIFY_AGREES(compareScore(c));
    }

    void valuesTimesWeightsAddUpToTheOutput() {
        const auto made = run();
        std::vector<double> sum(2);
        for (std::size_t j = 0; j < 3; ++j) {
            const auto c = cell(made, 2, j);
            for (std::size_t i = 0; i < 2; ++i)
                sum[i] += c.adds[i];
        }
        const auto c = cell(made, 2, 0);
        VERIFY_AGREES(compareInFloat64(sum[0], c.output[0], 4));
        VERIFY_AGREES(compareInFloat64(sum[1], c.output[1], 4)); // the largest value
        QCOMPARE(analysis::length({3, 4}), 5.0);
    }

    void whatIsNotThereIsNothing() {
        const auto made = run();
        QVERIFY(!cellArithmetic(made, made, head, 3, 0));
        QVERIFY(!cellArithmetic(made, made, {head.site, 1}, 0, 0));
        QVERIFY(!cellArithmetic(made, made, {{AttentionKind::Cross, 0}, 0}, 0, 0));
        auto without = run();
        without.decoder[0].k = {};
        QVERIFY(!cellArithmetic(made, without, head, 0, 0));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CellArithmeticTest)
#include "cell_arithmetic_test.moc"
