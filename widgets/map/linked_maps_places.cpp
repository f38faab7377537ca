// Where linked maps stand.
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/linked_maps.h"

#include <QFontMetricsF>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr double linkedMapsPlacesMargin = 12;
constexpr double linkedMapsPlacesGap = 16;
constexpr double besidePlot = 6;     ///< what MapLayout leaves between row labels and plot
constexpr double labelShare = 0.53;  ///< of a plot's width that its row labels have at most
constexpr double roomForLegend = 13; ///< lines of text across; in less, cells need it more
constexpr double clearly = 1.2;      ///< how much larger cells have to be for fewer maps beside each other
constexpr double nearlySquare = 1.3; ///< long side : short side of a cell at most

QRectF insideOf(const QRectF& area) {
    return area.adjusted(linkedMapsPlacesMargin, linkedMapsPlacesMargin, -linkedMapsPlacesMargin,
                         -linkedMapsPlacesMargin);
}

} // namespace

double LinkedMaps::titleHeight() const {
    return QFontMetricsF(font()).height() + 8;
}

/// At the foot; of no height where nothing is to be explained.
QRectF LinkedMaps::legendArea(const QRectF& area) const {
    const QRectF inside = insideOf(area);
    const double height = drawLegend(nullptr, inside, legend(lightTheme()), font(), lightTheme());
    return {inside.left(), inside.bottom() - height, inside.width(), height};
}

/// Which maps have row labels and legends: not those whose neighbour has the same labels, or one further on
/// in the row the same scale.
std::vector<LinkedMaps::Place> LinkedMaps::shares(const std::vector<std::size_t>& shown, int columns,
                                                  double width) const {
    std::vector<Place> places(maps_.size());
    const auto across = static_cast<std::size_t>(columns);
    const bool roomy = width / columns >= roomForLegend * labelStyle().lineHeight();
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const LinkedMap& map = maps_[shown[at]];
        const LinkedMap* before = at % across > 0 ? &maps_[shown[at - 1]] : nullptr;
        bool sameScale = false; // of one further on, whose legend it is
        for (std::size_t after = at + 1; after < shown.size() && after % across != 0; ++after)
            sameScale =
                sameScale || (maps_[shown[after]].tone == map.tone && maps_[shown[after]].limit == map.limit);
        places[shown[at]].hasRowLabels = !before || before->kind != map.kind;
        places[shown[at]].hasLegend = roomy && map.tone != LinkedMap::Tone::Open && !sameScale;
    }
    return places;
}

/// All plots are equally wide, those with labels and legends beside them too.
LinkedMaps::Frame LinkedMaps::frame(const std::vector<Place>& places, const std::vector<std::size_t>& shown,
                                    int columns, double width) const {
    Frame frame{.plot = width};
    for (const std::size_t i : shown) {
        const MapPicture drawn = picture(maps_[i], places[i], lightTheme());
        const auto input = layoutInput(drawn, labelStyle(), {});
        for (const double label : input.rowLabelWidths)
            frame.labels = std::max(frame.labels, std::min(label, input.longestLabel));
        if (places[i].hasLegend)
            frame.legend = std::max(frame.legend, colourBarWidth(drawn.scale, font()));
    }
    const auto across = static_cast<std::size_t>(columns);
    for (std::size_t first = 0; first < shown.size(); first += across) {
        const std::size_t end = std::min(first + across, shown.size());
        double labelled = 0;
        double room = width - (columns - 1) * linkedMapsPlacesGap -
                      frame.legend; // the last one's labels may lean over it
        for (std::size_t at = first; at < end; ++at) {
            room -= besidePlot + (places[shown[at]].hasLegend && at + 1 < end ? frame.legend : 0);
            labelled += places[shown[at]].hasRowLabels ? 1 : 0;
        }
        frame.labels = std::min(frame.labels, labelShare * room / (columns + labelShare * labelled));
        frame.plot = std::min(frame.plot, (room - labelled * frame.labels) / columns);
    }
    frame.plot = std::max(frame.plot, 8.0);
    frame.labels = std::max(frame.labels, 0.0);
    return frame;
}

std::vector<LinkedMaps::Place> LinkedMaps::placeIn(const QRectF& area, const std::vector<std::size_t>& shown,
                                                   int columns) const {
    auto places = shares(shown, columns, area.width());
    const Frame frame = this->frame(places, shown, columns, area.width());
    const int rows = (static_cast<int>(shown.size()) + columns - 1) / columns;
    const double height = (area.height() - (rows - 1) * linkedMapsPlacesGap) / rows;
    double left = area.left();
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const int row = static_cast<int>(at) / columns;
        if (static_cast<int>(at) % columns == 0)
            left = area.left();
        Place& place = places[shown[at]];
        const double besides = besidePlot + (place.hasRowLabels ? frame.labels : 0);
        place.area =
            QRectF(left, area.top() + row * (height + linkedMapsPlacesGap), besides + frame.plot, height);
        MapLayoutInput input = layoutInput(picture(maps_[shown[at]], place, lightTheme()), labelStyle(),
                                           place.area.adjusted(0, titleHeight(), frame.legend, 0));
        for (double& label : input.rowLabelWidths)
            label = std::min(label, frame.labels);
        // Nearly square, but for rows that are high enough for each to be named.
        input.oblongCell =
            std::clamp(input.lineHeight * input.columns / frame.plot, nearlySquare, input.oblongCell);
        input.rightMargin = frame.legend; // slanted labels may lean over it, or over the next map's beginning
        place.layout = MapLayout(input);
        left = place.area.right() + (place.hasLegend ? frame.legend : 0) + linkedMapsPlacesGap;
    }
    return places;
}

