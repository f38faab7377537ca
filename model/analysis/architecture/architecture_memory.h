#pragma once

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/run.h"

#include <string>
#include <vector>

namespace headscope::analysis {

/// Returns the bytes of a block's activations in one forward pass without gradients, if the output of every
/// operation is kept in float32: 4 bytes per element of `computed`, including children. Attention scores and
/// weights count for every head.
double activationBytes(const ArchitectureBlock& block, const Lengths& lengths);
/// The same for the whole model. NaN if a width is not known.
double activationBytes(const Architecture& architecture, const Lengths& lengths);

/// Returns the same as a formula in bytes: "4 (3 N h T d_k + 2 N h T T + N T d_model)"; empty if the block
/// computes nothing.
std::string activationFormula(const ArchitectureBlock& block);

/// Returns the bytes of the maps that every run stores: weights and scores of all heads; for maps that are
/// not stored, the queries and keys from which they are recomputed.
double mapBytes(const trace::Run& run);

/// Returns the bytes of a run's attention: masks, scores, weights, queries, keys, values and head outputs, of
/// the shown path and of every row of the decode tree. Shared data counts once.
std::int64_t attentionBytes(const trace::Run& run);

/// Returns the bytes of a run: maps, masks, projections, residual streams, positions and distributions, of
/// the shown path and of every row of the decode tree.
std::int64_t runBytes(const trace::Run& run);

} // namespace headscope::analysis
