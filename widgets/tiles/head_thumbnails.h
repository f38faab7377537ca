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

/// What a head's small picture looks like.
struct ThumbnailLook {
    QSize side; ///< in the widget's pixels
    qreal pixelRatio = 1;
    const Theme* theme = nullptr;
};

/// A map that is not stored, made smaller elsewhere.
using MapTile = std::shared_ptr<const analysis::PooledMap>;
inline constexpr std::size_t tileSide = 160; ///< cells

/// Where the colours of a head's small map end, as those of its heatmap do; 1 where there is no map.
double thumbnailLimit(const trace::Run& run, const trace::HeadAddress& head, const MapTile& tile = {});
/// The same in words, of all maps of a kind, and of one; empty where they end at 1.
QString thumbnailColoursInWords(const trace::Run& run, trace::AttentionKind kind);
QString thumbnailLimitInWords(double limit);

/// The whole map of a head, weights from 0 to thumbnailLimit(). Null if the run has no such head, or
/// its map is not stored and there is no tile.
QPixmap headThumbnail(const trace::Run& run, const trace::HeadAddress& head, const ThumbnailLook& look,
                      const MapTile& tile = {});

/// For a figure: the cells of a map of up to 64 x 64, else the pixmap that `otherwise` gives.
HeadMap headMapOfFigure(const trace::Run& run, const trace::HeadAddress& head,
                        const std::function<QPixmap()>& otherwise);

/// The pictures of a run's heads, made a few at a time: hundreds of large maps in one go would stall the
/// window.
class HeadThumbnails {
  public:
    /// The pictures, not what they are made of.
    void clear() { made_.clear(); }
    void setTile(const trace::HeadAddress& head, MapTile tile) { tiles_[head] = std::move(tile); }
    /// Null if there is none.
    MapTile tile(const trace::HeadAddress& head) const;
    /// There is another run.
    void forgetTiles() { tiles_.clear(); }
    /// Of `wanted`, those whose map is not stored and has no tile.
    std::vector<trace::HeadAddress> withoutTile(const trace::Run& run,
                                                const std::vector<trace::HeadAddress>& wanted) const;

    /// The latest picture of a head, possibly made for another size; null if there is none yet.
    QPixmap picture(const trace::HeadAddress& head) const;
    /// Null if there is none that looks like that.
    QPixmap picture(const trace::HeadAddress& head, const ThumbnailLook& look) const;
    /// Makes missing pictures in the order of `wanted` until the time is over, at least one. Returns the
    /// heads that have a new one; none if nothing was missing, or only tiles are.
    std::vector<trace::HeadAddress> makeSome(const trace::Run& run,
                                             const std::vector<trace::HeadAddress>& wanted,
                                             const ThumbnailLook& look, std::chrono::milliseconds time);
    /// True if no picture of `wanted` is missing or was made for another look.
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
