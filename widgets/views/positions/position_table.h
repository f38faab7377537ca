#pragma once

#include <QString>

#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

enum class PositionSide { Source, Target };

/// What a model adds to one side's embeddings, and what it added to the sentence that is shown. Of a model
/// that adds numbers by distance to its scores instead, those: one row a distance, one column a head.
struct PositionTable {
    std::shared_ptr<const trace::Matrix> all; ///< [positions, d_model]; null where the model adds none
    bool byDistance = false;                  ///< [distances, heads]
    bool isScore = false;                     ///< one column, a cell's score by the distance
    int first = 0;                            ///< what the first row stands for
    trace::Matrix added;                      ///< [tokens, d_model] of the sentence, as the run recorded it
    std::vector<std::optional<int>>
        rows; ///< [tokens] which row of `all` that was; nothing where none is equal
};

PositionTable positionTable(const trace::Run& run, PositionSide side);

/// Columns that tell most at a glance: few, an eighth of the width apart, so that of sinusoids each has a
/// wave some times as long as the one before; of a table by distance the first eight heads.
std::vector<int> usualColumns(const PositionTable& table);

/// "4, 5,6" and "0-3" to numbers below `width`, each once, in the order typed, at most `atMost` of them;
/// nothing if a part is no such number.
std::optional<std::vector<int>> parseDimensions(const QString& text, int width, std::size_t atMost);

} // namespace headscope::widgets
