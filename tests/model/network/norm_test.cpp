#include <QTest>

#include "model/network/sublayer.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope::network;
using random_network::difference;

namespace {

/// A norm over four dimensions with gains 1, 2, 1, 1 and, where the kind has one, bias 0, 0, 10, 0.
Norm normOf(NormKind kind, double epsilon) {
    NetworkConfig config{.modelWidth = 4, .normKind = kind, .normEpsilon = epsilon};
    ParameterList list;
    Norm norm(list, "norm", config);
    list.parameters()[0].tensor.copy_(at::tensor({1.f, 2.f, 1.f, 1.f}));
    if (list.parameters().size() > 1)
        list.parameters()[1].tensor.copy_(at::tensor({0.f, 0.f, 10.f, 0.f}));
    return norm;
}

// Mean 3, differences -2, -1, 1, 2: squares sum to 10.
at::Tensor input() {
    return at::tensor({1.f, 2.f, 4.f, 5.f});
}

at::Tensor expected(double divisor) {
    return at::tensor({-2 / divisor, 2 * -1 / divisor, 10 + 1 / divisor, 2 / divisor}).to(at::kFloat);
}

} // namespace

class NormTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void layerNormDividesByTheBiasedDeviation() {
        const auto y = normOf(NormKind::LayerNorm, 0.5)(input());
        QVERIFY(difference(y, expected(std::sqrt(10 / 4. + 0.5))) < 1e-6);
    }

    void theAnnotatedNormDividesByTheUnbiasedDeviationPlusEpsilon() {
        const auto y = normOf(NormKind::AnnotatedLayerNorm, 0.5)(input());
        QVERIFY(difference(y, expected(std::sqrt(10 / 3.) + 0.5)) < 1e-6);
    }

    void rootMeanSquareHasNoMeanAndNoBias() {
        const auto y = normOf(NormKind::RootMeanSquare, 0.5)(input());
        const double divisor = std::sqrt((1 + 4 + 16 + 25) / 4. + 0.5);
        const auto wanted =
            at::tensor({1 / divisor, 2 * 2 / divisor, 4 / divisor, 5 / divisor}).to(at::kFloat);
        QVERIFY(difference(y, wanted) < 1e-6);
    }

    void rowsAreNormalisedEachForItself() {
        for (const auto kind :
             {NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare}) {
            const auto norm = normOf(kind, 1e-6);
            const auto both = at::stack({input(), input() * -3 + 1});
            QVERIFY(difference(norm(both)[1], norm(both[1])) < 1e-6);
        }
    }

    void theSchemesPutTheNormWhereTheySay() {
        const auto norm = normOf(NormKind::LayerNorm, 1e-5);
        const auto f = [](const at::Tensor& x) { return x * x + 1; };
        const auto x = input();
        const auto y = norm(x);
        QVERIFY(difference(addSublayer(NormScheme::Sandwich, norm, &norm, x, 1, nullptr, f),
                           x + norm(f(y))) == 0);
        QVERIFY(difference(addSublayer(NormScheme::Pre, norm, &norm, x, 1, nullptr, f), x + f(y)) == 0);
        QVERIFY(difference(addSublayer(NormScheme::Post, norm, &norm, x, 1, nullptr, f), norm(x + f(x))) ==
                0);
        QVERIFY(difference(addSublayer(NormScheme::PreNormedResidual, norm, &norm, x, 1, nullptr, f),
                           y + f(y)) == 0);
        QVERIFY(difference(addSublayer(NormScheme::SublayerOutput, norm, &norm, x, 1, nullptr, f),
                           x + norm(f(x))) == 0);
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
                QVERIFY(difference(results[a], results[b]) > 0.1);
    }
};

HEADSCOPE_TEST(NormTest)
#include "norm_test.moc"
