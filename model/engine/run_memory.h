#pragma once

#include "model/network/network_config.h"
#include "model/trace/refusal.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope::engine {

/// Throws trace::Refusal if the parameters and positions of a network, `needed` bytes, are more than
/// `available`. `text` provides `where` and `wayOut`.
void refuseTooLarge(double needed, trace::RefusalText text, std::optional<double> available);

/// Returns the number of bytes that LibTorch failed to allocate, according to its error message; nullopt for
/// any other message.
std::optional<double> bytesNotAllocated(const std::string& message);

/// Returns an estimate of the peak number of bytes for reading a source: what the run stores of the encoder
/// and of the keys and values of cross-attention, plus temporary memory while a layer is computed. Excludes
/// the weights of the model and what a window derives from the run.
double bytesOfSource(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap);

/// Throws trace::Refusal that states the memory needed and available and how many tokens would fit.
void refuseTooLittleMemory(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap,
                           std::optional<double> available);

/// Lengths of source and target in tokens.
struct RunLengths {
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t longestMap = 0;
};

/// Same for a target read in one pass whose maps are not stored.
double bytesOfTarget(const network::NetworkConfig& config, const RunLengths& lengths);
void refuseTooLittleMemoryForTarget(const network::NetworkConfig& config, const RunLengths& lengths,
                                    std::optional<double> available);

/// Same for a beam search. Each hypothesis stores the rows of its tokens, up to `longestMap` with their maps
/// and whole-vocabulary log-probabilities. Rows of a longer single path share their keys, which halves their
/// memory; rows of a search do not, because they are shared between hypotheses.
double bytesOfBeams(const network::NetworkConfig& config, const RunLengths& lengths, std::int64_t beams);
/// The refusal states how wide a beam would fit, or how long a target if none does.
void refuseTooLittleMemoryForBeams(const network::NetworkConfig& config, const RunLengths& lengths,
                                   std::int64_t beams, std::optional<double> available);

/// Returns an estimate of the bytes that a run of one path stores: its source, the rows of its target, and
/// the maps that the rows are joined to.
double bytesOfRun(const network::NetworkConfig& config, const RunLengths& lengths);

/// Same for one pass over source and target that stores no maps: only those of one layer exist at a time.
double bytesOfPass(const network::NetworkConfig& config, const RunLengths& lengths);
void refuseTooLittleMemoryForPass(const network::NetworkConfig& config, const RunLengths& lengths,
                                  std::optional<double> available);

} // namespace headscope::engine
