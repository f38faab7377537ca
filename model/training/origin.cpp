#include "model/training/origin.h"

#include "model/files/read_file.h"
#include "model/trace/refusal.h"
#include "model/training/fingerprint.h"

namespace headscope::training {

namespace {

/// Structured bindings name every member, so that a new member fails to compile until it is added.
std::string fingerprintOf(const network::NetworkConfig& config) {
    const auto& [encoder, decoder, modelWidth, sourceVocabulary, targetVocabulary, classes, classifierInput,
                 classifierOutput, tokenPrediction, head, normKind, normUnitOffset, queryKeyNorm,
                 embeddingWidth, targetEmbeddingWidth, segments, decoderSegments, embeddingScale, positions,
                 positionBase, windowPositionBase, rotation, positionBuckets, positionDistance, biasExponent,
                 positionsPerLayer, relativeBias, maximumPositions, firstPosition, decoderRows, scoreCap,
                 logitCap, outputScale, residualScale, feedForwardGate, biases, tiedSourceTarget,
                 tiedGenerator, tiedPositions, tiedStacks, sharedLayers, tiedDecoderAttention, maskFill,
                 encoderMask, targetPaddingMasked] = config;
    const auto& [layers, heads, headWidth, keyValueHeads, feedForwardWidth, scoreScale, finalNorm, window,
                 windowed, experts, width, normScheme, normEpsilon, embeddingNorm, embeddingNormEpsilon,
                 activation] = encoder;
    const auto& [part, interleaved, scaling, factor, originalLength, low, high, length, shares] = rotation;
    const auto& [ofQueryKeyValue, ofOutput, ofFeedForward, ofGenerator, ofNorm] = biases;
    Fingerprint fingerprint;
    // The order is that of older versions, so that older trainings keep their fingerprint.
    fingerprint.addNumbers(layers, decoder.layers, modelWidth, feedForwardWidth, heads, decoder.heads,
                           headWidth, sourceVocabulary, targetVocabulary, classes, normScheme, normKind,
                           normEpsilon, finalNorm, decoder.finalNorm, embeddingNorm, embeddingNormEpsilon,
                           embeddingScale, positions, positionBase, positionBuckets, positionDistance,
                           maximumPositions, activation, ofQueryKeyValue, ofOutput, ofFeedForward,
                           ofGenerator, ofNorm, tiedSourceTarget, tiedGenerator, scoreScale, maskFill,
                           encoderMask, targetPaddingMasked);
    if (tiedPositions || tiedDecoderAttention) // only if set, so that older trainings keep their fingerprint
        fingerprint.addNumbers(tiedPositions, tiedDecoderAttention);
    if (sharedLayers)
        fingerprint.addNumbers(sharedLayers);
    if (interleaved)
        fingerprint.addNumbers(interleaved);
    if (rotation != network::Rotation()) {
        fingerprint.addNumbers(part, scaling, factor, originalLength, low, high, length);
        for (const double share : shares)
            fingerprint.addNumbers(share);
    }
    for (const auto* stack : {&encoder, &decoder})
        if (stack->sharedHeads() != stack->heads || stack->window > 0) {
            fingerprint.addNumbers(stack->keyValueHeads, stack->window);
            for (const bool layer : stack->windowed)
                fingerprint.addNumbers(layer);
        }
    for (const auto& of : {experts, decoder.experts})
        if (of.count > 0) {
            fingerprint.addNumbers(of.count, of.used, of.width, of.sharedWidth, of.normalised);
            for (const bool layer : of.layers)
                fingerprint.addNumbers(layer);
        }
    if (queryKeyNorm != network::QueryKeyNorm::None)
        fingerprint.addNumbers(queryKeyNorm);
    if (normUnitOffset || windowPositionBase > 0 || scoreCap > 0 || logitCap > 0)
        fingerprint.addNumbers(normUnitOffset, windowPositionBase, scoreCap, logitCap);
    if (relativeBias)
        fingerprint.addNumbers(relativeBias);
    if (positionsPerLayer || outputScale != 1)
        fingerprint.addNumbers(positionsPerLayer, outputScale);
    if (feedForwardGate)
        fingerprint.addNumbers(feedForwardGate);
    if (firstPosition > 0)
        fingerprint.addNumbers(firstPosition);
    const auto& [hidden, headActivation, headNorm] = head;
    if (network::headRole(config) != "" &&
        (hidden || headNorm || tokenPrediction != trace::TokenPrediction::None ||
         classifierInput != network::ClassifierInput::Maximum))
        fingerprint.addNumbers(hidden, headActivation, headNorm, tokenPrediction, classifierInput);
    if (classifierOutput != trace::ClassifierOutput::OneClass)
        fingerprint.addNumbers(classifierOutput);
    if (embeddingWidth > 0 || segments > 0)
        fingerprint.addNumbers(embeddingWidth, segments);
    if (positions == network::PositionScheme::LinearBias)
        fingerprint.addNumbers(biasExponent);
    if (residualScale != 1 || targetEmbeddingWidth > 0)
        fingerprint.addNumbers(residualScale, targetEmbeddingWidth);
    return fingerprint.text();
}

std::string fingerprintOf(const TrainedVocabulary& vocabulary) {
    Fingerprint fingerprint;
    for (const auto& file : vocabulary.files)
        fingerprint.addText(files::readText(file.path));
    for (const auto& [key, value] : vocabulary.settings.all()) {
        fingerprint.addText(key);
        fingerprint.addText(value.text);
    }
    return fingerprint.text();
}

} // namespace

std::string fingerprintOf(const VocabularyConfig& config, const std::vector<corpus::TextPair>& pairs) {
    Fingerprint fingerprint;
    fingerprint.addText(config.kind);
    fingerprint.addText(config.splitting);
    fingerprint.addNumbers(config.size, config.shared, config.minimumCount);
    for (const auto& pair : pairs) {
        fingerprint.addText(pair.source);
        fingerprint.addText(pair.target);
    }
    return fingerprint.text();
}

Origin originOf(const TrainingConfig& config, const network::NetworkConfig& network,
                const TrainedVocabulary& vocabulary, const TrainingData& data) {
    const auto ofNumbers = [](const auto&... numbers) {
        Fingerprint fingerprint;
        fingerprint.addNumbers(numbers...);
        return fingerprint.text();
    };
    const auto& averaging = config.averaging;
    const bool averages = averaging.checkpoints > 1;
    return {{"network", fingerprintOf(network)},
            {"vocabulary", fingerprintOf(vocabulary)},
            {"training corpus", data.training.fingerprint()},
            {"validation corpus", data.validation.fingerprint()},
            {"training.batch_tokens, pool or seed",
             ofNumbers(static_cast<std::uint64_t>(config.batches.tokens),
                       static_cast<std::uint64_t>(config.batches.pool), config.seed)},
            {"training.average or average_every",
             ofNumbers(averages ? averaging.checkpoints : 0, averages ? averaging.every : 0)}};
}

void refuseOtherOrigin(const Origin& saved, const Origin& now, const TrainingConfig& config) {
    std::string changed;
    for (const auto& [what, fingerprint] : now)
        if (const auto found = saved.find(what); found != saved.end() && found->second != fingerprint)
            changed += (changed.empty() ? "another " : "; another ") + what;
    if (!changed.empty())
        throw trace::Refusal({.what = "The training cannot go on from its saved state",
                              .where = config.state.string(),
                              .expected = "the network, the corpus, the vocabulary and the batches that it "
                                          "began with",
                              .found = changed,
                              .wayOut = "restore the configuration and its files, or remove this folder to "
                                        "begin anew"});
}

} // namespace headscope::training
