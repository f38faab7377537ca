#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/intervention.h"
#include "model/trace/task.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headscope::analysis {

/// One row of a head's map, from the record or recomputed if the map is not stored.
struct HeadRow {
    std::vector<float> scores;      ///< [keys]; empty if the record lacks them
    std::vector<float> weights;     ///< [keys]
    std::vector<std::uint8_t> open; ///< [keys]
};

/// Empty if the record has no such head or query.
HeadRow headRow(const trace::AttentionRecord& record, std::size_t head, std::size_t query);

/// True for a trace of another program that contains weights only.
bool lacksScores(const trace::AttentionRecord& record);

/// Returns one weight; empty if there is no such cell.
std::optional<float> weightAt(const trace::AttentionRecord& record, std::size_t head, std::size_t query,
                              std::size_t key);

/// Recompute the map of a head that is not stored, [queries, keys], as the model computed it. All functions
/// with a `work` argument throw trace::Cancelled.
trace::Matrix recomputedScores(const trace::AttentionRecord& record, std::size_t head,
                               const trace::Task& work);
trace::Matrix recomputedWeights(const trace::AttentionRecord& record, std::size_t head,
                                const trace::Task& work);
trace::MaskMatrix maskOf(const trace::AttentionRecord& record);

/// Replaces a row's weights as the intervention demands; no effect if the keys concerned are masked.
void forceWeights(const trace::ForceRow& forced, std::span<float> row, std::span<const std::uint8_t> open);

/// Returns a record with mask and weights of one head; they are recomputed if not stored. For code that reads
/// a whole map.
trace::AttentionRecord withWeightsOf(const trace::AttentionRecord& record, std::size_t head,
                                     const trace::Task& work = {});

/// Returns the record with scores and weights of all heads. Long maps of many heads do not fit into memory.
trace::AttentionRecord withMaps(const trace::AttentionRecord& record, const trace::Task& work = {});

/// A reduced map: each value is the largest weight of several allowed cells, so strong cells never disappear.
struct PooledMap {
    trace::Matrix values;
    trace::MaskMatrix open; ///< 1 if one of the cells is allowed
};

/// Reduces a map that is not stored to at most `rows` x `columns`. With `every` above 1 only every n-th row
/// is computed, for a fast preview.
PooledMap pooledWeights(const trace::AttentionRecord& record, std::size_t head, std::size_t rows,
                        std::size_t columns, std::size_t every = 1, const trace::Task& work = {});

} // namespace headscope::analysis
