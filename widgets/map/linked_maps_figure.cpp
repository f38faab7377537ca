#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/named_labels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double linkedMapsPageMargin = 12;

/// Including the distance to the maps.
double wordsHeight(const QFont& font, double width, const QString& words) {
    if (words.isEmpty())
        return 0;
    const QRectF room(0, 0, width - 2 * linkedMapsPageMargin, 1e4);
    return std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, words).height()) +
           linkedMapsPageMargin;
}

} // namespace

QString LinkedMaps::namedInWords(const QRectF& area) const {
    const auto places = place(area);
    QString words;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const QString said = maps_[i].values.empty()
                                 ? QString()
                                 : widgets::namedInWords(places[i].layout, places[i].hasRowLabels);
        words = said.size() > words.size() ? said : words; // some maps share the labels of another
    }
    return words;
}

bool LinkedMaps::areAllNamed(const QRectF& area) const {
    const auto places = place(area);
    for (std::size_t i = 0; i < maps_.size(); ++i)
        if (!maps_[i].values.empty() && !widgets::areAllNamed(places[i].layout))
            return false;
    return true;
}

void LinkedMaps::drawPage(QPainter& painter, QSize size, const QString& caption, const FigureParts& parts,
                          const Theme& theme) const {
    const QRectF page(QPointF(0, 0), QSizeF(size));
    painter.fillRect(page, theme.background);
    if (isEmpty())
        return;
    const auto above = [&](const QString& words) {
        return page.adjusted(0, 0, 0, -wordsHeight(font(), page.width(), words));
    };
    const QString words =
        wordsWithNamed(caption, parts, [&](const QString& below) { return namedInWords(above(below)); });
    draw(painter, above(words), theme);
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(page.adjusted(linkedMapsPageMargin, linkedMapsPageMargin, -linkedMapsPageMargin,
                                   -linkedMapsPageMargin),
                     Qt::AlignBottom | Qt::TextWordWrap, words);
}

/// Level column names of a high page may be turned in a lower one, whose rows then need more height.
std::optional<int> LinkedMaps::pageHeight(int width, int least, const QString& caption) const {
    constexpr std::array turned{0, 4, 8}; // lines
    const double words = wordsHeight(font(), width, caption);
    const auto isEnough = [&](int height) { return areAllNamed(QRectF(0, 0, width, height - words)); };
    if (least > 0 && isEnough(least))
        return least;
    for (const int lines : turned) {
        const double needed = heightFor(width) + words + lines * labelStyle().lineHeight();
        if (const int height = std::max(least, static_cast<int>(std::ceil(needed))); isEnough(height))
            return height;
    }
    return std::nullopt;
}

/// A page without words ends below its maps and their legend.
int LinkedMaps::heightDrawn(QSize page) const {
    const QRectF area(0, 0, page.width(), page.height());
    double end = 0;
    for (const Place& place : place(area))
        end = std::max(end, place.layout.empty() ? place.area.bottom() : place.layout.plot().bottom());
    const double legend = legendArea(area).height();
    return static_cast<int>(std::ceil(end + (legend > 0 ? legend + linkedMapsPageMargin : 0))) +
           static_cast<int>(linkedMapsPageMargin);
}

QSize LinkedMaps::pageSize(QSize least, const QString& caption, const FigureParts& parts) const {
    constexpr int step = 120, widest = 3600;
    const QString words = parts.caption ? caption : QString();
    if (!parts.caption)
        least.rheight() -= static_cast<int>(wordsHeight(font(), least.width(), caption));
    const bool isLong = std::ranges::any_of(
        maps_, [](const LinkedMap& map) { return map.values.rows() > std::size_t(mostNamed); });
    if (isLong)
        return least;
    for (int width = least.width(); width <= widest; width += step)
        if (const auto height = pageHeight(width, least.height(), words))
            return {width, parts.caption ? *height : std::min(*height, heightDrawn({width, *height}))};
    return least;
}

QSize LinkedMaps::narrowPage(int width, const QString& caption, const FigureParts& parts) const {
    const QString words = parts.caption ? caption : QString();
    const double usual = heightFor(width) + wordsHeight(font(), width, words);
    return {width, pageHeight(width, 0, words).value_or(static_cast<int>(std::ceil(usual)))};
}

void addLinkedMaps(trace::FigureData& data, const std::vector<LinkedMap>& maps) {
    for (const auto& map : maps) {
        const bool isMask = map.tone == LinkedMap::Tone::Open || map.values.empty();
        if (isMask && map.mask.empty())
            continue; // it has only words
        trace::Matrix open;
        if (isMask)
            open = {
                map.mask.rows(), map.mask.columns(), {map.mask.values().begin(), map.mask.values().end()}};
        std::string name = map.title.toStdString();
        if (std::ranges::find(data.arrays, name, &trace::DataArray::name) != data.arrays.end())
            name += " " + std::to_string(data.arrays.size() + 1);
        data.arrays.push_back(dataArray(std::move(name), trace::view(isMask ? open : map.values),
                                        isMask || map.mask.empty() ? nullptr : &map.mask,
                                        dataAxis("query", map.rowLabels), dataAxis("key", map.columnLabels)));
    }
}

} // namespace headscope::widgets
