#pragma once

#include <QPixmap>

#include "model/trace/run.h"
#include "widgets/head_tile.h"

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// What a head's small picture looks like.
struct ThumbnailLook {
    QSize side; ///< in the widget's pixels
    qreal pixelRatio = 1;
    const Theme* theme = nullptr;
};

/// The whole map of a head, weights 0 to 1. Null if the run has no such head.
QPixmap headThumbnail(const trace::Run& run, const trace::HeadAddress& head, const ThumbnailLook& look);

/// For a figure: the cells of a map of up to 64 x 64, else the pixmap that `otherwise` gives.
HeadMap headMapOfFigure(const trace::Run& run, const trace::HeadAddress& head,
                        const std::function<QPixmap()>& otherwise);

/// The pictures of a run's heads, made a few at a time: hundreds of large maps in one go would stall the
/// window.
class HeadThumbnails {
  public:
    void clear() { made_.clear(); }

    /// The latest picture of a head, possibly made for another size; null if there is none yet.
    QPixmap picture(const trace::HeadAddress& head) const;
    /// Null if there is none that looks like that.
    QPixmap picture(const trace::HeadAddress& head, const ThumbnailLook& look) const;
    /// Makes missing pictures in the order of `wanted` until the time is over, at least one. Returns the
    /// heads that have a new one; none if nothing was missing.
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
};

} // namespace headscope::widgets
