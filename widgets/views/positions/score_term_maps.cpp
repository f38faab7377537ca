#include "widgets/views/positions/score_term_maps.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/named_labels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double scoreTermMapsGap = 10;

QRectF insideOf(const QRect& widget) {
    return QRectF(widget).adjusted(4, 4, -4, -4);
}

} // namespace

ScoreTermMaps::ScoreTermMaps(QWidget* parent) : MapView(tr("Terms of the scores"), nullptr, parent) {
    pictureChanged();
}

void ScoreTermMaps::setWhyNothing(const QString& words) {
    whyNothing_ = words;
    pictureChanged();
}

void ScoreTermMaps::setTerms(std::shared_ptr<const trace::ScoreTerms> terms,
                             std::shared_ptr<const HeadTerms> shown) {
    terms_ = std::move(terms);
    shown_ = std::move(shown);
    labels_ = terms_ ? tokenLabels(terms_->tokens) : std::vector<TokenLabel>();
    pictureChanged();
    const auto isGone = [this](std::optional<MapCell> cell) {
        return cell && (cell->row >= rowCount() || cell->column >= columnCount());
    };
    if (isGone(cursorCell()) || isGone(cellOf(selection_->cursor())))
        selection_->setCursor({});
}

void ScoreTermMaps::setMarks(std::optional<int> stepRow, std::optional<int> litRow,
                             std::optional<int> litColumn) {
    stepRow_ = stepRow;
    litRow_ = litRow;
    litColumn_ = litColumn;
    update();
}

/// Small maps in a grid at the left, their sum at the right; below each other in a high area.
std::vector<ScoreTermMaps::Part> ScoreTermMaps::layOut(const QRectF& area) const {
    std::vector<Part> parts;
    if (!terms_ || rowCount() == 0)
        return parts;
    const std::size_t count = shown_->terms.size();
    const std::size_t across = count > 3 ? 3 : std::max<std::size_t>(1, count);
    const std::size_t down = (count + across - 1) / across;
    const bool wide = area.width() > area.height() * 1.15;
    const QRectF small = wide ? QRectF(area.left(), area.top(), area.width() * 0.54, area.height())
                              : QRectF(area.left(), area.top(), area.width(), area.height() * 0.55);
    const QRectF rest = wide ? area.adjusted(small.width() + scoreTermMapsGap, 0, 0, 0)
                             : area.adjusted(0, small.height() + scoreTermMapsGap, 0, 0);
    const QSizeF cell(
        (small.width() - scoreTermMapsGap * static_cast<double>(across - 1)) / static_cast<double>(across),
        (small.height() - scoreTermMapsGap * static_cast<double>(down - 1)) / static_cast<double>(down));
    const auto names = titles(cell.width());
    for (std::size_t term = 0; term < count; ++term) {
        const QPointF corner(
            small.left() + static_cast<double>(term % across) * (cell.width() + scoreTermMapsGap),
            small.top() + static_cast<double>(term / across) * (cell.height() + scoreTermMapsGap));
        Part part{.title = names[term], .values = &shown_->terms[term], .pyramid = &shown_->pyramids[term]};
        place(part, QRectF(corner, cell));
        parts.push_back(std::move(part));
    }
    Part sum{.title = tr("their sum: the score"),
             .values = &shown_->scores,
             .pyramid = &shown_->ofScores,
             .labelled = true};
    place(sum, rest);
    parts.push_back(std::move(sum));
    return parts;
}

/// Titles of the terms: full names if all fit `width`, else short names for all.
std::vector<QString> ScoreTermMaps::titles(double width) const {
    const QFontMetricsF metrics(font());
    std::vector<QString> names;
    for (const auto& term : terms_->terms)
        names.push_back(termName(term));
    if (std::ranges::any_of(names, [&](const auto& name) { return metrics.horizontalAdvance(name) > width; }))
        std::ranges::transform(terms_->terms, names.begin(), shortTermName);
    return names;
}

void ScoreTermMaps::place(Part& part, const QRectF& area) const {
    const QFontMetricsF metrics(font());
    part.area = area;
    const MapPicture shown = picture(part, lightTheme());
    MapLayoutInput input = layoutInput(shown, labelStyle(), area.adjusted(0, metrics.height() + 2, 0, 0));
    if (part.labelled)
        input.rightMargin = colourBarWidth(shown.scale, font());
    else
        input.lineHeight = 0;
    part.layout = MapLayout(input);
}

