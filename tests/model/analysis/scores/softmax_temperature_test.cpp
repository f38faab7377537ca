#include <QTest>

#include "model/analysis/scores/heads_at_temperature.h"
#include "model/analysis/scores/score_spread.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_long_run.h"

#include <numbers>
#include <numeric>

using namespace headscope;
using analysis::softmaxOf;
using trace::AttentionKind;

class SoftmaxTemperatureTest : public QObject {
    Q_OBJECT

    const std::shared_ptr<trace::Run> run_ = example::run({.sourcePadding = 2});

    analysis::OpenScores scores(trace::HeadAddress head = example::aligningHead) const {
        return *analysis::openScores(*run_, head);
    }

    /// A run with one row of scores, all allowed.
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
                const auto& record = *run_->record(address.site);
                QCOMPARE(weights.rows(), record.queries());
                const auto shown = record.weights.head(static_cast<std::size_t>(head));
                const auto given = record.scores.head(static_cast<std::size_t>(head));
                // Either weight is rounded, and the run's scores were rounded before their softmax.
                for (std::size_t row = 0; row < weights.rows(); ++row) {
                    double largest = 0;
                    for (std::size_t key = 0; key < weights.columns(); ++key)
                        if (shown(row, key) > 0)
                            largest = std::max(largest, std::abs(double(given(row, key))));
                    VERIFY_AGREES(
                        tests::compare("weights", weights.row(row), shown.row(row), [&](std::size_t key) {
                            return tests::ofRoundings(2, (largest + 1) * shown(row, key));
                        }));
                }
            }
    }

    void closedCellsGetNothingAtAnyTemperature() {
        for (const double temperature : {0.1, 1.0, 10.0}) {
            const auto open = scores({{AttentionKind::DecoderSelf, 0}, 3});
            const auto weights = softmaxOf(open, temperature);
            QVERIFY(!open.open(0, 1));
            for (std::size_t row = 0; row < weights.rows(); ++row) {
                double sum = 0;
                for (std::size_t key = 0; key < weights.columns(); ++key) {
                    QVERIFY(open.open(row, key) || weights(row, key) == 0);
                    sum += weights(row, key);
                }
                // Each weight is rounded.
                VERIFY_AGREES(tests::compare("sum of a row", sum, 1, tests::ofRoundings(1, 1)));
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
        double before = 2; // bits of four equal keys
        for (const double temperature : {10.0, 3.0, 1.0, 0.3, 0.1}) {
            const auto entropy = analysis::entropiesOfRows(open, softmaxOf(open, temperature));
            QVERIFY(*entropy.front() < before);
            before = *entropy.front();
        }
        // The derivative of an entropy with respect to a weight, which is rounded, is log2 e more than its
        // logarithm. Two keys share the largest score; the others are 10 and 20 lower at 0.1.
        const std::vector<double> exponentials{1, 1, std::exp(-10), std::exp(-20)};
        const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);
        double bits = 0;
        for (const double exponential : exponentials)
            bits -= exponential / sum * std::log2(exponential / sum);
        VERIFY_AGREES(
            tests::compare("bits at 0.1", before, bits, tests::ofRoundings(1, bits + 1 / std::numbers::ln2)));
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
        // A power of a quotient, which magnifies the quotient's rounding by at most 1.
        const auto limit = [](double temperature) {
            return tests::ofRoundings(6, temperature, tests::float64);
        };
        VERIFY_AGREES(tests::compare("in the middle", curve.temperatures[30], 1, limit(1)));
        VERIFY_AGREES(tests::compare("last", curve.temperatures.back(), analysis::highestTemperature,
                                     limit(analysis::highestTemperature)));
        QVERIFY(std::ranges::is_sorted(curve.entropies));
        QVERIFY(curve.entropies.back() < curve.even);
        const auto atOne = analysis::entropiesOfRows(scores(), softmaxOf(scores(), 1));
        QCOMPARE(curve.entropies[30], *analysis::meanEntropy(atOne));
    }

    void ofAllHeadsAtOnceEachHasWhatItHasByItself() {
        const auto heads = analysis::headsOf(*run_);
        const auto all = analysis::headsAtTemperature(*run_, heads, 0.4);
        const auto curves = analysis::headsOverTemperature(*run_, heads, 31);
        QCOMPARE(all.size(), heads.size());
        QCOMPARE(curves.size(), heads.size());
        for (std::size_t h = 0; h < heads.size(); ++h) {
            const auto open = scores(heads[h]);
            const auto weights = softmaxOf(open, 0.4);
            const auto entropies = analysis::entropiesOfRows(open, weights);
            QVERIFY(all[h].head == heads[h]);
            QCOMPARE(all[h].allRows, open.scores.rows());
            QCOMPARE(all[h].mean, *analysis::meanEntropy(entropies));
            QCOMPARE(all[h].even, *analysis::evenEntropy(open));
            QVERIFY(all[h].least <= all[h].mean && all[h].mean <= all[h].most);
            QVERIFY(all[h].hard > 0);
            QVERIFY(all[h].hard <= 1 + tests::ofRoundings(1, 1).distance); // the weights are rounded
            QCOMPARE(curves[h].curve.entropies, analysis::entropyOverTemperature(open, 31).entropies);
        }
        const auto cold = analysis::headsAtTemperature(*run_, heads, analysis::lowestTemperature);
        QVERIFY(cold.front().hard > all.front().hard);
    }

    void ofALongMapSomeRowsAreThoseOfTheWholeOne() {
        const auto run = *example::longRuns(2).leftOut;
        const trace::HeadAddress head{{AttentionKind::EncoderSelf, 1}, 3};
        const auto whole = *analysis::openScores(run, head);
        const auto some = *analysis::openScoresOfRows(run, head, 7);
        QCOMPARE(some.scores.rows(), std::size_t(7));
        const auto all = whole.scores.rows();
        const auto& record = *run.record(head.site);
        const auto sizeOf = [&](std::size_t row, std::size_t key) {
            double size = 0;
            for (std::size_t d = 0; d < 8; ++d)
                size +=
                    record.rule->scale * std::abs(double(record.q(3, row, d)) * double(record.k(3, key, d)));
            return size;
        };
        for (std::size_t i = 0; i < 7; ++i) {
            const std::size_t row = (2 * i + 1) * all / 14;
            QCOMPARE(some.padding[i], whole.padding[row]);
            VERIFY_AGREES(
                tests::compare("scores", some.scores.row(i), whole.scores.row(row),
                               [&](std::size_t key) { return 2.0 * tests::ofSum(8 + 1, sizeOf(row, key)); }));
            for (std::size_t key = 0; key < whole.scores.columns(); ++key)
                QCOMPARE(some.open(i, key), whole.open(row, key));
        }
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            analysis::headsAtTemperature(run, analysis::headsOf(run), 1, stopped.get_token()),
            trace::Cancelled);
    }

    void aRowThatIsForcedOrACellThatIsBlockedIsSoAmongSomeRowsToo() {
        const auto changed = std::make_shared<trace::Run>(*run_);
        const auto all = scores().scores.rows();
        const std::size_t row = all / 4; // first of two
        changed->request.interventions = {
            {trace::ForceRow{example::aligningHead, row, trace::RowPattern::Uniform}},
            {trace::BlockCell{example::aligningHead, 3 * all / 4, 2}}};
        const auto some = *analysis::openScoresOfRows(*changed, example::aligningHead, 2);
        QCOMPARE(some.forced.size(), std::size_t(1));
        QCOMPARE(some.forced.front().query, std::size_t(0));
        QVERIFY(!some.open(1, 2));
    }

    void aHeadThatIsNotThereHasNoScores() {
        QVERIFY(!analysis::openScores(*run_, {{AttentionKind::Cross, 9}, 0}));
        QVERIFY(!analysis::openScores(*run_, {{AttentionKind::Cross, 0}, 8}));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, SoftmaxTemperatureTest)
#include "softmax_temperature_test.moc"
