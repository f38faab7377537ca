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

/// One row of a head's map: the record's own, or computed again where the map is left out.
struct HeadRow {
    std::vector<float> scores;      ///< [keys]; empty where the record lacks them
    std::vector<float> weights;     ///< [keys]
    std::vector<std::uint8_t> open; ///< [keys]
};

/// Empty where the record has no such head or query.
HeadRow headRow(const trace::AttentionRecord& record, std::size_t head, std::size_t query);

/// Written by another program, a trace may have the weights alone.
bool lacksScores(const trace::AttentionRecord& record);

/// One weight of it; nothing where there is no such cell.
std::optional<float> weightAt(const trace::AttentionRecord& record, std::size_t head, std::size_t query,
                              std::size_t key);

/// The map of a head that the record left out, [queries, keys], as the model computed it. What is given work
/// throws trace::Cancelled.
trace::Matrix recomputedScores(const trace::AttentionRecord& record, std::size_t head,
                               const trace::Task& work);
trace::Matrix recomputedWeights(const trace::AttentionRecord& record, std::size_t head,
                                const trace::Task& work);
trace::MaskMatrix maskOf(const trace::AttentionRecord& record);

/// A row's weights replaced as a person forces them; where no key that it could fall on is open, they stay.
void forceWeights(const trace::ForceRow& forced, std::span<float> row, std::span<const std::uint8_t> open);

/// The mask and the weights of one head alone, which are there: of a record that left them out they are
/// computed again. For what reads a whole map.
trace::AttentionRecord withWeightsOf(const trace::AttentionRecord& record, std::size_t head,
                                     const trace::Task& work = {});

/// The record with the maps of all heads, scores too. Long maps of many heads do not fit into memory: ask for
/// few.
trace::AttentionRecord withMaps(const trace::AttentionRecord& record, const trace::Task& work = {});

/// A left-out map as a smaller one: what stands for several open cells is the largest weight among them, so
/// that a hot cell never vanishes.
struct PooledMap {
    trace::Matrix values;
    trace::MaskMatrix open; ///< 1 where one of the cells is
};

/// At most `rows` x `columns`. `every` above 1 looks at some rows only: a preview.
PooledMap pooledWeights(const trace::AttentionRecord& record, std::size_t head, std::size_t rows,
                        std::size_t columns, std::size_t every = 1, const trace::Task& work = {});

} // namespace headscope::analysis