MapPicture ScoreTermMaps::picture(const Part& part, const Theme& theme) const {
    MapPicture picture{.values = trace::view(*part.values),
                       .mask = &terms_->mask,
                       .pyramid = part.pyramid,
                       .scale = ColourScale::diverging(shown_->limit, theme.dark)};
    if (part.labelled)
        picture.rowLabels = picture.columnLabels = labels_;
    return picture;
}

/// In less room, the parent scrolls.
void ScoreTermMaps::pictureChanged() {
    constexpr int lines = 20;
    setMinimumSize(200, lines * fontMetrics().height());
    parts_ = layOut(insideOf(rect()));
    MapView::pictureChanged();
}

QString ScoreTermMaps::namedInWords(const QRectF& area) const {
    for (const Part& part : layOut(area))
        if (part.labelled)
            return widgets::namedInWords(part.layout);
    return {};
}

void ScoreTermMaps::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    drawParts(painter, area, layOut(area), theme);
}

void ScoreTermMaps::paintStill(QPainter& painter, const Theme& theme) const {
    drawParts(painter, insideOf(rect()), parts_, theme);
}

void ScoreTermMaps::drawParts(QPainter& painter, const QRectF& area, const std::vector<Part>& parts,
                              const Theme& theme) const {
    const QFontMetricsF metrics(font());
    painter.setFont(font());
    if (!terms_) {
        painter.setPen(theme.text);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, whyNothing_);
    }
    for (const Part& part : parts) {
        painter.setPen(theme.text);
        painter.drawText(QRectF(part.area.left(), part.area.top(), part.area.width(), metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(part.title, Qt::ElideRight, part.area.width()));
        const MapPicture shown = picture(part, theme);
        drawMapCells(painter, shown, part.layout, theme);
        if (!part.labelled)
            continue;
        drawMapLabels(painter, shown, part.layout, labelStyle(), theme);
        drawColourBar(painter, part.layout.plot(), shown.scale, font(), theme);
    }
}

void ScoreTermMaps::drawMarks(QPainter& painter, const Part& part, const MapMarks& marks,
                              const Theme& theme) const {
    if (part.labelled)
        return drawMapMarks(painter, picture(part, theme), part.layout, marks, labelStyle(), theme);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.focus, 1));
    if (marks.row && part.layout.showsRow(*marks.row))
        painter.drawRect(part.layout.rowRect(*marks.row).adjusted(0, 0, -1, -1));
    if (marks.column && part.layout.showsColumn(*marks.column))
        painter.drawRect(part.layout.columnRect(*marks.column).adjusted(0, 0, -1, -1));
}

void ScoreTermMaps::paintMoving(QPainter& painter, const Theme& theme) const {
    MapMarks marks{.stepRow = stepRow_, .row = litRow_, .column = litColumn_};
    if (const auto cursor = cursorCell()) {
        marks.row = cursor->row;
        marks.column = cursor->column;
    }
    for (const Part& part : parts_)
        drawMarks(painter, part, marks, theme);
}

int ScoreTermMaps::rowCount() const {
    return shown_ ? static_cast<int>(shown_->scores.rows()) : 0;
}

int ScoreTermMaps::columnCount() const {
    return shown_ ? static_cast<int>(shown_->scores.columns()) : 0;
}

QString ScoreTermMaps::rowName(int row) const {
    return quoted(labels_.at(row));
}

QString ScoreTermMaps::columnName(int column) const {
    return quoted(labels_.at(column));
}

QString ScoreTermMaps::cellInWords(MapCell cell) const {
    return widgets::cellInWords(*terms_, *shown_, cell);
}

QRect ScoreTermMaps::cellArea(MapCell cell) const {
    return parts_.empty() ? QRect() : parts_.back().layout.cellRect(cell.row, cell.column).toAlignedRect();
}

std::optional<MapCell> ScoreTermMaps::cellOfAny(QPointF point) const {
    for (const Part& part : parts_)
        if (const auto cell = part.layout.cellAt(point))
            return cell;
    return std::nullopt;
}

TokenFocus ScoreTermMaps::focusAt(QPointF position) const {
    const auto cell = cellOfAny(position);
    return cell ? focusOf(*cell) : TokenFocus();
}

MapView::Words ScoreTermMaps::wordsAt(QPointF position) const {
    const auto cell = cellOfAny(position);
    return cell ? Words{cellInWords(*cell), {}} : Words();
}

} // namespace headscope::widgets
