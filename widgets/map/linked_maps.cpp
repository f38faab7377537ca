#include "widgets/map/linked_maps.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/pooled_cells.h"
#include "widgets/map/undecoded_cells.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double openTop =
    1.8; ///< of the scale on which an allowed cell is 1: hatching stays visible beside it

std::optional<int> within(std::optional<int> index, std::size_t count) {
    return index && *index >= 0 && std::cmp_less(*index, count) ? index : std::nullopt;
}

} // namespace

LinkedMap allowedCells(trace::MaskMatrix mask) {
    LinkedMap map;
    map.values = trace::Matrix(mask.rows(), mask.columns());
    std::ranges::transform(mask.values(), map.values.values().begin(),
                           [](std::uint8_t open) { return open ? 1.0f : 0.0f; });
    map.mask = std::move(mask);
    return map;
}

LinkedMap pooled(LinkedMap map, int side, const trace::Task& work) {
    const std::size_t rows = map.values.rows();
    const std::size_t columns = map.values.columns();
    const auto tokens = tokensACell(rows, columns, side);
    if (tokens <= 1)
        return map;
    const auto cells = [tokens](std::size_t count) { return (count + tokens - 1) / tokens; };
    PooledCells pooled(cells(rows), cells(columns), map.pooling);
    for (std::size_t row = 0; row < rows; ++row) {
        work.report(row, rows);
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
    map.tokensACell = tokens;
}

QString cellsInWords(const std::vector<LinkedMap>& maps) {
    int tokens = 1; // some maps may have no values
    for (const LinkedMap& map : maps)
        tokens = std::max(tokens, map.tokensACell);
    if (tokens == 1)
        return {};
    const bool largest = std::ranges::find(maps, Pooling::Largest, &LinkedMap::pooling) != maps.end();
    return ' ' + LinkedMaps::tr("Each cell of the pictures covers %1 x %1 cells and shows %2 of the allowed "
                                "cells (hatched if all are masked); the text describes the first cell.")
                     .arg(QString::number(tokens), largest ? LinkedMaps::tr("the largest value")
                                                           : LinkedMaps::tr("the value furthest from zero"));
}

LinkedMaps::LinkedMaps(const QString& name, Selection* selection, QWidget* parent)
    : MapView(name, selection, parent) {}

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
        rows += maps_[i].values.rows();
    }
    pictureChanged();
}

void LinkedMaps::setWords(Describe describe, NameToken nameToken) {
    describe_ = std::move(describe);
    nameToken_ = std::move(nameToken);
}

void LinkedMaps::setEmptyState(const QString& whatItShows, const QString& wayThere) {
    whatItShows_ = whatItShows;
    wayThere_ = wayThere;
    MapView::pictureChanged();
}

void LinkedMaps::setWholeRows(bool whole) {
    wholeRows_ = whole;
    pictureChanged();
}

void LinkedMaps::setBare(bool bare) {
    bare_ = bare;
    pictureChanged();
}

void LinkedMaps::setStepRow(std::optional<int> row) {
    stepRow_ = row;
    update();
}

void LinkedMaps::pictureChanged() {
    places_ = place(QRectF(rect()), Canvas::Window);
    MapView::pictureChanged();
    Q_EMIT placed();
}

MapPicture LinkedMaps::picture(const LinkedMap& map, const Place& place, const Theme& theme) const {
    MapPicture picture{.values = trace::view(map.values), .mask = map.mask.empty() ? nullptr : &map.mask};
    picture.pooling = map.pooling;
    picture.scale = map.tone == LinkedMap::Tone::Scores
                        ? ColourScale::diverging(map.limit, theme.dark)
                        : ColourScale::sequential(0, map.tone == LinkedMap::Tone::Open ? openTop : map.limit,
                                                  ColourMapping::Linear, theme.dark);
    if (place.hasRowLabels)
        picture.rowLabels = map.rowLabels;
    picture.columnLabels = map.columnLabels;
    return picture;
}

