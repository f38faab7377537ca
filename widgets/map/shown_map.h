#pragma once

#include "model/analysis/maps/map_views.h"
#include "model/trace/question.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// An axis of a shown map.
struct MapAxis {
    std::vector<TokenLabel> labels;
    std::vector<analysis::MapSpan> spans; ///< tokens of the run, per label
};

/// A map as shown: a quantity after the chosen options, possibly transposed.
struct ShownMap {
    trace::AttentionKind kind = trace::AttentionKind::Cross;
    bool transposed = false;
    trace::Matrix values;   ///< [rows, columns] as shown
    trace::MaskMatrix mask; ///< [rows, columns]
    MapAxis queries;
    MapAxis keys;
    /// Number of source tokens among the keys, which are first; the others are input of the decoder.
    std::size_t sourceColumns = 0;
    std::optional<std::size_t> divider; ///< first key of the target, if keys are of both sides
    std::vector<double> received;       ///< sum per key
    std::vector<std::size_t> weak;      ///< queries with a small kept share (analysis::weakRows)
    std::size_t hidden = 0;             ///< special keys that are left out
    std::vector<double> kept;           ///< per query (analysis::keptShares); empty if all is kept
    std::size_t undefinedRows = 0;      ///< queries without finite values

    bool empty() const { return values.empty(); }
    const MapAxis& rows() const { return transposed ? keys : queries; }
    const MapAxis& columns() const { return transposed ? queries : keys; }
    /// The shown query and key of a focus; nothing if it has none.
    std::optional<int> queryOf(const TokenFocus& focus) const;
    std::optional<int> keyOf(const TokenFocus& focus) const;
    /// The shown query that contains a row of the run's map.
    std::optional<int> queryOfRow(int row) const;
    /// The focus of a shown cell or label.
    TokenFocus focusOf(std::optional<int> row, std::optional<int> column) const;
    /// The cell of the run's map; nothing if the shown cell represents several cells.
    std::optional<MapCell> runCell(MapCell shown) const;
    /// The inverse of runCell().
    std::optional<MapCell> shownCell(MapCell ofRun) const;
};

/// Describes a query: the chosen token and the token before it, or the word if it groups tokens.
QString queryInWords(const trace::Run& run, const ShownMap& shown, int query);
QString keyInWords(const ShownMap& shown, int key);

/// A recomputed map of a head, which the run does not store.
struct ComputedMap {
    trace::Matrix values;
    trace::MaskMatrix mask;
    std::size_t tokensARow = 1; ///< and per column; above 1 in a preview, whose last cells may have fewer
};

/// Like shownMap() below. Options for words and special tokens are ignored for a preview.
ShownMap shownMap(const trace::Run& run, ComputedMap map, const trace::HeadAddress& head,
                  const MapOptions& options);

/// What computes a quantity that the run does not store: of gradients the logit is that of the chosen class,
/// by default the likeliest, or that of the step.
trace::MapsWhat mapsWhat(const trace::Run& run, trace::MapQuantity quantity, const trace::AttentionSite& site,
                         std::size_t step, std::optional<std::size_t> chosenClass);

/// True if `maps` contain the `quantity` of `head`.
bool holds(const trace::QuantityMaps& maps, const trace::HeadAddress& head, Quantity quantity);

/// `maps` may be null if the run stores the quantity. Returns an empty map if there is no such head or if the
/// quantity is neither stored nor in `maps`.
ShownMap shownMap(const trace::Run& run, const trace::QuantityMaps* maps, const trace::HeadAddress& head,
                  const MapOptions& options);

} // namespace headscope::widgets
