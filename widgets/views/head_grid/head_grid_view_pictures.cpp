// How the grid comes by its pictures, a few an event.
#include "widgets/views/head_grid/head_grid_view.h"

#include <QTimerEvent>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

/// Of one event: a tenth of what a person notices.
constexpr std::chrono::milliseconds headGridViewSlice(10);

} // namespace

ThumbnailLook HeadGridView::look() const {
    return {.side = grid_.side, .pixelRatio = devicePixelRatioF(), .theme = &themeOf(palette())};
}

std::vector<trace::HeadAddress> HeadGridView::inOrderOfSight() const {
    auto heads = grid_.heads;
    std::ranges::stable_partition(
        heads, [&](const auto& head) { return thumbnailRect(head).intersects(viewport()->rect()); });
    return heads;
}

bool HeadGridView::isComplete() const {
    return thumbnails_.hasAll(inOrderOfSight(), look());
}

void HeadGridView::makeThumbnails() {
    const auto heads = inOrderOfSight();
    const auto made = thumbnails_.makeSome(*run_, heads, look(), headGridViewSlice);
    for (const auto& head : made)
        viewport()->update(thumbnailRect(head));
    if (!thumbnails_.withoutTile(*run_, heads).empty())
        Q_EMIT tilesWanted();
    if (made.empty() || thumbnails_.hasAll(heads, look()))
        rest_.stop();
    else if (!rest_.isActive())
        rest_.start(0, this);
}

std::vector<trace::HeadAddress> HeadGridView::missingTiles() const {
    return run_ && isVisible() ? thumbnails_.withoutTile(*run_, inOrderOfSight())
                               : std::vector<trace::HeadAddress>();
}

void HeadGridView::setTile(const trace::HeadAddress& head, MapTile tile) {
    thumbnails_.setTile(head, std::move(tile));
    viewport()->update(thumbnailRect(head));
}

void HeadGridView::timerEvent(QTimerEvent* event) {
    if (event->timerId() == rest_.timerId())
        makeThumbnails();
    else
        QAbstractScrollArea::timerEvent(event);
}

} // namespace headscope::widgets