/// Explains the colours of masks; empty if there are none.
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
             tr("allowed")},
            {sample([&theme](QPainter& painter, const QRectF& area) { drawHatch(painter, area, theme); }),
             tr("masked")}};
}

void LinkedMaps::drawNames(QPainter& painter, const LinkedMap& map, const MapPicture& shown,
                           const MapLayout& layout, const Theme& theme) const {
    if (!isDecoded_)
        return drawMapLabels(painter, shown, layout, labelStyle(), theme);
    const auto isDecoded = [&](bool isQuery, int cell) {
        return isDecoded_(map.kind, isQuery, cell * tokensACell());
    };
    const DecodedCells decoded{.hasRow = [&](int row) { return isDecoded(true, row); },
                               .hasColumn = [&](int column) { return isDecoded(false, column); }};
    drawDecodedLabels(painter, shown, layout, decoded, labelStyle(), theme);
}

void LinkedMaps::drawStill(QPainter& painter, const QRectF& area, const std::vector<Place>& places,
                           const Theme& theme) const {
    const QFontMetricsF metrics(font());
    // Directly below the maps, not at the end of the page.
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
        if (place.hasTitle)
            painter.drawText(
                QRectF(place.area.left(), place.area.top(), place.area.width(), metrics.height()),
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

void LinkedMaps::paintStill(QPainter& painter, const Theme& theme) const {
    if (isEmpty())
        drawEmptyState(painter, QRectF(rect()), whatItShows_, wayThere_, theme);
    else
        drawStill(painter, QRectF(rect()), places_, theme);
}

void LinkedMaps::paintMoving(QPainter& painter, const Theme& theme) const {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const LinkedMap& map = maps_[i];
        if (!map.values.empty())
            drawMapMarks(painter, picture(map, places_[i], theme), places_[i].layout,
                         {.stepRow = within(cellOf(stepRow_), map.values.rows()),
                          .row = within(cellOf(selection_->focus().query(map.kind)), map.values.rows()),
                          .column = within(cellOf(selection_->focus().key(map.kind)), map.values.columns())},
                         labelStyle(), theme);
    }
}

namespace {

constexpr double linkedMapsPlacesMargin = 12;
constexpr double linkedMapsPlacesGap = 16;
constexpr double besidePlot = 6;     ///< gap of MapLayout between row labels and plot
constexpr double labelShare = 0.53;  ///< width of row labels at most, as a share of the plot's
constexpr double roomForLegend = 13; ///< width in lines of text; in less room there is no colour bar
constexpr double clearly = 1.2;      ///< how much larger cells must be for fewer maps beside each other
constexpr double nearlySquare = 1.3; ///< long side : short side of a cell at most

QRectF insideOf(const QRectF& area) {
    return area.adjusted(linkedMapsPlacesMargin, linkedMapsPlacesMargin, -linkedMapsPlacesMargin,
                         -linkedMapsPlacesMargin);
}

} // namespace

double LinkedMaps::titleHeight() const {
    return QFontMetricsF(font()).height() + 8;
}

/// At the foot; its height is 0 if there is no legend.
QRectF LinkedMaps::legendArea(const QRectF& area) const {
    const QRectF inside = insideOf(area);
    const double height = drawLegend(nullptr, inside, legend(lightTheme()), font(), lightTheme());
    return {inside.left(), inside.bottom() - height, inside.width(), height};
}

/// Decides which maps have row labels and colour bars: no labels if the previous map has equal ones, no bar
/// if a later map of the row has an equal scale.
std::vector<LinkedMaps::Place> LinkedMaps::shares(const std::vector<std::size_t>& shown, int columns,
                                                  double width, Canvas canvas) const {
    std::vector<Place> places(maps_.size());
    const std::size_t across = columns;
    const bool roomy = width / columns >= roomForLegend * labelStyle().lineHeight();
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const LinkedMap& map = maps_[shown[at]];
        const LinkedMap* before = at % across > 0 ? &maps_[shown[at - 1]] : nullptr;
        bool sameScale = false; // of a later map, which has the colour bar
        for (std::size_t after = at + 1; after < shown.size() && after % across != 0; ++after)
            sameScale =
                sameScale || (maps_[shown[after]].tone == map.tone && maps_[shown[after]].limit == map.limit);
        places[shown[at]].hasRowLabels = !before || before->kind != map.kind;
        places[shown[at]].hasTitle = !isBare(canvas);
        places[shown[at]].hasLegend =
            !sameScale && (isBare(canvas) ? map.tone == LinkedMap::Tone::Scores || map.limit != 1
                                          : roomy && map.tone != LinkedMap::Tone::Open);
    }
    return places;
}

