#include "widgets/tiles/head_thumbnails.h"

#include "widgets/drawing/matrix_image.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_picture.h"
#include "widgets/map/map_tones.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct HeadThumbnailsWords {
    Q_DECLARE_TR_FUNCTIONS(HeadThumbnails)
};

struct SmallMap {
    trace::MatrixView values;
    const trace::MaskMatrix* mask = nullptr; ///< null: there is no map
};

SmallMap smallMap(const trace::Run& run, const trace::HeadAddress& head, const MapTile& tile) {
    const trace::AttentionRecord* record = run.recordOf(head);
    if (!record || (record->isRecomputed() && !tile))
        return {};
    if (record->isRecomputed())
        return {trace::view(tile->values), &tile->open};
    return {record->weights.head(head.head), &record->mask};
}

double limitOf(const SmallMap& map, const trace::Run& run, trace::AttentionKind kind, std::size_t queries) {
    const bool areWeights = run.selfCheck.rowsSumToOne.state != trace::CheckState::Failed;
    if (!endsAtLargest(kind, queries) && areWeights)
        return 1; // the values do not matter
    double largest = 0;
    for (std::size_t row = 0; row < map.values.rows(); ++row)
        for (std::size_t column = 0; column < map.values.columns(); ++column)
            if (const float weight = map.values(row, column);
                (*map.mask)(row, column) && std::isfinite(weight))
                largest = std::max(largest, static_cast<double>(weight));
    return limitOfWeights(kind, queries, largest);
}

} // namespace

double thumbnailLimit(const trace::Run& run, const trace::HeadAddress& head, const MapTile& tile) {
    const SmallMap map = smallMap(run, head, tile);
    return map.mask ? limitOf(map, run, head.site.kind, run.record(head.site)->queries()) : 1;
}

QString thumbnailColoursInWords(const trace::Run& run, trace::AttentionKind kind) {
    const auto* record = run.record({.kind = kind, .layer = 0});
    if (record && endsAtLargest(kind, record->queries()))
        return HeadThumbnailsWords::tr("If no weight of an encoder's head is above 0.5, its colours end at "
                                       "the next round number, as in the heatmap.");
    return run.selfCheck.rowsSumToOne.state == trace::CheckState::Failed
               ? HeadThumbnailsWords::tr("If a weight is above 1, the colours of its head end at the next "
                                         "round number, as in the heatmap.")
               : QString();
}

QString thumbnailLimitInWords(double limit) {
    return limit != 1 ? HeadThumbnailsWords::tr("Colours end at %1: no weight is larger.").arg(limit)
                      : QString();
}

QPixmap headThumbnail(const trace::Run& run, const trace::HeadAddress& head, const ThumbnailLook& look,
                      const MapTile& tile) {
    const auto [values, mask] = smallMap(run, head, tile);
    if (!mask)
        return {};
    const auto scale =
        ColourScale::sequential(0, thumbnailLimit(run, head, tile), ColourMapping::Linear, look.theme->dark);
    const QRectF all(0, 0, static_cast<double>(values.columns()), static_cast<double>(values.rows()));
    const QImage image = pooledImage(values, mask, all, look.side * look.pixelRatio, scale,
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
            record && record->isRecomputed() && !tiles_.contains(head))
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
    if (!record || head.head >= record->weights.heads() ||
        !isDrawnAsCells(record->mask.rows(), record->mask.columns()))
        return {.picture = otherwise()};
    return {
        .values = record->weights.head(head.head), .mask = &record->mask, .limit = thumbnailLimit(run, head)};
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
