#pragma once

#include <QString>

#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

enum class PositionSide { Source, Target };

/// The positional vectors of one side: those of the model, and those added to the tokens of the shown
/// sentence. For a model that adds a distance bias to its scores, the bias: one row per distance, one column
/// per head.
struct PositionTable {
    std::shared_ptr<const trace::Matrix> all; ///< [positions, d_model]; null if the model adds none
    bool byDistance = false;                  ///< `all` is [distances, heads]
    bool isScore = false;                     ///< `all` has a single column: the score of a cell by distance
    int first = 0;                            ///< position or distance of the first row
    trace::Matrix added;                      ///< [tokens, d_model] for the sentence, as recorded by the run
    std::vector<std::optional<int>> rows;     ///< [tokens], the equal row of `all`; nullopt if there is none
};

PositionTable positionTable(const trace::Run& run, PositionSide side);

/// Returns a good initial selection of columns: four dimensions, an eighth of the width apart, so that the
/// wavelengths of sinusoids differ clearly; by distance, the first eight heads.
std::vector<int> usualColumns(const PositionTable& table);

/// Parses "4, 5,6" and "0-3" into numbers below `width`, without duplicates, in the given order, at most
/// `atMost`. Returns nullopt if a part is not such a number.
std::optional<std::vector<int>> parseDimensions(const QString& text, int width, std::size_t atMost);

} // namespace headscope::widgets
