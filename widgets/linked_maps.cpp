#include "widgets/linked_maps.h"

#include "widgets/colour_bar.h"
#include "widgets/empty_state.h"
#include "widgets/map_marks.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double margin = 12;
constexpr double gap = 16;
constexpr double roomForLegend = 13; ///< lines of text across; in less, cells need it more

std::optional<int> within(std::optional<int> index, std::size_t count) {
    return index && *index >= 0 && static_cast<std::size_t>(*index) < count ? index : std::nullopt;
}

} // namespace

LinkedMap openCells(trace::MaskMatrix mask) {
    LinkedMap map;
    map.values = trace::Matrix(mask.rows(), mask.columns());
    std::ranges::transform(mask.values(), map.values.values().begin(),
                           [](std::uint8_t open) { return open ? 1.0f : 0.0f; });
    map.mask = std::move(mask);
    return map;
}

LinkedMaps::LinkedMaps(const QString& name, Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    teachReadersAboutMaps();
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(selection_, &Selection::focusChanged, this, &LinkedMaps::focusMoved);
}

void LinkedMaps::setMaps(std::vector<LinkedMap> maps) {
    maps_ = std::move(maps);
    axes_.clear();
    int rows = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const bool isKnown = std::ranges::any_of(
            axes_, [&](const Axes& axes) { return maps_[axes.map].kind == maps_[i].kind; });
        if (isKnown || maps_[i].values.empty())
            continue;
        axes_.push_back({.map = i, .firstRow = rows});
        rows += static_cast<int>(maps_[i].values.rows());
    }
    placesChanged();
}

void LinkedMaps::setWords(Describe describe, NameToken nameToken) {
    describe_ = std::move(describe);
    nameToken_ = std::move(nameToken);
}

void LinkedMaps::setEmptyState(const QString& whatItShows, const QString& wayThere) {
    whatItShows_ = whatItShows;
    wayThere_ = wayThere;
    update();
}

void LinkedMaps::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    placesChanged();
}

void LinkedMaps::setWholeRows(bool whole) {
    wholeRows_ = whole;
    placesChanged();
}

void LinkedMaps::placesChanged() {
    still_ = QPixmap();
    places_ = place(QRectF(rect()));
    update();
}

void LinkedMaps::focusMoved() {
    describeForReaders(this, focusInWords());
    announceCursor(this, *this);
    update();
}

TokenLabelStyle LinkedMaps::labelStyle() const {
    return {.font = font(), .spaceMarks = spaceMarks_};
}

MapPicture LinkedMaps::picture(const LinkedMap& map, const Theme& theme) const {
    MapPicture picture{.values = trace::view(map.values), .mask = map.mask.empty() ? nullptr : &map.mask};
    // Open cells of a mask are of the scale's middle: marks and hatching stay visible beside them.
    picture.scale = map.tone == LinkedMap::Tone::Scores
                        ? ColourScale::diverging(map.limit, theme.dark)
                        : ColourScale::sequential(0, map.tone == LinkedMap::Tone::Open ? 1.8 : 1,
                                                  ColourMapping::Linear, theme.dark);
    picture.rowLabels = map.rowLabels;
    picture.columnLabels = map.columnLabels;
    return picture;
}

std::vector<LinkedMaps::Place> LinkedMaps::placeIn(const QRectF& area, int columns) const {
    const double title = QFontMetricsF(font()).height() + 8;
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const int rows = (static_cast<int>(maps_.size()) + columns - 1) / columns;
    const QSizeF box((inside.width() - (columns - 1) * gap) / columns,
                     (inside.height() - (rows - 1) * gap) / rows);
    std::vector<Place> places;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const int at = static_cast<int>(i);
        Place place{.area = QRectF(inside.left() + (at % columns) * (box.width() + gap),
                                   inside.top() + (at / columns) * (box.height() + gap), box.width(),
                                   box.height())};
        if (!maps_[i].values.empty()) {
            const MapPicture shown = picture(maps_[i], lightTheme());
            MapLayoutInput input = layoutInput(shown, labelStyle(), place.area.adjusted(0, title, 0, 0));
            place.hasLegend =
                maps_[i].tone != LinkedMap::Tone::Open && box.width() >= roomForLegend * input.lineHeight;
            if (place.hasLegend)
                input.rightMargin = colourBarWidth(shown.scale, font());
            place.layout = MapLayout(input);
        }
        places.push_back(std::move(place));
    }
    return places;
}

/// In a row unless more rows make the smallest cell clearly larger.
std::vector<LinkedMaps::Place> LinkedMaps::place(const QRectF& area) const {
    constexpr double clearly = 1.2;
    const auto smallestCell = [this](const std::vector<Place>& places) {
        double smallest = 1e6;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (!maps_[i].values.empty()) {
                const QSizeF cell = places[i].layout.cellSize();
                smallest = std::min(smallest, std::min(cell.width(), 2 * cell.height()));
            }
        return smallest;
    };
    std::vector<Place> best;
    double largest = 0;
    for (int columns = static_cast<int>(maps_.size()); columns > 0; --columns) {
        if (wholeRows_ && static_cast<int>(maps_.size()) % columns != 0)
            continue;
        auto places = placeIn(area, columns);
        const double cell = smallestCell(places);
        if (best.empty() || cell > clearly * largest) {
            best = std::move(places);
            largest = cell;
        }
    }
    return best;
}

void LinkedMaps::drawStill(QPainter& painter, const std::vector<Place>& places, const Theme& theme) const {
    const QFontMetricsF metrics(font());
    painter.setFont(font());
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const LinkedMap& map = maps_[i];
        const Place& place = places[i];
        painter.setPen(theme.text);
        painter.drawText(QRectF(place.area.left(), place.area.top(), place.area.width(), metrics.height()),
                         Qt::AlignLeft, metrics.elidedText(map.title, Qt::ElideRight, place.area.width()));
        if (map.values.empty()) {
            painter.setPen(theme.faintText);
            painter.drawText(place.area.adjusted(0, metrics.height() + 8, 0, 0),
                             Qt::AlignLeft | Qt::TextWordWrap, map.words);
            continue;
        }
        const MapPicture shown = picture(map, theme);
        drawMapCells(painter, shown, place.layout, theme);
        drawMapLabels(painter, shown, place.layout, labelStyle(), theme);
        if (place.hasLegend)
            drawColourBar(painter, place.layout.plot(), shown.scale, font(), theme);
    }
}

void LinkedMaps::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    drawStill(painter, place(area), theme);
}

void LinkedMaps::drawFocus(QPainter& painter, const Theme& theme) const {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const LinkedMap& map = maps_[i];
        if (!map.values.empty())
            drawMapMarks(painter, picture(map, theme), places_[i].layout,
                         {.row = within(selection_->focus().query(map.kind), map.values.rows()),
                          .column = within(selection_->focus().key(map.kind), map.values.columns())},
                         labelStyle(), theme);
    }
}

void LinkedMaps::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty()) {
        drawEmptyState(painter, QRectF(rect()), whatItShows_, wayThere_, theme);
        return;
    }
    if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        still_.fill(theme.background);
        QPainter stillPainter(&still_);
        drawStill(stillPainter, places_, theme);
    }
    painter.drawPixmap(0, 0, still_);
    drawFocus(painter, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void LinkedMaps::resizeEvent(QResizeEvent*) {
    placesChanged();
}

void LinkedMaps::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        placesChanged();
}

} // namespace headscope::widgets