double LinkedMaps::smallestCell(const std::vector<Place>& places) const {
    double smallest = 1e6;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!maps_[i].values.empty()) {
            const QSizeF cell = places[i].layout.cellSize();
            smallest = std::min({smallest, cell.width(), cell.height()});
        }
    return smallest;
}

/// With rows of some lines of words, and as many maps beside each other as have room for their titles and for
/// the labels of all columns.
double LinkedMaps::heightFor(double width) const {
    constexpr double rowOfLines = 1.15, highest = 3; // in lines, and in widths
    const QFontMetricsF metrics(font());
    const QRectF inside = insideOf({0, 0, width, 1e4});
    std::vector<std::size_t> shown;
    double words = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i)
        if (!maps_[i].values.empty())
            shown.push_back(i);
        else
            words += metrics.height() + linkedMapsPlacesGap +
                     metrics.boundingRect(inside, Qt::TextWordWrap, maps_[i].words).height();
    const double legend = legendArea(inside).height();
    const double besides =
        words + (legend > 0 ? legend + linkedMapsPlacesGap / 2 : 0) + 2 * linkedMapsPlacesMargin;
    const double line = labelStyle().lineHeight();
    double tallest = 0;
    for (const std::size_t i : shown)
        tallest = std::max(tallest, rowOfLines * line * static_cast<double>(maps_[i].values.rows()));
    if (tallest > highest * width)
        return std::ceil(besides + tallest); // on no page
    double refused = 0; // the smallest cell of more beside each other, which place() would prefer
    for (int columns = static_cast<int>(shown.size()); columns > 0; --columns) {
        if (wholeRows_ && static_cast<int>(shown.size()) % columns != 0)
            continue;
        const auto places = placeIn(inside, shown, columns);
        const bool isWhole = std::ranges::all_of(shown, [&](std::size_t i) {
            const MapLayout& layout = places[i].layout;
            return layout.cellSize().width() >= line + 1 &&
                   metrics.horizontalAdvance(maps_[i].title) <= places[i].area.width();
        });
        if (!isWhole && columns > 1) {
            refused = std::max(refused, smallestCell(places));
            continue;
        }
        const double row = std::max(rowOfLines * line, clearly * refused + 1);
        double high = 0;
        for (const std::size_t i : shown) {
            const double above = places[i].layout.plot().top() - places[i].area.top();
            high = std::max(high, above + row * static_cast<double>(maps_[i].values.rows()));
        }
        const int rows = (static_cast<int>(shown.size()) + columns - 1) / columns;
        return std::ceil(besides + rows * high + (rows - 1) * linkedMapsPlacesGap + 1);
    }
    return besides;
}

/// What has no picture stands above the others, which are in a row unless more rows make the smallest cell
/// clearly larger.
std::vector<LinkedMaps::Place> LinkedMaps::place(const QRectF& area) const {
    QRectF inside = insideOf(area);
    if (const QRectF below = legendArea(area); below.height() > 0)
        inside.setBottom(below.top() - linkedMapsPlacesGap / 2);
    std::vector<std::size_t> shown;
    std::vector<Place> best(maps_.size());
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        if (!maps_[i].values.empty()) {
            shown.push_back(i);
            continue;
        }
        const QFontMetricsF metrics(font());
        const double words = metrics.boundingRect(inside, Qt::TextWordWrap, maps_[i].words).height();
        best[i].area = QRectF(inside.topLeft(), QSizeF(inside.width(), metrics.height() + words));
        inside.setTop(best[i].area.bottom() + linkedMapsPlacesGap);
    }
    const auto words = best;
    double largest = 0;
    for (int columns = static_cast<int>(shown.size()); columns > 0; --columns) {
        if (wholeRows_ && static_cast<int>(shown.size()) % columns != 0)
            continue;
        auto places = placeIn(inside, shown, columns);
        const double cell = smallestCell(places);
        if (largest == 0 || cell > clearly * largest) {
            best = std::move(places);
            largest = cell;
        }
    }
    for (std::size_t i = 0; i < maps_.size(); ++i)
        if (maps_[i].values.empty())
            best[i] = words[i];
    return best;
}

} // namespace headscope::widgets