/// All plots are equally wide, with or without labels and colour bars beside them.
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
    const std::size_t across = columns;
    for (std::size_t first = 0; first < shown.size(); first += across) {
        const std::size_t end = std::min(first + across, shown.size());
        double labelled = 0;
        double room = width - (columns - 1) * linkedMapsPlacesGap -
                      frame.legend; // labels of the last map may lean over it
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
                                                   int columns, Canvas canvas) const {
    auto places = shares(shown, columns, area.width(), canvas);
    const Frame frame = this->frame(places, shown, columns, area.width());
    const int rows = (std::ssize(shown) + columns - 1) / columns;
    const double height = (area.height() - (rows - 1) * linkedMapsPlacesGap) / rows;
    double left = area.left();
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const int row = at / columns;
        if (at % columns == 0)
            left = area.left();
        Place& place = places[shown[at]];
        const double besides = besidePlot + (place.hasRowLabels ? frame.labels : 0);
        place.area =
            QRectF(left, area.top() + row * (height + linkedMapsPlacesGap), besides + frame.plot, height);
        MapLayoutInput input =
            layoutInput(picture(maps_[shown[at]], place, lightTheme()), labelStyle(),
                        place.area.adjusted(0, place.hasTitle ? titleHeight() : 0, frame.legend, 0));
        for (double& label : input.rowLabelWidths)
            label = std::min(label, frame.labels);
        // Nearly square, unless higher rows allow each to be named.
        input.oblongCell =
            std::clamp(input.lineHeight * input.columns / frame.plot, nearlySquare, input.oblongCell);
        input.rightMargin = frame.legend; // slanted labels may lean over it, or over the next map
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

/// For rows of rowOfLines lines, and as many maps beside each other as have room for titles and all column
/// labels.
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
        return std::ceil(besides + tallest); // does not fit a page
    double refused = 0; // smallest cell of a rejected arrangement, which place() would prefer
    for (int columns = shown.size(); columns > 0; --columns) {
        if (wholeRows_ && shown.size() % columns != 0)
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
        const int rows = (std::ssize(shown) + columns - 1) / columns;
        return std::ceil(besides + rows * high + (rows - 1) * linkedMapsPlacesGap + 1);
    }
    return besides;
}

