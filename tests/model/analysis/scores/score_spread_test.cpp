#include <QTest>

#include "model/analysis/scores/score_spread.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"

#include <numeric>
#include <random>

using namespace headscope;
using analysis::Initialisation;
using analysis::scoresOnOneAxis;

namespace {

constexpr int width = 64; // d_model
constexpr int tokenCount = 300;
using Rows = std::vector<std::vector<double>>;

/// Independent components of mean 0 and variance 1, [tokens, width].
Rows normal(std::mt19937& random) {
    std::normal_distribution<double> component;
    Rows rows(tokenCount, std::vector<double>(width));
    for (auto& row : rows)
        for (double& value : row)
            value = component(random);
    return rows;
}

/// x times a [width, d_k] matrix, uniform up to `limit`.
Rows projected(const Rows& x, int headWidth, double limit, std::mt19937& random) {
    std::uniform_real_distribution<double> weight(-limit, limit);
    Rows weights(width, std::vector<double>(static_cast<std::size_t>(headWidth)));
    for (auto& row : weights)
        for (double& value : row)
            value = weight(random);
    Rows out(x.size(), std::vector<double>(static_cast<std::size_t>(headWidth)));
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t j = 0; j < out[t].size(); ++j)
                out[t][j] += x[t][i] * weights[i][j];
    return out;
}

/// Variance of q . k over all pairs, using the first `headWidth` components.
double varianceOfProducts(const Rows& q, const Rows& k, int headWidth) {
    double sum = 0, squares = 0;
    for (const auto& query : q)
        for (const auto& key : k) {
            const double dot = std::inner_product(query.begin(), query.begin() + headWidth, key.begin(), 0.0);
            sum += dot;
            squares += dot * dot;
        }
    const double cells = static_cast<double>(q.size() * k.size());
    return squares / cells - sum / cells * (sum / cells);
}

/// The limit of the uniform initialisation.
double limitOf(Initialisation initialisation) {
    switch (initialisation) {
    case Initialisation::Xavier:
        return std::sqrt(6.0 / (2 * width));
    case Initialisation::StackedXavier:
        return std::sqrt(6.0 / (4 * width));
    case Initialisation::TorchLinear:
        return 1 / std::sqrt(double(width));
    }
    return 0;
}

tests::Comparison compareSum(const std::vector<double>& shares) {
    return tests::compare("sum of shares", std::accumulate(shares.begin(), shares.end(), 0.0), 1,
                          tests::ofSum(shares.size() + 1, 1, tests::float64));
}

} // namespace

class ScoreSpreadTest : public QObject {
    Q_OBJECT

    static std::shared_ptr<trace::Run> run(int headWidth = 16, const example::Options& options = {}) {
        auto made = example::run(options);
        auto model = std::make_shared<trace::ModelSummary>(*made->model);
        model->headWidth = headWidth;
        made->model = model;
        return made;
    }

  private Q_SLOTS:
    void independentComponentsHaveTheVarianceOfTheirNumber_data() {
        QTest::addColumn<int>("headWidth");
        for (const int headWidth : {4, 16, 64})
            QTest::addRow("%d", headWidth) << headWidth;
    }
    void independentComponentsHaveTheVarianceOfTheirNumber() {
        QFETCH(const int, headWidth);
        std::mt19937 random(7);
        const double variance = varianceOfProducts(normal(random), normal(random), headWidth);
        // The sum over components of the products of both second moments, each of which is off by a deviation
        // of sqrt(2 / n) and, for two components, sqrt(1 / n).
        const double deviation = headWidth * std::sqrt(4.0 / headWidth + 1.0 / tokenCount);
        VERIFY_AGREES(tests::compare("variance", variance, headWidth, tests::ofDraws(tokenCount, deviation)));
    }

    void initialisationsDecideTheVarianceAtFirst_data() {
        QTest::addColumn<int>("initialisation");
        QTest::addColumn<int>("headWidth");
        for (const auto initialisation : analysis::initialisations)
            for (const int headWidth : {8, 32})
                QTest::addRow("%d, %d", static_cast<int>(initialisation), headWidth)
                    << static_cast<int>(initialisation) << headWidth;
    }
    void initialisationsDecideTheVarianceAtFirst() {
        QFETCH(const int, initialisation);
        QFETCH(const int, headWidth);
        const auto which = static_cast<Initialisation>(initialisation);
        std::mt19937 random(3);
        std::vector<double> variances;
        constexpr std::size_t draws = 12;
        for (std::size_t draw = 0; draw < draws; ++draw) {
            const auto x = normal(random);
            const auto y = normal(random);
            const auto q = projected(x, headWidth, limitOf(which), random);
            const auto k = projected(y, headWidth, limitOf(which), random);
            variances.push_back(varianceOfProducts(q, k, headWidth));
        }
        const double mean = std::accumulate(variances.begin(), variances.end(), 0.0) / draws;
        double squares = 0;
        for (const double variance : variances)
            squares += (variance - mean) * (variance - mean);
        VERIFY_AGREES(tests::compare("variance", mean, analysis::varianceAtFirst(which, headWidth),
                                     tests::ofDraws(draws, std::sqrt(squares / (draws - 1)))));
    }

