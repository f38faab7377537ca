#include "widgets/map/linked_maps.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/pooled_cells.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/words/plain_text.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double openTop = 1.8; ///< of the scale on which an open cell is 1: hatching stays visible beside it

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

LinkedMap pooled(LinkedMap map, int side, const trace::LongWork& work) {
    const std::size_t rows = map.values.rows();
    const std::size_t columns = map.values.columns();
    const auto tokens = tokensACell(rows, columns, static_cast<std::size_t>(side));
    if (tokens <= 1)
        return map;
    const auto cells = [tokens](std::size_t count) { return (count + tokens - 1) / tokens; };
    PooledCells pooled(cells(rows), cells(columns), map.pooling);
    for (std::size_t row = 0; row < rows; ++row) {
        work.goesOn(row, rows);
        for (std::size_t column = 0; column < columns; ++column)
            pooled.add(row / tokens, column / tokens, map.values(row, column),
                       map.mask.empty() || map.mask(row, column));
    }
    map.values = std::move(pooled.values);
    if (!map.mask.empty())
        map.mask = std::move(pooled.open);
    thinLabels(map, tokens);
    return map;
}

void thinLabels(LinkedMap& map, std::size_t tokens) {
    for (auto* labels : {&map.rowLabels, &map.columnLabels}) {
        for (std::size_t i = 1; i * tokens < labels->size(); ++i)
            (*labels)[i] = std::move((*labels)[i * tokens]);
        labels->resize((labels->size() + tokens - 1) / tokens);
    }
    map.tokensACell = static_cast<int>(tokens);
}

QString cellsInWords(const std::vector<LinkedMap>& maps) {
    int tokens = 1; // some maps may hold words alone
    for (const LinkedMap& map : maps)
        tokens = std::max(tokens, map.tokensACell);
    if (tokens == 1)
        return {};
    const bool largest = std::ranges::find(maps, Pooling::Largest, &LinkedMap::pooling) != maps.end();
    return ' ' + LinkedMaps::tr("Each cell of the pictures stands for %1 x %1 cells: %2 of the open ones, "
                                "hatched where all are closed; words are of the first one.")
                     .arg(QString::number(tokens), largest ? LinkedMaps::tr("the largest value")
                                                           : LinkedMaps::tr("the value furthest from zero"));
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

MapPicture LinkedMaps::picture(const LinkedMap& map, const Place& place, const Theme& theme) const {
    MapPicture picture{.values = trace::view(map.values), .mask = map.mask.empty() ? nullptr : &map.mask};
    picture.pooling = map.pooling;
    picture.scale = map.tone == LinkedMap::Tone::Scores
                        ? ColourScale::diverging(map.limit, theme.dark)
                        : ColourScale::sequential(0, map.tone == LinkedMap::Tone::Open ? openTop : 1,
                                                  ColourMapping::Linear, theme.dark);
    if (place.hasRowLabels)
        picture.rowLabels = map.rowLabels;
    picture.columnLabels = map.columnLabels;
    return picture;
}

/// What the colours of masks mean; nothing where there are none.
std::vector<LegendEntry> LinkedMaps::legend(const Theme& theme) const {
    const auto isMask = [](const LinkedMap& map) { return map.tone == LinkedMap::Tone::Open; };
    if (std::ranges::none_of(maps_, isMask))
        return {};
    const auto sample = [line = theme.line](auto fill) {
        return [line, fill](QPainter& painter, const QRectF& area) {
            fill(painter, area);
            painter.setPen(line);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(area);
        };
    };
    const QColor open(ColourScale::sequential(0, openTop, ColourMapping::Linear, theme.dark).colour(1));
    return {{sample([open](QPainter& painter, const QRectF& area) { painter.fillRect(area, open); }),
             tr("open: the row may look at the key")},
            {sample([&theme](QPainter& painter, const QRectF& area) { drawHatch(painter, area, theme); }),
             tr("closed: it may not")}};
}

void LinkedMaps::drawNames(QPainter& painter, const LinkedMap& map, const MapPicture& shown,
                           const MapLayout& layout, const Theme& theme) const {
    if (!isDecoded_)
        return drawMapLabels(painter, shown, layout, labelStyle(), theme);
    const DecodedCells decoded{.hasRow = [&](int row) { return isDecoded_(map.kind, true, row); },
                               .hasColumn = [&](int column) { return isDecoded_(map.kind, false, column); }};
    emptyUndecoded(painter, layout, decoded, theme);
    drawDecodedLabels(painter, shown, layout, decoded, labelStyle(), theme);
}

void LinkedMaps::drawStill(QPainter& painter, const QRectF& area, const std::vector<Place>& places,
                           const Theme& theme) const {
    const QFontMetricsF metrics(font());
    // Right below the maps, not at the far end of the page.
    QRectF explained = legendArea(area);
    double end = area.top();
    for (const Place& place : places)
        end = std::max(end, place.layout.plot().bottom());
    explained.moveTop(std::min(explained.top(), end + 8));
    drawLegend(&painter, explained, legend(theme), font(), theme);
    painter.setFont(font());
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const LinkedMap& map = maps_[i];
        const Place& place = places[i];
        painter.setPen(theme.text);
        painter.drawText(QRectF(place.area.left(), place.area.top(), place.area.width(), metrics.height()),
                         Qt::AlignLeft, metrics.elidedText(map.title, Qt::ElideRight, place.area.width()));
        if (map.values.empty()) {
            painter.setPen(theme.faintText);
            painter.drawText(place.area.adjusted(0, metrics.height(), 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
                             map.words);
            continue;
        }
        const MapPicture shown = picture(map, place, theme);
        drawMapCells(painter, shown, place.layout, theme);
        drawNames(painter, map, shown, place.layout, theme);
        if (place.hasLegend)
            drawColourBar(painter, place.layout.plot(), shown.scale, font(), theme);
    }
}

void LinkedMaps::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    drawStill(painter, area, place(area), theme);
}

void LinkedMaps::drawFocus(QPainter& painter, const Theme& theme) const {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const LinkedMap& map = maps_[i];
        if (!map.values.empty())
            drawMapMarks(painter, picture(map, places_[i], theme), places_[i].layout,
                         {.row = within(cellOf(selection_->focus().query(map.kind)), map.values.rows()),
                          .column = within(cellOf(selection_->focus().key(map.kind)), map.values.columns())},
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
        drawStill(stillPainter, QRectF(rect()), places_, theme);
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