/// Maps without values are above the others, which are in one row unless more rows make the smallest cell
/// clearly larger.
std::vector<LinkedMaps::Place> LinkedMaps::place(const QRectF& area, Canvas canvas) const {
    QRectF inside = isBare(canvas) ? area.adjusted(1, 1, -1, -1) : insideOf(area); // the focus frame

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
    for (int columns = shown.size(); columns > 0; --columns) {
        if (wholeRows_ && shown.size() % columns != 0)
            continue;
        auto places = placeIn(inside, shown, columns, canvas);
        const double cell = smallestCell(places);
        if (isBare(canvas))
            return places;
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

const LinkedMaps::Axes* LinkedMaps::axesOfRow(int row) const {
    const Axes* found = nullptr;
    for (const Axes& axes : axes_)
        if (row >= axes.firstRow)
            found = &axes;
    return row >= 0 && row < rowCount() ? found : nullptr;
}

std::optional<int> LinkedMaps::tokenOf(std::optional<int> cell) const {
    return cell ? std::optional(*cell * tokensACell()) : std::nullopt;
}

std::optional<int> LinkedMaps::cellOf(std::optional<int> token) const {
    return token ? std::optional(*token / tokensACell()) : std::nullopt;
}

int LinkedMaps::rowCount() const {
    return axes_.empty() ? 0 : axes_.back().firstRow + maps_[axes_.back().map].values.rows();
}

int LinkedMaps::columnCount() const {
    std::size_t most = 0;
    for (const Axes& axes : axes_)
        most = std::max(most, maps_[axes.map].values.columns());
    return most;
}

QString LinkedMaps::rowName(int row) const {
    const Axes* axes = axesOfRow(row);
    return axes && nameToken_
               ? nameToken_(maps_[axes->map].kind, true, (row - axes->firstRow) * tokensACell())
               : QString();
}

QString LinkedMaps::columnName(int column) const {
    // Each kind has its own columns: a column has one name only if there is one kind.
    return axes_.size() == 1 && nameToken_
               ? nameToken_(maps_[axes_.front().map].kind, false, column * tokensACell())
               : QString::number(column * tokensACell());
}

QString LinkedMaps::cellInWords(MapCell cell) const {
    const Axes* axes = axesOfRow(cell.row);
    if (!axes || !describe_ || std::cmp_greater_equal(cell.column, maps_[axes->map].values.columns()))
        return {};
    return describe_(maps_[axes->map].kind,
                     {(cell.row - axes->firstRow) * tokensACell(), cell.column * tokensACell()});
}

QRect LinkedMaps::cellArea(MapCell cell) const {
    const Axes* axes = axesOfRow(cell.row);
    return axes ? places_[axes->map].layout.cellRect(cell.row - axes->firstRow, cell.column).toRect()
                : QRect();
}

std::optional<MapCell> LinkedMaps::cursorCell() const {
    for (const Axes& axes : axes_) {
        const LinkedMap& map = maps_[axes.map];
        const auto query = cellOf(selection_->focus().query(map.kind));
        const auto key = cellOf(selection_->focus().key(map.kind));
        if (query && key && std::cmp_less(*query, map.values.rows()) &&
            std::cmp_less(*key, map.values.columns()))
            return MapCell{axes.firstRow + *query, *key};
    }
    return std::nullopt;
}

TokenFocus LinkedMaps::focusAt(QPointF position) const {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const auto kind = maps_[i].kind;
        const MapLayout& layout = places_[i].layout;
        if (const auto cell = layout.cellAt(position))
            return TokenFocus::cell(kind, tokenOf(cell->row), tokenOf(cell->column));
        const auto row = layout.rowLabelAt(position);
        const auto column = layout.columnLabelAt(position);
        if (row || column)
            return TokenFocus::cell(kind, tokenOf(row), tokenOf(column));
    }
    return {};
}

QString LinkedMaps::inWords(const TokenFocus& focus) const {
    for (const Axes& axes : axes_) {
        const LinkedMap& map = maps_[axes.map];
        const std::optional<int> query = focus.query(map.kind), key = focus.key(map.kind);
        const bool hasQuery = query && std::cmp_less(*cellOf(query), map.values.rows());
        const bool hasKey = key && std::cmp_less(*cellOf(key), map.values.columns());
        if (hasQuery && hasKey && describe_)
            return describe_(map.kind, {*query, *key});
        if ((hasQuery || hasKey) && nameToken_ && axes_.size() == 1)
            return nameToken_(map.kind, hasQuery, hasQuery ? *query : *key);
    }
    return {};
}

/// Views describe the cell below the maps; the tooltip has what may be cut. The last map comes first, because
/// slanted labels may lean over the next one.
MapView::Words LinkedMaps::wordsAt(QPointF position) const {
    for (std::size_t i = maps_.size(); i-- > 0;) {
        if (const auto cell = places_[i].layout.cellAt(position); cell && tip_)
            return {tip_(maps_[i].kind, {*tokenOf(cell->row), *tokenOf(cell->column)}),
                    places_[i].layout.cellRect(cell->row, cell->column).toRect()};
        const QRectF title(places_[i].area.topLeft(),
                           QSizeF(places_[i].area.width(), fontMetrics().height()));
        const auto row = places_[i].layout.rowLabelAt(position);
        const auto column = places_[i].layout.columnLabelAt(position);
        if (places_[i].hasTitle && title.contains(position))
            return {maps_[i].title, {}};
        if ((row || column) && nameToken_)
            return {nameToken_(maps_[i].kind, row.has_value(), *tokenOf(row ? row : column)), {}};
    }
    return {};
}

TokenFocus LinkedMaps::focusOf(MapCell cell) const {
    const Axes* axes = axesOfRow(cell.row);
    if (!axes)
        return {};
    const LinkedMap& map = maps_[axes->map];
    const int lastColumn = map.values.columns() - 1;
    return TokenFocus::cell(map.kind, tokenOf(cell.row - axes->firstRow),
                            tokenOf(std::min(cell.column, lastColumn)));
}

void LinkedMaps::goTo(MapCell cell) {
    MapView::goTo(cell);
    showCursor();
}

/// Scrolls to the cursor if the maps are higher than their scroll area.
void LinkedMaps::showCursor() {
    const auto cell = cursorCell();
    for (QWidget* around = parentWidget(); cell && around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            const QRect there = cellArea(*cell);
            const QPoint middle = mapTo(area->widget(), there.center());
            return area->ensureVisible(middle.x(), middle.y(), there.width(), there.height());
        }
}

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

/// Where `area`, which begins at 0, ends below its maps and their legend.
double LinkedMaps::heightDrawn(const QRectF& area) const {
    double end = 0;
    for (const Place& place : place(area))
        end = std::max(end, place.layout.empty() ? place.area.bottom() : place.layout.plot().bottom());
    const double legend = legendArea(area).height();
    return std::ceil(end + (legend > 0 ? legend + linkedMapsPlacesMargin : 0)) + linkedMapsPlacesMargin;
}

/// Level column names of a high page may be turned in a lower one, whose rows then need more height.
std::optional<double> LinkedMaps::heightWithNames(double width, double least) const {
    constexpr std::array turned{0, 4, 8}; // lines
    const auto isEnough = [&](double height) { return areAllNamed(QRectF(0, 0, width, height)); };
    if (least > 0 && isEnough(least))
        return least;
    for (const int lines : turned) {
        const double needed = heightFor(width) + lines * labelStyle().lineHeight();
        if (const double height = std::max(least, std::ceil(needed)); isEnough(height))
            return height;
    }
    return std::nullopt;
}

QSizeF LinkedMaps::sizeWithNames(double width, QSizeF least) const {
    constexpr double step = 120, widest = 3600;
    if (width < least.width())
        return {width, heightWithNames(width, 0).value_or(std::ceil(heightFor(width)))};
    const bool isLong = std::ranges::any_of(
        maps_, [](const LinkedMap& map) { return std::cmp_greater(map.values.rows(), mostNamed); });
    for (double wide = least.width(); !isLong && wide <= widest; wide += step)
        if (const auto height = heightWithNames(wide, least.height()))
            return {wide, std::min(*height, heightDrawn({0, 0, wide, *height}))};
    return least;
}

FigureBlock LinkedMaps::block(QSizeF least) const {
    // The maps include a margin, on the screen too.
    constexpr QMarginsF around(linkedMapsPlacesMargin, linkedMapsPlacesMargin, linkedMapsPlacesMargin,
                               linkedMapsPlacesMargin);
    constexpr QSizeF both(2 * linkedMapsPlacesMargin, 2 * linkedMapsPlacesMargin);
    return {
        .size = [=, this](double width) { return sizeWithNames(width + both.width(), least + both) - both; },
        .draw = [=, this](QPainter& painter, const QRectF& area,
                          const Theme& theme) { draw(painter, area + around, theme); },
        .note = [=, this](const QRectF& area) { return namedInWords(area + around); }};
}

FigureBlocks LinkedMaps::figure(const QString& caption, QSizeF least) const {
    return {.picture = block(least), .caption = caption, .font = font(), .width = least.width()};
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
