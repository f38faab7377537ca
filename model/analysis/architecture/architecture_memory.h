#pragma once

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/run.h"

#include <string>
#include <vector>

namespace headscope::analysis {

/// What one whole pass without gradients keeps of a block if the output of each of its operations is kept in
/// float32: 4 bytes times the elements of `computed`, its own and its children's. Attention's scores and
/// weights count for every head.
double activationBytes(const ArchitectureBlock& block, const Lengths& lengths);
/// NaN where a width is not known. Of the whole model:
double activationBytes(const Architecture& architecture, const Lengths& lengths);

/// The same as a formula: "4 (3 N h T d_k + 2 N h T T + N T d_model)" bytes; empty where nothing is kept.
std::string activationFormula(const ArchitectureBlock& block);

/// Bytes of what every run keeps, whatever else it was asked to: weights and scores of all heads, where maps
/// are left out the queries and keys that they are made of.
double mapBytes(const trace::Run& run);

/// What a run holds of its attention: masks, scores, weights, queries, keys and values, of the shown path and
/// of every row of the decode tree. What is shared counts once.
std::int64_t attentionBytes(const trace::Run& run);

/// What a run holds in memory: its maps, masks, projections, streams, positions and distributions, of the
/// shown path and of every row of the decode tree.
std::int64_t runBytes(const trace::Run& run);

} // namespace headscope::analysis
