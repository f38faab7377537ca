#include "model/training/flat_parameters.h"
#include "tests/compared_numbers.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

#include <ATen/ATen.h>

#include <cmath>

using namespace headscope::network;
using namespace headscope::training;
namespace tests = headscope::tests;

namespace {

/// Standard deviation of the source embedding.
double embeddingDeviation(const NetworkConfig& config) {
    const Transformer network(config);
    const FlatParameters parameters(network);
    auto flat = at::zeros({parameters.size()});
    initialise(parameters, flat, config, 1);
    return parameters.at("source_embedding.weight").of(flat).std().item<double>();
}

/// The deviation of n normal numbers is itself off by a deviation of 1 / sqrt(2 n).
tests::Comparison compareDeviation(const NetworkConfig& config, double wanted) {
    const auto numbers = static_cast<std::size_t>(config.sourceVocabulary * config.modelWidth);
    return tests::compare("deviation", embeddingDeviation(config), wanted,
                          tests::ofDraws(2 * numbers, wanted));
}

NetworkConfig wideEnough() {
    auto config = random_network::smallConfig();
    config.sourceVocabulary = 200;
    return config;
}

} // namespace

class FlatParametersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void embeddingsBeginAsLongAsPositionsAre() {
        auto config = wideEnough();
        const double narrow = 1 / std::sqrt(static_cast<double>(config.modelWidth));
        config.embeddingScale = std::sqrt(static_cast<double>(config.modelWidth));
        VERIFY_AGREES(compareDeviation(config, narrow));
        config.embeddingScale = 1;
        config.tiedGenerator = false;
        VERIFY_AGREES(compareDeviation(config, 1));
    }

    void embeddingsThatGenerateBeginNarrow() {
        auto config = wideEnough();
        config.targetVocabulary = config.sourceVocabulary;
        config.tiedSourceTarget = config.tiedGenerator = true;
        config.embeddingScale = 1;
        VERIFY_AGREES(compareDeviation(config, 1 / std::sqrt(static_cast<double>(config.modelWidth))));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, FlatParametersTest)
#include "flat_parameters_test.moc"
