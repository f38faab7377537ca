#include <QTest>

#include "model/network/sublayer.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope::network;
namespace tests = headscope::tests;

namespace {

/// A norm over four dimensions with gains 1, 2, 1, 1 and, where the kind has one, bias 0, 0, 10, 0.
Norm normOf(NormKind kind, double epsilon) {
    NetworkConfig config{.encoder = {.normEpsilon = epsilon}, .modelWidth = 4, .normKind = kind};
    ParameterList list;
    Norm norm(list, "norm", config, config.encoder);
    list.parameters()[0].tensor.copy_(at::tensor({1.f, 2.f, 1.f, 1.f}));
    if (list.parameters().size() > 1)
        list.parameters()[1].tensor.copy_(at::tensor({0.f, 0.f, 10.f, 0.f}));
    return norm;
}

// Mean 3, differences -2, -1, 1, 2: squares sum to 10.
at::Tensor input() {
    return at::tensor({1.f, 2.f, 4.f, 5.f});
}

/// Its norm of a kind, with the limits of `normOf`.
tests::Bounded bounded(NormKind kind, double epsilon, const at::Tensor& x) {
    return tests::norm(tests::Bounded(x), kind, epsilon, at::tensor({1.f, 2.f, 1.f, 1.f}),
                       kind == NormKind::RootMeanSquare ? at::Tensor() : at::tensor({0.f, 0.f, 10.f, 0.f}));
}

/// Compares the norm of the input with numbers that were found by hand.
tests::Comparison compareWith(std::vector<double> byHand, NormKind kind, double epsilon) {
    const auto limits = bounded(kind, epsilon, input());
    const auto expected = at::tensor(byHand, at::kDouble);
    return tests::compare("norm", normOf(kind, epsilon)(input()), limits.with(expected, limits.error));
}

std::vector<double> expected(double divisor) {
    return {-2 / divisor, 2 * -1 / divisor, 10 + 1 / divisor, 2 / divisor};
}

} // namespace

class NormTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void layerNormDividesByTheBiasedDeviation() {
        VERIFY_AGREES(compareWith(expected(std::sqrt(10 / 4. + 0.5)), NormKind::LayerNorm, 0.5));
    }

    void theAnnotatedNormDividesByTheUnbiasedDeviationPlusEpsilon() {
        VERIFY_AGREES(compareWith(expected(std::sqrt(10 / 3.) + 0.5), NormKind::AnnotatedLayerNorm, 0.5));
    }

    void rootMeanSquareHasNoMeanAndNoBias() {
        const double divisor = std::sqrt((1 + 4 + 16 + 25) / 4. + 0.5);
        VERIFY_AGREES(compareWith({1 / divisor, 2 * 2 / divisor, 4 / divisor, 5 / divisor},
                                  NormKind::RootMeanSquare, 0.5));
    }

    void rowsAreNormalisedEachForItself() {
        for (const auto kind :
             {NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare}) {
            const auto norm = normOf(kind, 1e-6);
            const auto both = at::stack({input(), input() * -3 + 1});
            VERIFY_AGREES(tests::compare("second row", norm(both)[1], bounded(kind, 1e-6, both[1])));
        }
    }

    void theSchemesPutTheNormWhereTheySay() {
        const auto norm = normOf(NormKind::LayerNorm, 1e-5);
        const auto f = [](const at::Tensor& x) { return x * x + 1; };
        const auto x = input();
        const auto y = norm(x);
        QVERIFY(at::equal(addSublayer(NormScheme::Sandwich, norm, &norm, x, 1, nullptr, f), x + norm(f(y))));
        QVERIFY(at::equal(addSublayer(NormScheme::Pre, norm, &norm, x, 1, nullptr, f), x + f(y)));
        QVERIFY(at::equal(addSublayer(NormScheme::Post, norm, &norm, x, 1, nullptr, f), norm(x + f(x))));
        QVERIFY(
            at::equal(addSublayer(NormScheme::PreNormedResidual, norm, &norm, x, 1, nullptr, f), y + f(y)));
        QVERIFY(at::equal(addSublayer(NormScheme::SublayerOutput, norm, &norm, x, 1, nullptr, f),
                          x + norm(f(x))));
    }

    void allSchemesDiffer() {
        const auto norm = normOf(NormKind::LayerNorm, 1e-5);
        const auto f = [](const at::Tensor& x) { return x * x + 1; };
        std::vector<at::Tensor> results;
        for (const auto scheme :
             {NormScheme::Pre, NormScheme::Post, NormScheme::PreNormedResidual, NormScheme::SublayerOutput})
            results.push_back(addSublayer(scheme, norm, &norm, input(), 1, nullptr, f));
        for (std::size_t a = 0; a < results.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(tests::largestSize(results[a] - results[b]) > 0.1);
    }
};

HEADSCOPE_TEST(NormTest)
#include "norm_test.moc"
