#pragma once

#include "model/network/network_config.h"
#include "model/trace/refusal.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope::engine {

/// Throws trace::Refusal, which takes `where` and `wayOut` from the text given, for a network whose
/// parameters and positions need more than is `available`; none of it is taken before.
void refuseTooLarge(const network::NetworkConfig& config, trace::RefusalText text,
                    std::optional<double> available);

/// Bytes that LibTorch could not allocate, as its own message says; nothing in any other message.
std::optional<double> bytesNotAllocated(const std::string& message);

/// Bytes that reading a source takes at its peak: what the run keeps of the encoder and of the keys and
/// values of cross-attention, and what is there beside it while a layer is computed. An estimate: the weights
/// of the model, and what a window makes of the run, come on top.
double bytesOfSource(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap);

/// Throws trace::Refusal that says what is needed, what there is and how many tokens would fit.
void refuseTooLittleMemory(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap,
                           std::optional<double> available);

/// How long both sides are.
struct RunLengths {
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t longestMap = 0;
};

/// The same of a target that is read whole and whose maps are left out.
double bytesOfTarget(const network::NetworkConfig& config, const RunLengths& lengths);
void refuseTooLittleMemoryForTarget(const network::NetworkConfig& config, const RunLengths& lengths,
                                    std::optional<double> available);

/// The same of a beam search: each hypothesis keeps the rows of its tokens, up to `longestMap` with their
/// maps and what they say of the whole vocabulary. Those of a single path that is longer share their keys,
/// which halves their memory; those of a search stay one by one, because hypotheses share them.
double bytesOfBeams(const network::NetworkConfig& config, const RunLengths& lengths, std::int64_t beams);
/// Says how wide a beam would fit, or how long a target where none does.
void refuseTooLittleMemoryForBeams(const network::NetworkConfig& config, const RunLengths& lengths,
                                   std::int64_t beams, std::optional<double> available);

/// The same of one pass along both sides that keeps no map: those of one layer are there at a time.
double bytesOfPass(const network::NetworkConfig& config, const RunLengths& lengths);
void refuseTooLittleMemoryForPass(const network::NetworkConfig& config, const RunLengths& lengths,
                                  std::optional<double> available);

} // namespace headscope::engine
