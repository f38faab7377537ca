#pragma once

#include "model/trace/task.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/map/map_tones.h"
#include "widgets/map/shown_map.h"

#include <memory>
#include <stop_token>

namespace headscope::widgets {

/// The pooling of cells that share a pixel. For scores it is the largest, which gets the largest weight.
Pooling poolingOf(Quantity quantity);

/// A map prepared for painting. Preparing a long map takes long, so it can be created on any thread.
struct ReadyMap {
    ReadyMap(ShownMap map, const MapOptions& options);
    ReadyMap() = default;
    ReadyMap(const ReadyMap&) = delete; // the pyramid refers to the other members
    ReadyMap& operator=(const ReadyMap&) = delete;

    /// The values that are coloured.
    trace::MatrixView coloured() const {
        return trace::view(tones.values.empty() ? shown.values : tones.values);
    }
    std::size_t bytes() const;

    ShownMap shown;
    MapTones tones;
    MatrixPyramid pyramid; ///< of coloured() and the shown mask
};

/// A recomputed map that the run does not store, with its source.
struct LongMap {
    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    MapOptions options;                  ///< only those that affect numbers and colours
    std::shared_ptr<const ReadyMap> map; ///< null: being computed
    std::size_t tokensACell = 1;         ///< above 1: a preview

    bool isOf(const std::shared_ptr<const trace::Run>& other, const trace::HeadAddress& ofHead,
              const MapOptions& shownAs) const;
};

/// Question for a map that the run does not store, or for its preview.
struct LongMapWhat {
    using Value = LongMap;

    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    MapOptions options; ///< forNumbers()
    bool isPreview = false;

    Value count(const trace::Task& work) const;
    static std::size_t bytes(const Value& map) { return map.map->bytes(); }
    friend bool operator==(const LongMapWhat&, const LongMapWhat&) = default;
};

/// Returns `options` without those that only add to the picture.
MapOptions forNumbers(MapOptions options);

/// True if the run does not store what `options` show of `head`.
bool isRecomputed(const trace::Run& run, const trace::HeadAddress& head, const MapOptions& options);

/// Computes a map that the run does not store. This and computePreview() throw trace::Cancelled.
std::shared_ptr<const ReadyMap> computeLongMap(const trace::Run& run, const trace::HeadAddress& head,
                                               const MapOptions& options, std::stop_token stop);
/// Fast preview, at most 512 x 512: every n-th row, and the maximum over n keys.
LongMap computePreview(const std::shared_ptr<const trace::Run>& run, const trace::HeadAddress& head,
                       const MapOptions& options, std::stop_token stop);
/// Only unchanged weights have a preview.
bool hasPreview(const MapOptions& options);

} // namespace headscope::widgets