    void theVarianceGrowsWithTheSquareOfTheFactor() {
        const auto both = scoresOnOneAxis(*run(16), {example::aligningHead}, 20);
        QCOMPARE(both.factor, 0.25);
        // The factor is a power of two.
        VERIFY_AGREES(tests::compare("variance", both.ofProducts.variance, 16 * both.ofScaled.variance,
                                     tests::exact()));
        VERIFY_AGREES(tests::compare("mean", both.ofProducts.mean, 4 * both.ofScaled.mean, tests::exact()));
        QCOMPARE(both.ofScaled.cells, run()->cross[2].mask.values().size());
    }

    void bothAreCountedInTheSameBins() {
        const auto both = scoresOnOneAxis(*run(16), {example::aligningHead}, 20);
        for (const auto* shares : {&both.scaled, &both.products}) {
            QCOMPARE(shares->size(), std::size_t(20));
            VERIFY_AGREES(compareSum(*shares));
        }
        QVERIFY(both.products.front() > 0); // the wider distribution reaches the ends
        QCOMPARE(both.scaled.front(), 0.0);
    }

    void aTemperatureDividesTheScoresOnTheSameAxis() {
        const auto head = std::vector{example::aligningHead};
        const auto trained = scoresOnOneAxis(*run(16), head, 20);
        QCOMPARE(trained.divided, trained.scaled);
        // The temperature 1/sqrt(d_k) cancels the factor.
        const auto unscaled = scoresOnOneAxis(*run(16), head, 20, {}, 0.25);
        QCOMPARE(unscaled.divided, unscaled.products);
        QCOMPARE(unscaled.scaled, trained.scaled);
        const auto sharp = scoresOnOneAxis(*run(16), head, 20, {}, 0.05);
        // 0.05 is rounded, too.
        const double mean = 20 * trained.ofScaled.mean, variance = 400 * trained.ofScaled.variance;
        VERIFY_AGREES(tests::compare("mean", sharp.ofDivided.mean, mean,
                                     tests::ofRoundings(3, std::abs(mean), tests::float64)));
        VERIFY_AGREES(tests::compare("variance", sharp.ofDivided.variance, variance,
                                     tests::ofRoundings(5, variance, tests::float64)));
        QCOMPARE(sharp.highest, trained.ofScaled.highest / 0.05); // the divided scores reach the ends
        QVERIFY(sharp.divided.back() > 0);
        for (const auto* shares : {&sharp.scaled, &sharp.products, &sharp.divided})
            VERIFY_AGREES(compareSum(*shares));
    }

    void whatIsKnownAtAnotherTemperatureIsNotMeasuredAgain() {
        const auto heads = analysis::headsOf(*run());
        const auto before = scoresOnOneAxis(*run(), heads, 20, {}, 3);
        const auto again = scoresOnOneAxis(*run(), heads, 20, {}, 0.1, before);
        const auto afresh = scoresOnOneAxis(*run(), heads, 20, {}, 0.1);
        QCOMPARE(again.divided, afresh.divided);
        QCOMPARE(again.scaled, afresh.scaled);
        QCOMPARE(again.products, afresh.products);
        QVERIFY(again.ofDivided == afresh.ofDivided);
    }

    void everyHeadsScoresStandBesideItsProducts() {
        for (const auto& spread : tests::some(analysis::spreadOfHeads(*run(16))))
            VERIFY_AGREES(tests::compare("variance", spread.products.variance, 16 * spread.scores.variance,
                                         tests::exact()));
    }

    void allHeadsTogetherHaveAllTheirCells() {
        const auto run = this->run();
        const auto heads = analysis::headsOf(*run);
        QCOMPARE(heads.size(), std::size_t(72));
        const auto spreads = analysis::spreadOfHeads(*run);
        QCOMPARE(spreads.size(), heads.size());
        std::size_t cells = 0;
        for (const auto& spread : spreads)
            cells += spread.products.cells;
        QCOMPARE(scoresOnOneAxis(*run, heads, 10).ofScaled.cells, cells);
    }

    void closedCellsAndPaddingDoNotCount() {
        const auto causal = scoresOnOneAxis(*run(), {{{trace::AttentionKind::DecoderSelf, 0}, 0}}, 5);
        QCOMPARE(causal.ofScaled.cells, std::size_t(12 * 13 / 2));
        const auto padded = run(16, {.sourcePadding = 2});
        const auto encoder = scoresOnOneAxis(*padded, {{{trace::AttentionKind::EncoderSelf, 0}, 0}}, 5);
        QCOMPARE(encoder.ofScaled.cells, std::size_t(11 * 11));
    }

    void scoresTimesNothingHaveNoProducts() {
        const auto changed = run();
        changed->request.interventions = {{trace::ScaleScores{0.0}}};
        QCOMPARE(scoresOnOneAxis(*changed, {example::aligningHead}, 5).ofScaled.cells, std::size_t(0));
        QVERIFY(analysis::spreadOfHeads(*changed).empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ScoreSpreadTest)
#include "score_spread_test.moc"
