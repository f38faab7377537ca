#pragma once

#include "model/analysis/maps/map_views.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// One side of a map that is drawn.
struct MapAxis {
    std::vector<TokenLabel> labels;
    std::vector<analysis::MapSpan> spans; ///< tokens of the run that each label stands for
};

/// A map as it stands on the screen: the view a person chose of a quantity, turned if that was wanted.
struct ShownMap {
    trace::AttentionKind kind = trace::AttentionKind::Cross;
    bool transposed = false;
    trace::Matrix values;   ///< [rows, columns] on the screen
    trace::MaskMatrix mask; ///< [rows, columns]
    MapAxis queries;
    MapAxis keys;
    /// The first tokens that keys count are the source's, the others those the decoder was fed.
    std::size_t sourceColumns = 0;
    std::optional<std::size_t> divider; ///< the first key of the target, where keys are of both sides
    std::vector<double> received;       ///< by each key in all
    std::vector<std::size_t> weak;      ///< queries that kept little (analysis::weakRows)
    std::vector<double> kept;           ///< by each query (analysis::keptShares); empty where all is kept
    std::size_t undefinedRows = 0;      ///< queries that hold no number

    bool empty() const { return values.empty(); }
    const MapAxis& rows() const { return transposed ? keys : queries; }
    const MapAxis& columns() const { return transposed ? queries : keys; }
    /// On the screen; of what a focus does not light, nothing.
    std::optional<int> queryOf(const TokenFocus& focus) const;
    std::optional<int> keyOf(const TokenFocus& focus) const;
    /// The query that stands for a row of the run's map.
    std::optional<int> queryOfRow(int row) const;
    /// What cells and labels on the screen light.
    TokenFocus focusOf(std::optional<int> row, std::optional<int> column) const;
    /// The cell of the run's map, where one on the screen stands for just that.
    std::optional<MapCell> runCell(MapCell shown) const;
    /// The reverse.
    std::optional<MapCell> shownCell(MapCell ofRun) const;
};

/// A query in words: what it chose and after what; of several pieces their word.
QString queryInWords(const trace::Run& run, const ShownMap& shown, int query);
QString keyInWords(const ShownMap& shown, int key);

/// A head's map that the run left out, computed again.
struct ComputedMap {
    trace::Matrix values;
    trace::MaskMatrix mask;
    std::size_t tokensARow = 1; ///< and column: of a preview several, the last may stand for fewer
};

/// As the next one. A preview is drawn as it is, without words or special keys left out.
ShownMap shownMap(const trace::Run& run, ComputedMap map, const trace::HeadAddress& head,
                  const MapOptions& options);

/// True if `maps` hold what `quantity` is drawn of at `head`.
bool holds(const trace::QuantityMaps& maps, const trace::HeadAddress& head, Quantity quantity);

/// `maps` may be null where the run holds the quantity. Empty where there is no such head, or what has to be
/// computed is not there, as with a map that the run left out.
ShownMap shownMap(const trace::Run& run, const trace::QuantityMaps* maps, const trace::HeadAddress& head,
                  const MapOptions& options);

} // namespace headscope::widgets
