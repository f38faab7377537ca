#pragma once

#include "model/network/transformer.h"
#include "model/training/packed_sentences.h"
#include "model/training/training_progress.h"

#include <stop_token>
#include <vector>

namespace headscope::training {

/// How spread attention is in `examples` of one sentence each, whose targets are forced. As analysis::entropy
/// (head_statistics.h) has it: bits, of each row's weights that has two open keys at least, here the mean
/// over all such rows of all heads and layers of a kind. Nothing where there is no such attention. Throws
/// trace::Cancelled.
AttentionEntropies attentionEntropies(const network::Transformer& network,
                                      const std::vector<PackedBatch>& examples, const std::stop_token& stop);

} // namespace headscope::training
