#pragma once

#include "model/trace/task.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/map/map_tones.h"
#include "widgets/map/shown_map.h"

#include <memory>
#include <stop_token>

namespace headscope::widgets {

/// Of scores the largest is seen, as it gets the weight.
Pooling poolingOf(Quantity quantity);

/// A map with all that painting it needs. Of a long map this takes longer than a window may stall, so that it
/// can be made anywhere and is then handed over.
struct ReadyMap {
    ReadyMap(ShownMap map, const MapOptions& options);
    ReadyMap() = default;
    ReadyMap(const ReadyMap&) = delete; // the pyramid looks at the others
    ReadyMap& operator=(const ReadyMap&) = delete;

    /// What is coloured.
    trace::MatrixView coloured() const {
        return trace::view(tones.values.empty() ? shown.values : tones.values);
    }
    std::size_t bytes() const;

    ShownMap shown;
    MapTones tones;
    MatrixPyramid pyramid; ///< of what is coloured and the shown mask
};

/// One that a run left out, and what it is of.
struct LongMap {
    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    MapOptions options;                  ///< only what decides about the numbers and colours
    std::shared_ptr<const ReadyMap> map; ///< null: it is on its way
    std::size_t tokensACell = 1;         ///< above 1: a preview

    bool isOf(const std::shared_ptr<const trace::Run>& other, const trace::HeadAddress& ofHead,
              const MapOptions& shownAs) const;
};

/// A map that a run left out, or the preview of one.
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

/// Without what only adds to the picture.
MapOptions forNumbers(MapOptions options);

/// True if the run left out what `options` show of `head`.
bool isRecomputed(const trace::Run& run, const trace::HeadAddress& head, const MapOptions& options);

/// Computes a map that the run left out. The next two throw trace::Cancelled.
std::shared_ptr<const ReadyMap> computeLongMap(const trace::Run& run, const trace::HeadAddress& head,
                                               const MapOptions& options, std::stop_token stop);
/// Fast preview, at most 512 x 512: every n-th row, and the maximum over n keys.
LongMap computePreview(const std::shared_ptr<const trace::Run>& run, const trace::HeadAddress& head,
                       const MapOptions& options, std::stop_token stop);
/// A preview is of weights, as they are.
bool hasPreview(const MapOptions& options);

} // namespace headscope::widgets
