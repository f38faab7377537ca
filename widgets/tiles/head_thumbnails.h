#pragma once

#include <QPixmap>

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/run.h"
#include "widgets/tiles/head_tile.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// Appearance of a head's thumbnail.
struct ThumbnailLook {
    QSize side; ///< in widget pixels
    qreal pixelRatio = 1;
    const Theme* theme = nullptr;
};

/// A pooled map of a head whose map the run does not store.
using MapTile = std::shared_ptr<const analysis::PooledMap>;
inline constexpr std::size_t tileSide = 160; ///< cells

/// Returns the end of a thumbnail's colour scale, equal to that of the heatmap; 1 if there is no map.
double thumbnailLimit(const trace::Run& run, const trace::HeadAddress& head, const MapTile& tile = {});
/// Describe the end of the colour scale, for all maps of a kind and for one; empty if it is 1.
QString thumbnailColoursInWords(const trace::Run& run, trace::AttentionKind kind);
QString thumbnailLimitInWords(double limit);

/// Returns the complete map of a head, weights from 0 to thumbnailLimit(). Null if the run has no such head,
/// or if the map is not stored and there is no tile.
QPixmap headThumbnail(const trace::Run& run, const trace::HeadAddress& head, const ThumbnailLook& look,
                      const MapTile& tile = {});

/// For figures: the cells of a map of up to 64 x 64, otherwise the pixmap returned by `otherwise`.
HeadMap headMapOfFigure(const trace::Run& run, const trace::HeadAddress& head,
                        const std::function<QPixmap()>& otherwise);

/// Thumbnails of a run's heads, created a few at a time, because hundreds of large maps at once would block
/// the window.
class HeadThumbnails {
  public:
    /// Removes the thumbnails, but not the tiles.
    void clear() { made_.clear(); }
    void setTile(const trace::HeadAddress& head, MapTile tile) { tiles_[head] = std::move(tile); }
    /// Null if there is none.
    MapTile tile(const trace::HeadAddress& head) const;
    /// Called for another run.
    void forgetTiles() { tiles_.clear(); }
    /// Returns the heads of `wanted` whose map is not stored and has no tile.
    std::vector<trace::HeadAddress> withoutTile(const trace::Run& run,
                                                const std::vector<trace::HeadAddress>& wanted) const;

    /// The latest picture of a head, possibly made for another size; null if there is none yet.
    QPixmap picture(const trace::HeadAddress& head) const;
    /// Null if there is none of this appearance.
    QPixmap picture(const trace::HeadAddress& head, const ThumbnailLook& look) const;
    /// Creates missing thumbnails in the order of `wanted` until the time is over, at least one. Returns
    /// their heads; none if nothing was missing, or if only tiles are missing.
    std::vector<trace::HeadAddress> makeSome(const trace::Run& run,
                                             const std::vector<trace::HeadAddress>& wanted,
                                             const ThumbnailLook& look, std::chrono::milliseconds time);
    /// True if all thumbnails of `wanted` exist in this appearance.
    bool hasAll(const std::vector<trace::HeadAddress>& wanted, const ThumbnailLook& look) const;

  private:
    bool has(const trace::HeadAddress& head, const ThumbnailLook& look) const;

    struct Made {
        QPixmap picture;
        ThumbnailLook look;
    };
    std::map<trace::HeadAddress, Made> made_;
    std::map<trace::HeadAddress, MapTile> tiles_;
};

} // namespace headscope::widgets
