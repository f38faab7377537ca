#include <QTest>

#include "model/analysis/softmax_temperature.h"
#include "tests/widgets/example_run.h"

using namespace headscope;
using analysis::softmaxOf;
using trace::AttentionKind;

class SoftmaxTemperatureTest : public QObject {
    Q_OBJECT

    const std::shared_ptr<trace::Run> run_ = example::run({.sourcePadding = 2});

    analysis::OpenScores scores(trace::HeadAddress head = example::aligningHead) const {
        return *analysis::openScores(*run_, head);
    }

    /// A run with one row of scores, all open.
    static trace::Run oneRow(std::vector<float> scores) {
        trace::Run run;
        const auto keys = scores.size();
        run.source.resize(1);
        run.encoder.push_back(
            {.mask = {1, keys, 1}, .scores = {1, 1, keys, std::move(scores)}, .weights = {1, 1, keys}});
        return run;
    }

  private Q_SLOTS:
    void atOneTheyAreTheWeightsOfTheRun() {
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
            for (int head = 0; head < 8; ++head) {
                const trace::HeadAddress address{{kind, 1}, head};
                const auto weights = softmaxOf(scores(address), 1);
                const auto shown = run_->record(address.site)->weights.head(static_cast<std::size_t>(head));
                for (std::size_t row = 0; row < weights.rows(); ++row)
                    for (std::size_t key = 0; key < weights.columns(); ++key)
                        QVERIFY(std::abs(weights(row, key) - shown(row, key)) < 1e-6F);
            }
    }

    void closedCellsGetNothingAtAnyTemperature() {
        for (const double temperature : {0.1, 1.0, 10.0}) {
            const auto open = scores({{AttentionKind::DecoderSelf, 0}, 3});
            const auto weights = softmaxOf(open, temperature);
            for (std::size_t row = 0; row < weights.rows(); ++row) {
                double sum = 0;
                for (std::size_t key = 0; key < weights.columns(); ++key) {
                    QVERIFY(open.open(row, key) || weights(row, key) == 0);
                    sum += weights(row, key);
                }
                QVERIFY(std::abs(sum - 1) < 1e-6);
            }
        }
    }

    void aCellThatWasBlockedByHandIsClosed() {
        const auto changed = std::make_shared<trace::Run>(*run_);
        changed->request.interventions = {{trace::BlockCell{example::aligningHead, 3, 2}}};
        const auto open = *analysis::openScores(*changed, example::aligningHead);
        QVERIFY(!open.open(3, 2));
        QCOMPARE(softmaxOf(open, 1)(3, 2), 0.0F);
        const trace::HeadAddress another{{AttentionKind::Cross, 2}, 4};
        QVERIFY(analysis::openScores(*changed, another)->open(3, 2));
    }

    void aRowThatWasForcedByHandIsTheRunsAtEveryTemperature() {
        const auto changed = std::make_shared<trace::Run>(*run_);
        changed->request.interventions = {
            {trace::ForceRow{example::aligningHead, 3, trace::RowPattern::Uniform}},
            {trace::ForceRow{example::aligningHead, 4, trace::RowPattern::Key, 1}},
            {trace::ForceRow{example::aligningHead, 5, trace::RowPattern::Hard}}};
        const auto open = *analysis::openScores(*changed, example::aligningHead);
        const auto free = scores();
        const auto keys = std::ranges::count_if(open.open.row(3), [](auto cell) { return cell != 0; });
        for (const double temperature : {0.1, 1.0, 10.0}) {
            const auto weights = softmaxOf(open, temperature);
            for (std::size_t key = 0; key < weights.columns(); ++key) {
                QCOMPARE(weights(3, key), open.open(3, key) ? 1.0F / static_cast<float>(keys) : 0.0F);
                QCOMPARE(weights(4, key), key == 1 ? 1.0F : 0.0F);
                QCOMPARE(weights(5, key),
                         key == *analysis::hardKey(open.scores.row(5), open.open.row(5)) ? 1.0F : 0.0F);
                QCOMPARE(weights(2, key), softmaxOf(free, temperature)(2, key));
            }
        }
        const trace::HeadAddress another{{AttentionKind::Cross, 2}, 4};
        QVERIFY(analysis::openScores(*changed, another)->forced.empty());
    }

    void theColderTheSharper() {
        const auto run = oneRow({1, 3, 3, 2});
        const auto open = *analysis::openScores(run, {});
        double before = 2; // bits of four even keys
        for (const double temperature : {10.0, 3.0, 1.0, 0.3, 0.1}) {
            const auto entropy = analysis::entropiesOfRows(open, softmaxOf(open, temperature));
            QVERIFY(*entropy.front() < before);
            before = *entropy.front();
        }
        QVERIFY(std::abs(before - 1) < 1e-3); // two keys share the largest score
        QCOMPARE(analysis::evenEntropy(open), std::optional(2.0));
    }

    void largeScoresDoNotOverflow() {
        const auto run = oneRow({900, 1000, -3e38F});
        const auto weights = softmaxOf(*analysis::openScores(run, {}), 0.1);
        QCOMPARE(weights.values(), (std::vector<float>{0, 1, 0}));
    }

    void hardAttentionTakesTheFirstOfEqualOnes() {
        const std::vector<float> row{9, 3, 3, 1};
        QCOMPARE(analysis::hardKey(row, std::vector<std::uint8_t>{0, 1, 1, 1}),
                 std::optional<std::size_t>(1));
        QCOMPARE(analysis::hardKey(row, std::vector<std::uint8_t>{0, 0, 0, 0}), std::nullopt);
    }

    void rowsWithoutAChoiceAndPaddingHaveNoEntropy() {
        const auto decoder = scores({{AttentionKind::DecoderSelf, 0}, 0});
        const auto entropies = analysis::entropiesOfRows(decoder, softmaxOf(decoder, 1));
        QVERIFY(!entropies[0] && entropies[1]);
        const auto encoder = scores({{AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(!analysis::entropiesOfRows(encoder, softmaxOf(encoder, 1)).back());
    }

    void theCurveRisesTowardsEvenRows() {
        const auto curve = analysis::entropyOverTemperature(scores(), 46);
        QCOMPARE(curve.temperatures.front(), analysis::lowestTemperature);
        QVERIFY(std::abs(curve.temperatures[30] - 1) < 1e-12);
        QVERIFY(std::abs(curve.temperatures.back() - analysis::highestTemperature) < 1e-12);
        QVERIFY(std::ranges::is_sorted(curve.entropies));
        QVERIFY(curve.entropies.back() < curve.even);
        const auto atOne = analysis::entropiesOfRows(scores(), softmaxOf(scores(), 1));
        QCOMPARE(curve.entropies[30], *analysis::meanEntropy(atOne));
    }

    void aHeadThatIsNotThereHasNoScores() {
        QVERIFY(!analysis::openScores(*run_, {{AttentionKind::Cross, 9}, 0}));
        QVERIFY(!analysis::openScores(*run_, {{AttentionKind::Cross, 0}, 8}));
    }
};

QTEST_GUILESS_MAIN(SoftmaxTemperatureTest)
#include "softmax_temperature_test.moc"
