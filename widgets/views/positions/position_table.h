#pragma once

#include <QString>

#include "model/trace/run.h"
#include "widgets/selection.h"

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

/// The highlighted positions. On the source side a token is both a query and a key of the encoder; on the
/// target side row t was fed token t. A hovered cell of a map therefore highlights two positions.
struct PositionFocus {
    std::optional<int> query; ///< of the query token, else of the key token
    std::optional<int> key;   ///< of the key token, else of the query token
    /// For pages that highlight a single position: the token whose chip is highlighted.
    std::optional<int> one;
    friend bool operator==(const PositionFocus&, const PositionFocus&) = default;
};

/// Empty for positions that the sentence does not have.
PositionFocus positionFocus(const TokenFocus& focus, const PositionTable& table, PositionSide side);

/// Returns the tokens to highlight for a pair of positions (or twice the same). A position without a token of
/// the sentence highlights nothing.
TokenFocus tokenFocus(std::optional<int> queryPosition, std::optional<int> keyPosition,
                      const PositionTable& table, PositionSide side);

} // namespace headscope::widgets
