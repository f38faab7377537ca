#include "model/files/atomic_file.h"
#include "model/network/workers.h"
#include "model/text/word_tokenizer.h"
#include "model/trace/refusal.h"
#include "model/training/encoded_corpus.h"
#include "model/training/operations.h"
#include "model/training/training_network.h"
#include "model/training/training_step.h"
#include "tests/model/network/plain_network.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTemporaryDir>
#include <QTest>

#include <ATen/ATen.h>

using namespace headscope::network;
using namespace headscope::training;
using random_network::allOpen;
namespace tests = headscope::tests;

namespace {

const LossOptions smoothing{.smoothing = 0.1};

/// A network with random parameters and everything needed to train it.
struct Trained {
    NetworkConfig config;
    Transformer network;
    FlatParameters parameters;
    at::Tensor flat;
    TrainingNetwork training;

    explicit Trained(const NetworkConfig& wanted, bool causal = true)
        : config(wanted), network(wanted), parameters(network), flat(at::zeros({parameters.size()})),
          training(wanted, parameters, causal) {
        random_network::fill(network.parameters());
        parameters.read(network, flat);
    }

    double lossAt(const at::Tensor& values, const PackedBatch& batch, const DropoutSource& dropout) const {
        Operations operations(values, {}, dropout);
        return training.loss(operations, batch, smoothing).smoothed;
    }
    at::Tensor gradients(const PackedBatch& batch, const DropoutSource& dropout) const {
        const auto gradients = at::zeros_like(flat);
        Operations operations(flat, gradients, dropout);
        training.loss(operations, batch, smoothing);
        return gradients;
    }
};

void add(PackedBatch& batch, const std::vector<std::int64_t>& source,
         const std::vector<std::int64_t>& target) {
    batch.source.add(source);
    batch.fed.add(std::span(target).first(target.size() - 1));
    batch.wanted.insert(batch.wanted.end(), target.begin() + 1, target.end());
}

PackedBatch someBatch() {
    PackedBatch batch;
    add(batch, {5, 6, 7, 8, 3}, {2, 4, 5, 6, 7, 8, 3});
    add(batch, {9, 3}, {2, 9, 3});
    add(batch, {4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 5, 6, 7, 8, 3}, {2, 10, 9, 8, 3});
    return batch;
}

std::vector<NetworkConfig> variations() {
    std::vector<NetworkConfig> configs;
    for (const auto scheme :
         {NormScheme::Pre, NormScheme::Post, NormScheme::PreNormedResidual, NormScheme::SublayerOutput})
        for (const auto kind :
             {NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare}) {
            auto config = random_network::smallConfig();
            config.encoder.normScheme = config.decoder.normScheme = scheme;
            config.normKind = kind;
            config.encoder.embeddingNorm = config.decoder.embeddingNorm = kind == NormKind::LayerNorm;
            config.encoder.activation = config.decoder.activation =
                static_cast<Activation>(configs.size() % 4);
            config.encoder.finalNorm = config.decoder.finalNorm = scheme != NormScheme::Post;
            config.positions = static_cast<PositionScheme>((configs.size() + 1) % 4);
            config.tiedGenerator = kind != NormKind::LayerNorm;
            config.biases.queryKeyValue = scheme != NormScheme::Pre;
            config.biases.generator = kind != NormKind::RootMeanSquare;
            configs.push_back(config);
        }
    auto tied = random_network::smallConfig();
    tied.targetVocabulary = tied.sourceVocabulary;
    tied.tiedSourceTarget = tied.tiedGenerator = true;
    configs.push_back(tied);
    auto later = random_network::smallConfig();
    later.positions = PositionScheme::Table;
    later.firstPosition = 2;
    configs.push_back(later);
    return configs;
}

/// We may be four times as far from gradients as PyTorch's float32 is in any of the variations, by their
/// size.
tests::Limit ofGradients(const at::Tensor& expected) {
    static const double share = [] {
        double largest = 0;
        for (const auto& config : variations()) {
            const Trained model(config);
            const PlainNetwork plain(model.network);
            const auto batch = someBatch();
            largest = std::max(largest, plain.limitOfGradients(batch, smoothing).distance /
                                            tests::largestSize(plain.step(batch, smoothing).gradients));
        }
        return largest;
    }();
    const double size = tests::largestSize(expected);
    return {share * size, "4 x PyTorch's float32 in gradients of all variations (" +
                              tests::inWords(share / 4) + " of the size, " + tests::inWords(size) + ")"};
}

/// The network's own predictions, row by row.
at::Tensor answersOf(const Trained& model, const PackedBatch& batch) {
    std::vector<at::Tensor> rows;
    const auto sentence = [](const PackedSentences& packed, std::size_t s) {
        return at::tensor(std::vector<std::int64_t>(packed.ids.begin() + packed.begin[s],
                                                    packed.ids.begin() + packed.begin[s + 1]),
                          at::kLong);
    };
    for (std::size_t s = 0; s < batch.source.sentences(); ++s) {
        const auto source = sentence(batch.source, s);
        const auto memory =
            model.network.encode(model.network.sourceEmbedding()(source, 0), allOpen(source), {});
        if (model.config.decoder.layers == 0) {
            rows.push_back(model.network.classLogProbabilities(memory).unsqueeze(0));
            continue;
        }
        auto state = model.network.startDecoding(memory, allOpen(source), 1);
        const auto fed = sentence(batch.fed, s);
        rows.push_back(model.network.logProbabilities(model.network.decode(fed, allOpen(fed), state, {})));
    }
    return at::cat(rows);
}

NetworkConfig classifier() {
    auto config = random_network::smallConfig();
    config.decoder.layers = 0;
    config.decoder.heads = 0;
    config.targetVocabulary = 0;
    config.classes = 3;
    return config;
}

PackedBatch labelledBatch() {
    PackedBatch batch;
    batch.source.add(std::vector<std::int64_t>{5, 6, 7});
    batch.source.add(std::vector<std::int64_t>{8, 9, 10, 4, 5});
    batch.wanted = {2, 0};
    return batch;
}

} // namespace

class TrainingNetworkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// A loss of anything else would be that of another network.
    void onlyNetworksThatAreComputedAsTheyAreAreTaken() {
        const auto usual = random_network::smallConfig();
        QVERIFY(TrainingNetwork::computes(usual));
        auto alone = usual;
        alone.encoder = {};
        QVERIFY(!TrainingNetwork::computes(alone));
        auto gated = usual;
        gated.feedForwardGate = true;
        QVERIFY(!TrainingNetwork::computes(gated));
    }

    void whatIsTrainedIsWhatIsShown() {
        for (const auto& config : variations()) {
            const Trained model(config);
            const auto batch = someBatch();
            Operations operations(model.flat, {}, {});
            const auto answers = model.training.answers(operations, batch);
            const PlainNetwork plain(model.network);
            const auto expected = plain.logProbabilities(batch);
            const auto limit = plain.limit(batch);
            VERIFY_AGREES(tests::compare("log-probabilities of what is trained",
                                         model.network.logProbabilities(answers), expected, limit));
            VERIFY_AGREES(tests::compare("log-probabilities of what is shown", answersOf(model, batch),
                                         expected, limit));
        }
    }

    void aWeightThatIsAThousandthLargerShows() {
        for (const auto& config : variations()) {
            const Trained model(config);
            const auto batch = someBatch();
            const PlainNetwork plain(model.network);
            const auto expected = plain.step(batch, smoothing);
            // The weight of a head that matters most to the loss.
            const auto effects = expected.gradients * model.flat;
            std::int64_t where = 0;
            for (const auto& [role, slice] : model.parameters.slices())
                if (role.ends_with(".value.weight"))
                    if (const auto at = slice.begin + slice.of(effects).abs().argmax().item<std::int64_t>();
                        where == 0 ||
                        std::abs(effects[at].item<double>()) > std::abs(effects[where].item<double>()))
                        where = at;
            model.flat[where] *= 1.001;
            model.parameters.write(model.flat, model.network);
            QVERIFY(!tests::compare("log-probabilities", answersOf(model, batch),
                                    plain.logProbabilities(batch), plain.limit(batch)));
            QVERIFY(!tests::compare("loss", model.lossAt(model.flat, batch, {}), expected.sums.smoothed,
                                    plain.limitOfLoss(batch)));
            QVERIFY(!tests::compare("gradients", model.gradients(batch, {}), expected.gradients,
                                    ofGradients(expected.gradients)));
        }
    }

    void positionsWithinAttentionAreRefused() {
        for (const auto scheme : {PositionScheme::RelativeBuckets, PositionScheme::Rotary}) {
            auto config = random_network::smallConfig();
            config.positions = scheme;
            QVERIFY_EXCEPTION_THROWN(Trained{config}, headscope::trace::Refusal);
        }
    }

    void idsAndPlacesWithoutParametersAreRefused() {
        const Trained model(random_network::smallConfig());
        const auto refuses = [&](const std::vector<std::int64_t>& source,
                                 const std::vector<std::int64_t>& target) {
            PackedBatch batch;
            add(batch, source, target);
            try {
                model.lossAt(model.flat, batch, {});
            } catch (const headscope::trace::Refusal&) {
                return true;
            }
            return false;
        };
        QVERIFY(!refuses({16, 3}, {2, 22, 3}));
        QVERIFY(refuses({17, 3}, {2, 22, 3}));
        QVERIFY(refuses({16, 3}, {2, 23}));
        QVERIFY(refuses({16, 3}, {-1, 3}));
        QVERIFY(refuses(std::vector<std::int64_t>(41, 3), {2, 3}));
    }

    void theLossIsThatOfTheNetworksLogProbabilities() {
        const Trained model(variations().back());
        const auto batch = someBatch();
        Operations operations(model.flat, {}, {});
        const auto sums = model.training.loss(operations, batch, smoothing);
        const PlainNetwork reference(model.network);
        const auto rows = reference.logProbabilities(batch);
        const auto plain =
            -rows.gather(1, at::tensor(batch.wanted, at::kLong).unsqueeze(1)).sum().item<double>();
        const auto smoothed = 0.9 * plain - 0.1 * rows.mean(1).sum().item<double>();
        QCOMPARE(sums.answers, batch.wanted.size());
        VERIFY_AGREES(tests::compare("loss", sums.plain, plain, reference.limitOfLoss(batch)));
        VERIFY_AGREES(tests::compare("smoothed loss", sums.smoothed, smoothed, reference.limitOfLoss(batch)));
    }

    void theLossOfACorpusIsTheSumOverAllOfItsSentences() {
        const QTemporaryDir folder;
        const auto words = folder.filePath("words.txt").toStdString();
        headscope::files::saveAtomically(words, std::string_view("<pad>\n<unk>\n<s>\n</s>\na\nb\nc\nd\n"));
        const auto tokenizer = headscope::text::openWordTokenizer({.source = words, .unknown = 1});
        const Framing framing{
            .sourceSuffix = {3}, .start = 2, .end = 3, .longestSource = 9, .longestTarget = 9};
        std::vector<headscope::corpus::TextPair> pairs{
            {"a b", "c"}, {"d", "d c b a"}, {"b", "a b"}, {"c c c", "b"}};
        const auto corpus = EncodedCorpus::ofPairs(pairs, *tokenizer, framing, {});
        const Trained model(random_network::smallConfig());
        Workers workers(2);
        LossSums expected;
        PackedBatch all;
        add(all, {4, 5, 3}, {2, 6, 3});
        add(all, {7, 3}, {2, 7, 6, 5, 4, 3});
        add(all, {5, 3}, {2, 4, 5, 3});
        add(all, {6, 6, 6, 3}, {2, 5, 3});
        Operations operations(model.flat, {}, {});
        expected += model.training.loss(operations, all, {});
        const auto sums = measureLosses(model.training, corpus, model.flat, workers, {});
        QCOMPARE(sums.answers, std::size_t(2 + 5 + 3 + 2));
        QCOMPARE(sums.right, expected.right);
        const PlainNetwork plain(model.network);
        VERIFY_AGREES(
            tests::compare("loss", sums.plain, plain.step(all, {}).sums.plain, plain.limitOfLoss(all)));
        std::ranges::reverse(pairs);
        const auto backwards = EncodedCorpus::ofPairs(pairs, *tokenizer, framing, {});
        QCOMPARE(measureLosses(model.training, backwards, model.flat, workers, {}).plain, sums.plain);
    }

    void gradientsOfManySentencesAreTheSumOverEach() {
        for (const bool causal : {true, false})
            for (const auto& config : variations()) {
                const Trained model(config, causal);
                const auto batch = someBatch();
                const PlainNetwork plain(model.network, causal);
                const auto expected = plain.step(batch, smoothing);
                VERIFY_AGREES(tests::compare("gradients", model.gradients(batch, {}), expected.gradients,
                                             ofGradients(expected.gradients)));
                VERIFY_AGREES(tests::compare("loss", model.lossAt(model.flat, batch, {}),
                                             expected.sums.smoothed, plain.limitOfLoss(batch)));
            }
    }

    void aClassifiersGradientsToo() {
        const Trained model(classifier());
        const auto batch = labelledBatch();
        Operations operations(model.flat, {}, {});
        const auto answers = model.training.answers(operations, batch);
        const auto own = at::linear(answers, model.parameters.at("classifier.weight").of(model.flat),
                                    model.parameters.at("classifier.bias").of(model.flat));
        const PlainNetwork plain(model.network);
        const auto expected = plain.logProbabilities(batch);
        VERIFY_AGREES(tests::compare("log-probabilities of what is trained", own.log_softmax(-1), expected,
                                     plain.limit(batch)));
        VERIFY_AGREES(tests::compare("log-probabilities of what is shown", answersOf(model, batch), expected,
                                     plain.limit(batch)));
        VERIFY_AGREES(tests::compare("gradients", model.gradients(batch, {}),
                                     plain.step(batch, smoothing).gradients,
                                     plain.limitOfGradients(batch, smoothing)));
    }

    void withDropoutGradientsAreCentralDifferences() {
        const DropoutSource dropout{.seed = 3, .step = 8, .part = 1, .probability = 0.3};
        for (const auto& config : variations()) {
            const Trained model(config);
            const auto batch = someBatch();
            const auto gradients = model.gradients(batch, dropout);
            const auto direction = gradients / gradients.norm();
            const auto slope = [&](double distance) {
                return (model.lossAt(model.flat + distance * direction, batch, dropout) -
                        model.lossAt(model.flat - distance * direction, batch, dropout)) /
                       (2 * distance);
            };
            const double distance = 2e-3;
            // The quotient is off by a power of the distance, the first where an activation has a kink, else
            // the second: by no more than it changes over twice the distance. Dropout makes numbers larger.
            const double once = slope(distance);
            const auto cut =
                tests::Limit{std::abs(slope(2 * distance) - once), "change over twice the distance"};
            const auto rounding =
                1 / (1 - dropout.probability) / distance * PlainNetwork(model.network).limitOfLoss(batch);
            VERIFY_AGREES(tests::compare("slope", once, gradients.norm().item<double>(), cut + rounding));
        }
    }

    void productsOfSixteenBitsComeCloseToThoseOfThirtyTwo() {
        std::vector<double> losses, expectedLosses;
        double share = 0; // that PyTorch's losses are off
        for (const auto& config : variations()) {
            const Trained model(config);
            const auto batch = someBatch();
            const auto gradients = at::zeros_like(model.flat);
            Operations operations(model.flat, gradients, {}, /*rounded=*/true);
            losses.push_back(model.training.loss(operations, batch, smoothing).smoothed);
            const PlainNetwork plain(model.network);
            const auto expected = plain.step(batch, smoothing);
            VERIFY_AGREES(tests::compare("gradients", gradients, expected.gradients,
                                         plain.limitOfGradients(batch, smoothing, /*mixedPrecision=*/true)));
            expectedLosses.push_back(expected.sums.smoothed);
            const auto mixed =
                plain.step(batch, smoothing, at::kFloat, /*mixedPrecision=*/true).sums.smoothed;
            share = std::max(share, std::abs(mixed / expectedLosses.back() - 1));
        }
        VERIFY_AGREES(tests::compare("losses", losses, expectedLosses, [&](std::size_t i) {
            return tests::Limit{4 * share * expectedLosses[i],
                                "4 x PyTorch's bfloat16 (" + tests::inWords(share) + " of the size)"};
        }));
    }

    void aboutAsManyElementsAreDroppedAsAskedFor() {
        const DropoutSource source{.seed = 3, .step = 8, .part = 1, .probability = 0.1};
        const auto drawn = [](const DropoutSource& from) {
            return Operations(at::zeros({1}), {}, from).dropped(at::ones({100'001}));
        };
        const auto kept = drawn(source);
        VERIFY_AGREES(tests::compare("dropped", kept.eq(0).sum().item<double>() / 100'001, 0.1,
                                     tests::ofDraws(100'001, 0.3)));
        QVERIFY(kept.eq(0).logical_or(kept.eq(at::tensor(1 / 0.9F))).all().item<bool>());
        QVERIFY(drawn(source).equal(kept));
        for (const auto member : {&DropoutSource::seed, &DropoutSource::step, &DropoutSource::part}) {
            auto other = source;
            ++(other.*member);
            QVERIFY(!drawn(other).equal(kept));
        }
    }
};

HEADSCOPE_TEST(TrainingNetworkTest)
#include "training_network_test.moc"
