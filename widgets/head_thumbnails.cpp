#include "widgets/head_thumbnails.h"

#include "widgets/map_picture.h"
#include "widgets/matrix_image.h"
#include "widgets/theme.h"

#include <algorithm>

namespace headscope::widgets {

QPixmap headThumbnail(const trace::Run& run, const trace::HeadAddress& head, const ThumbnailLook& look,
                      const MapTile& tile) {
    const trace::AttentionRecord* record = run.record(head.site);
    if (!record || head.head < 0 || static_cast<std::size_t>(head.head) >= record->heads() ||
        (record->isLeftOut() && !tile))
        return {};
    const trace::MatrixView values = record->isLeftOut()
                                         ? trace::view(tile->values)
                                         : record->weights.head(static_cast<std::size_t>(head.head));
    const trace::MaskMatrix& mask = record->isLeftOut() ? tile->open : record->mask;
    const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, look.theme->dark);
    const QRectF all(0, 0, static_cast<double>(values.columns()), static_cast<double>(values.rows()));
    const QImage image = pooledImage(values, &mask, all, look.side * look.pixelRatio, scale,
                                     look.theme->hatch.rgb(), look.theme->background.rgb());
    QPixmap pixmap = QPixmap::fromImage(image);
    pixmap.setDevicePixelRatio(look.pixelRatio);
    return pixmap;
}

std::vector<trace::HeadAddress>
HeadThumbnails::withoutTile(const trace::Run& run, const std::vector<trace::HeadAddress>& wanted) const {
    std::vector<trace::HeadAddress> missing;
    for (const auto& head : wanted)
        if (const auto* record = run.record(head.site);
            record && record->isLeftOut() && !tiles_.contains(head))
            missing.push_back(head);
    return missing;
}

MapTile HeadThumbnails::tile(const trace::HeadAddress& head) const {
    const auto found = tiles_.find(head);
    return found == tiles_.end() ? nullptr : found->second;
}

HeadMap headMapOfFigure(const trace::Run& run, const trace::HeadAddress& head,
                        const std::function<QPixmap()>& otherwise) {
    const trace::AttentionRecord* record = run.record(head.site);
    if (!record || head.head < 0 || static_cast<std::size_t>(head.head) >= record->weights.heads() ||
        !isDrawnAsCells(record->mask.rows(), record->mask.columns()))
        return {.picture = otherwise()};
    return {.values = record->weights.head(static_cast<std::size_t>(head.head)), .mask = &record->mask};
}

QPixmap HeadThumbnails::picture(const trace::HeadAddress& head) const {
    const auto found = made_.find(head);
    return found == made_.end() ? QPixmap() : found->second.picture;
}

QPixmap HeadThumbnails::picture(const trace::HeadAddress& head, const ThumbnailLook& look) const {
    return has(head, look) ? picture(head) : QPixmap();
}

bool HeadThumbnails::has(const trace::HeadAddress& head, const ThumbnailLook& look) const {
    const auto found = made_.find(head);
    return found != made_.end() && found->second.look.side == look.side &&
           found->second.look.pixelRatio == look.pixelRatio && found->second.look.theme == look.theme;
}

bool HeadThumbnails::hasAll(const std::vector<trace::HeadAddress>& wanted, const ThumbnailLook& look) const {
    return std::ranges::all_of(wanted, [&](const auto& head) { return has(head, look); });
}

std::vector<trace::HeadAddress> HeadThumbnails::makeSome(const trace::Run& run,
                                                         const std::vector<trace::HeadAddress>& wanted,
                                                         const ThumbnailLook& look,
                                                         std::chrono::milliseconds time) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<trace::HeadAddress> fresh;
    for (const auto& head : wanted) {
        if (has(head, look) || !withoutTile(run, {head}).empty())
            continue;
        made_[head] = {headThumbnail(run, head, look, tile(head)), look};
        fresh.push_back(head);
        if (std::chrono::steady_clock::now() - begin >= time)
            break;
    }
    return fresh;
}

} // namespace headscope::widgets
