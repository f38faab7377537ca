#pragma once

#include "model/network/transformer.h"
#include "model/training/packed_sentences.h"
#include "model/training/training_progress.h"

#include <stop_token>
#include <vector>

namespace headscope::training {

/// Returns the mean attention entropy over `examples` of one sentence each, with forced targets. Defined like
/// analysis::entropy (head_statistics.h): in bits, over the weights of each row with at least two allowed
/// keys, averaged over all such rows of all heads and layers of a kind. Nullopt for kinds that the network
/// does not have. Throws trace::Cancelled.
AttentionEntropies attentionEntropies(const network::Transformer& network,
                                      const std::vector<PackedBatch>& examples, const std::stop_token& stop);

} // namespace headscope::training
