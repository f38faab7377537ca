#include <QTest>

#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;

/// Statistics of the actual scores of a trained model.
class HeadScoresTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;
    trace::Request request_;

    /// Compares the softmax of a head's scores with the weights of a run.
    static tests::Comparison compare(const trace::Run& scores, const trace::Run& run,
                                     const trace::HeadAddress& head, double temperature = 1) {
        const auto weights = analysis::softmaxOf(*analysis::openScores(scores, head), temperature);
        const auto& record = *run.record(head.site);
        const auto of = static_cast<std::size_t>(head.head);
        const double largest = tests::largestSize(scores.record(head.site)->scores.values()) / temperature;
        return tests::compare(
            "weights of " + toString(head), weights.values(),
            record.weights.values().subspan(of * weights.values().size(), weights.values().size()),
            2 * tests::ofSoftmax(record.keys(), largest));
    }

  private Q_SLOTS:
    void initTestCase() {
        engine_ = engines::with(engines::trained);
        request_.source = std::string("The old man gave his daughter a red book.");
        request_.recording.projections = true;
    }

    void theirSoftmaxIsTheRunsWeights() {
        const auto plain = engine_->of(request_, trace::RunWhat());
        for (const auto& head : tests::some(analysis::headsOf(*plain)))
            VERIFY_AGREES(compare(*plain, *plain, head));
        auto changed = request_;
        changed.interventions = {{trace::BlockCell{{{trace::AttentionKind::Cross, 2}, 5}, 1, 1}},
                                 {trace::SoftmaxTemperature{.temperature = 0.5}}};
        const auto run = engine_->of(changed, trace::RunWhat());
        for (const auto& head : tests::some(analysis::headsOf(*run)))
            VERIFY_AGREES(compare(*run, *run, head));
    }

    void aTemperatureOfOneHeadIsThatOfTheModelWhereNothingComesBefore() {
        auto changed = request_;
        changed.interventions = {{trace::SoftmaxTemperature{.temperature = 0.25}}};
        const auto before = engine_->of(request_, trace::RunWhat());
        const auto after = engine_->of(changed, trace::RunWhat());
        for (int head = 0; head < 8; ++head) {
            const trace::HeadAddress first{{trace::AttentionKind::EncoderSelf, 0}, head};
            VERIFY_AGREES(compare(*before, *after, first, 0.25));
        }
    }

    void theProductsAreThoseOfQueriesAndKeys() {
        const auto run = engine_->of(request_, trace::RunWhat());
        for (const auto& spread : tests::some(analysis::spreadOfHeads(*run))) {
            const auto* record = run->record(spread.head.site);
            const auto head = static_cast<std::size_t>(spread.head.head);
            const auto q = record->q.head(head);
            const auto k = record->k.head(head);
            double cells = 0, sum = 0, squares = 0, largest = 0;
            for (std::size_t row = 0; row < q.rows(); ++row)
                for (std::size_t key = 0; key < k.rows(); ++key)
                    if (record->mask(row, key)) {
                        double dot = 0;
                        for (std::size_t i = 0; i < q.columns(); ++i)
                            dot += double(q(row, i)) * double(k(key, i));
                        ++cells;
                        sum += dot;
                        squares += dot * dot;
                        largest = std::max(largest, std::abs(dot));
                    }
            const double mean = sum / cells;
            const double variance = squares / cells - mean * mean;
            QCOMPARE(double(spread.products.cells), cells);
            // They are read off the run's scores, each the product times the scale in float32.
            const auto product = recordings::Precision::of("tatoeba-en-de").twoOfOurs("scores", largest);
            VERIFY_AGREES(tests::compare("mean", spread.products.mean, mean, product));
            VERIFY_AGREES(
                tests::compare("variance", spread.products.variance, variance, 2 * largest * product));
        }
    }

    /// The projections have the twin's initialisation and their inputs come from a norm.
    void aRandomTwinsVarianceIsNearTheLaw() {
        auto twin = request_;
        twin.randomTwin = 1;
        const auto run = engine_->of(twin, trace::RunWhat());
        double mean = 0;
        int heads = 0;
        for (const auto& spread : analysis::spreadOfHeads(*run))
            if (spread.head.site == trace::AttentionSite{trace::AttentionKind::EncoderSelf, 0}) {
                mean += spread.products.variance;
                ++heads;
            }
        mean /= heads;
        const double law = analysis::varianceAtFirst(analysis::Initialisation::Xavier, run->model->headWidth);
        QVERIFY2(mean > 0.6 * law && mean < 1.4 * law, qPrintable(QString::number(mean / law)));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, HeadScoresTest)
#include "head_scores_test.moc"
