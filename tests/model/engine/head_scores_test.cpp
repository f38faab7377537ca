#include <QTest>

#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;

/// Statistics of the actual scores of a trained model.
class HeadScoresTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;
    trace::Request request_;

    /// The largest difference between the softmax of the run's scores and its weights.
    static double distance(const trace::Run& run, double temperature = 1) {
        double largest = 0;
        for (const auto& head : analysis::headsOf(run)) {
            const auto weights = analysis::softmaxOf(*analysis::openScores(run, head), temperature);
            const auto shown = run.record(head.site)->weights.head(static_cast<std::size_t>(head.head));
            for (std::size_t row = 0; row < weights.rows(); ++row)
                for (std::size_t key = 0; key < weights.columns(); ++key)
                    largest =
                        std::max(largest, std::abs(double(weights(row, key)) - double(shown(row, key))));
        }
        return largest;
    }

  private Q_SLOTS:
    void initTestCase() {
        engine_ = engines::with(engines::trained);
        request_.source = std::string("The old man gave his daughter a red book.");
        request_.recording.projections = true;
    }

    void theirSoftmaxIsTheRunsWeights() {
        QVERIFY(distance(*engine_->run(request_, {}, {})) < 1e-6);
        auto changed = request_;
        changed.interventions = {{trace::BlockCell{{{trace::AttentionKind::Cross, 2}, 5}, 1, 1}},
                                 {trace::SoftmaxTemperature{.temperature = 0.5}}};
        QVERIFY(distance(*engine_->run(changed, {}, {})) < 1e-6);
    }

    void aTemperatureOfOneHeadIsThatOfTheModelWhereNothingComesBefore() {
        auto changed = request_;
        changed.interventions = {{trace::SoftmaxTemperature{.temperature = 0.25}}};
        const auto before = engine_->run(request_, {}, {});
        const auto after = engine_->run(changed, {}, {});
        for (int head = 0; head < 8; ++head) {
            const trace::HeadAddress first{{trace::AttentionKind::EncoderSelf, 0}, head};
            const auto weights = analysis::softmaxOf(*analysis::openScores(*before, first), 0.25);
            const auto shown = after->encoder.front().weights.head(static_cast<std::size_t>(head));
            for (std::size_t row = 0; row < weights.rows(); ++row)
                for (std::size_t key = 0; key < weights.columns(); ++key)
                    QVERIFY(std::abs(weights(row, key) - shown(row, key)) < 1e-5F);
        }
    }

    void theProductsAreThoseOfQueriesAndKeys() {
        const auto run = engine_->run(request_, {}, {});
        for (const auto& spread : analysis::spreadOfHeads(*run)) {
            const auto* record = run->record(spread.head.site);
            const auto head = static_cast<std::size_t>(spread.head.head);
            const auto q = record->q.head(head);
            const auto k = record->k.head(head);
            double cells = 0, sum = 0, squares = 0;
            for (std::size_t row = 0; row < q.rows(); ++row)
                for (std::size_t key = 0; key < k.rows(); ++key)
                    if (record->mask(row, key)) {
                        double dot = 0;
                        for (std::size_t i = 0; i < q.columns(); ++i)
                            dot += double(q(row, i)) * double(k(key, i));
                        ++cells;
                        sum += dot;
                        squares += dot * dot;
                    }
            const double mean = sum / cells;
            const double variance = squares / cells - mean * mean;
            QCOMPARE(double(spread.products.cells), cells);
            QVERIFY(std::abs(spread.products.mean - mean) < 1e-4 * (1 + std::abs(mean)));
            QVERIFY(std::abs(spread.products.variance - variance) < 1e-4 * variance);
        }
    }

    /// The projections have the twin's initialisation and their inputs come from a norm.
    void aRandomTwinsVarianceIsNearTheLaw() {
        auto twin = request_;
        twin.randomTwin = 1;
        const auto run = engine_->run(twin, {}, {});
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
