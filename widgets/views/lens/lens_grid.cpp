#include "widgets/views/lens/lens_grid.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

LensGrid::LensGrid(Selection* selection, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection) {
    installMapAccessibility(this);
    setAccessibleName(tr("Logit lens, steps by stages"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    connect(selection_, &Selection::stepChanged, this, &LensGrid::followStep);
    connect(selection_, &Selection::focusChanged, viewport(), qOverload<>(&QWidget::update));
}

void LensGrid::setTable(std::shared_ptr<const LensTable> table) {
    table_ = std::move(table);
    if (keyed_ && !table_->has(*keyed_))
        forgetKeys();
    if (cursor_ && !table_->has(*cursor_))
        setCursorCell(std::nullopt);
    measure();
    followStep();
}

void LensGrid::showEvent(QShowEvent*) {
    horizontalScrollBar()->setValue(0); // without a size, the position was arbitrary
    followStep();
}

void LensGrid::setWhyEmpty(const QString& whatItShows, const QString& wayThere) {
    whatItShows_ = whatItShows;
    wayThere_ = wayThere;
    if (table_->isEmpty())
        describeForReaders(this, whatItShows_ + ' ' + wayThere_);
    viewport()->update();
}

void LensGrid::setTint(LensTint tint) {
    tint_ = tint;
    viewport()->update();
}

void LensGrid::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    measure();
}

LensPicture LensGrid::picture() const {
    return {.table = *table_, .tint = tint_, .style = {.font = font(), .spaceMarks = spaceMarks_}};
}

void LensGrid::measure() {
    measured_ = picture().measured();
    layOutAgain();
}

/// A scroll bar takes room from the other direction.
LensLayout LensGrid::layOutWithBars() const {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    QSizeF room(maximumViewportSize());
    LensLayout layout(measured_, room);
    if (layout.whole().height() > room.height()) {
        room.rwidth() -= bar;
        layout = LensLayout(measured_, room);
    }
    if (layout.whole().width() > room.width()) {
        room.rheight() -= bar;
        layout = LensLayout(measured_, room);
    }
    return layout;
}

void LensGrid::layOutAgain() {
    layout_ = table_->isEmpty() ? LensLayout() : layOutWithBars();
    const QSizeF whole = layout_.whole();
    const QSize room = viewport()->size();
    horizontalScrollBar()->setRange(0, std::max(0, int(std::ceil(whole.width())) - room.width()));
    horizontalScrollBar()->setPageStep(std::max(1, room.width() - int(layout_.headingWidth())));
    horizontalScrollBar()->setSingleStep(40);
    verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(whole.height())) - room.height()));
    verticalScrollBar()->setPageStep(std::max(1, room.height() - int(layout_.headingHeight())));
    verticalScrollBar()->setSingleStep(std::max(1, int(layout_.rowHeight())));
    viewport()->update();
}

QPointF LensGrid::offset() const {
    return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

void LensGrid::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    if (table_->isEmpty()) {
        drawEmptyState(painter, QRectF(viewport()->rect()), whatItShows_, wayThere_, theme);
    } else {
        LensPicture shown = picture();
        shown.step = selection_->step();
        shown.lit = selection_->focus().targetQuery;
        shown.cursor = cursor_;
        shown.draw(painter, QSizeF(viewport()->size()), layout_, offset(), theme);
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void LensGrid::setCursorCell(std::optional<MapCell> cell) {
    if (cell == cursor_)
        return;
    cursor_ = cell;
    const QString words = cell && table_->has(*cell) ? cellInWords(*cell) : QString();
    describeForReaders(this, words);
    announceCursor(this, *this);
    Q_EMIT cellDescribed(words);
    viewport()->update();
}

/// All views highlight the row of the step under the pointer.
void LensGrid::lightStep(std::optional<int> step) {
    selection_->setHover({.targetQuery = step});
}

void LensGrid::forgetKeys() {
    if (keyed_)
        selection_->setCursor({});
    keyed_.reset();
}

void LensGrid::followStep() {
    viewport()->update();
    MapCell current{.row = cursor_ ? cursor_->row : 0};
    current.column = selection_->step();
    if (!isVisible() || !table_->has(current))
        return;
    const int before = verticalScrollBar()->value();
    show(current);
    verticalScrollBar()->setValue(before);
}

void LensGrid::show(MapCell cell) {
    const QRectF area = layout_.cell(cell).translated(-offset());
    const auto move = [](QScrollBar* bar, double from, double to, double first, double last) {
        if (from < first)
            bar->setValue(bar->value() - int(std::ceil(first - from)));
        else if (to > last)
            bar->setValue(bar->value() + int(std::ceil(to - last)));
    };
    move(horizontalScrollBar(), area.left(), area.right(), layout_.headingWidth(), viewport()->width());
    move(verticalScrollBar(), area.top(), area.bottom(), layout_.headingHeight(), viewport()->height());
}

QString LensGrid::rowName(int row) const {
    return lensStageInWords(*table_, row);
}

QString LensGrid::columnName(int column) const {
    return lensStepInWords(*table_, column);
}

QString LensGrid::cellInWords(MapCell cell) const {
    return lensCellStatus(*table_, cell);
}

QString LensGrid::wordsAt(QPointF place) const {
    if (const auto cell = layout_.cellAt(place, offset()))
        return lensCellLines(*table_, *cell).join(QChar('\n'));
    if (const auto column = layout_.columnHeadingAt(place, offset()))
        return lensStepInWords(*table_, *column);
    if (const auto row = layout_.rowHeadingAt(place, offset()))
        return lensStageInWords(*table_, *row);
    return {};
}

void LensGrid::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void LensGrid::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
}

bool LensGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(wordsAt(QPointF(help->pos()))), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) {
        setCursorCell(keyed_);
        lightStep(std::nullopt);
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LensGrid::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = layout_.cellAt(event->position(), offset());
    const auto column = layout_.columnHeadingAt(event->position(), offset());
    setCursorCell(cell ? cell : keyed_);
    lightStep(cell ? std::optional(cell->column) : column);
}

void LensGrid::mousePressEvent(QMouseEvent* event) {
    const auto cell = layout_.cellAt(event->position(), offset());
    const auto column =
        cell ? std::optional(cell->column) : layout_.columnHeadingAt(event->position(), offset());
    if (!column || event->button() != Qt::LeftButton)
        return event->ignore();
    forgetKeys();
    setCursorCell(cell);
    lightStep(column);
    selection_->setStep(*column);
}

void LensGrid::keyPressEvent(QKeyEvent* event) {
    const MapCell from = cursor_.value_or(MapCell{0, std::min<int>(selection_->step(), columnCount())});
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (cursor_)
            selection_->setStep(cursor_->column);
        return;
    case Qt::Key_Escape:
        forgetKeys();
        setCursorCell(std::nullopt);
        lightStep(std::nullopt);
        event->ignore(); // the parent clears the pinned tokens
        return;
    default:
        break;
    }
    const int page = std::max(1, verticalScrollBar()->pageStep() / std::max(1, int(layout_.rowHeight())));
    const auto moved = movedCell(*event, from, rowCount(), columnCount(), page);
    if (!moved) {
        event->ignore();
        return;
    }
    show(*moved);
    keyed_ = moved;
    setCursorCell(moved);
    selection_->setCursor({.targetQuery = moved->column});
}

namespace {

constexpr double lensPicturePadding = 5;

struct LensPictureWords {
    Q_DECLARE_TR_FUNCTIONS(Lens)
};

/// Draws a frame inside `area`. A line in the background colour makes it visible on every fill.
void drawFrame(QPainter& painter, const QRectF& area, const QColor& colour, const Theme& theme) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.background, 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(2.5, 2.5, -3.5, -3.5));
    painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(1, 1, -2, -2));
}

} // namespace

LensLayoutInput LensPicture::measured() const {
    const QFontMetricsF metrics(style.font);
    LensLayoutInput input{.rows = table.rows(), .lineHeight = style.lineHeight()};
    for (int column = 0; column < table.columns(); ++column) {
        double widest = style.width(table.chosen(column));
        for (int row = 0; row < table.rows(); ++row)
            widest = std::max(widest, style.width(table.piece({row, column})));
        input.columnWidths.push_back(widest);
    }
    input.layerWidth = metrics.horizontalAdvance(LensPictureWords::tr("layer"));
    for (int row = 0; row < table.rows(); ++row)
        input.nameWidth = std::max(input.nameWidth, metrics.horizontalAdvance(lensRowName(table, row)));
    return input;
}

void LensPicture::draw(QPainter& painter, QSizeF area, const LensLayout& layout, QPointF offset,
                       const Theme& theme) const {
    painter.save();
    painter.setFont(style.font);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double left = layout.headingWidth();
    const double top = layout.headingHeight();
    const auto part = [&](const QRectF& clip, QPointF by, auto&& drawPart) {
        painter.save();
        painter.setClipRect(clip, Qt::IntersectClip);
        painter.translate(-by);
        drawPart(clip.translated(by));
        painter.restore();
    };
    part({left, top, area.width() - left, area.height() - top}, offset, [&](const QRectF& sight) {
        drawCells(painter, layout, sight, theme);
        drawMarks(painter, layout, theme);
    });
    part({left, 0, area.width() - left, top}, {offset.x(), 0},
         [&](const QRectF& sight) { drawColumnHeadings(painter, layout, sight, theme); });
    part({0, top, left, area.height() - top}, {0, offset.y()}, [&](const QRectF& sight) {
        drawRowHeadings(painter, layout, sight, theme);
        drawLayers(painter, layout, sight, theme);
    });
    drawCorner(painter, layout, theme);
    painter.restore();
}

/// Titles of the headings.
void LensPicture::drawCorner(QPainter& painter, const LensLayout& layout, const Theme& theme) const {
    const QRectF corner(lensPicturePadding, 0, layout.headingWidth() - 2 * lensPicturePadding,
                        layout.headingHeight());
    painter.setPen(theme.faintText);
    painter.drawText(corner, Qt::AlignLeft | Qt::AlignVCenter, LensPictureWords::tr("layer"));
    const QFontMetricsF metrics(style.font);
    const QRectF rest = corner.adjusted(layout.layerWidth(), 0, 0, 0);
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(table.areNumbers() ? LensPictureWords::tr("number")
                                                           : LensPictureWords::tr("chosen"),
                                        Qt::ElideRight, rest.width()));
}

void LensPicture::drawCells(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                            const Theme& theme) const {
    for (int column = 0; column < layout.columns() && hasColumn(column); ++column)
        for (int row = 0; row < layout.rows(); ++row)
            if (const QRectF area = layout.cell({row, column}); area.intersects(sight))
                drawCell(painter, area.adjusted(0, 0, -1, -1), {row, column}, theme);
    noteForPage(painter, [&] {
        recorded::AreaWords words;
        for (int column = 0; column < layout.columns() && hasColumn(column); ++column)
            for (int row = 0; row < layout.rows(); ++row)
                if (const QRectF area = layout.cell({row, column}); area.intersects(sight))
                    words.areas.emplace_back(area, lensCellLines(table, {row, column}).join('\n'));
        return words;
    });
}

void LensPicture::drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const {
    const QColor fill = table.areNumbers()
                            ? theme.background
                            : lensTintColour(lensTintPosition(tint, table.reading(cell)), theme);
    const QColor ink = readableOn(fill);
    painter.fillRect(area, fill);
    style.draw(painter, area.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding, 0), Qt::AlignHCenter,
               table.piece(cell), TokenInk::on(fill, ink));
    // Inside the cell: at its edge a light line would look like the gap between two cells.
    if (table.decidedRow(cell.column) == cell.row)
        painter.fillRect(QRectF(area.left() + 3, area.bottom() - 3, area.width() - 6, 2), ink);
}

void LensPicture::drawMarks(QPainter& painter, const LensLayout& layout, const Theme& theme) const {
    const auto column = [&](int at) {
        return layout.cell({0, at}).united(layout.cell({layout.rows() - 1, at}));
    };
    if (step && *step < layout.columns())
        drawFrame(painter, column(*step), theme.stepMark, theme);
    if (lit && *lit < layout.columns())
        drawFrame(painter, column(*lit), theme.focus, theme);
    if (cursor && table.has(*cursor))
        drawFrame(painter, layout.cell(*cursor), theme.focus, theme);
}

void LensPicture::drawColumnHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                                     const Theme& theme) const {
    for (int column = 0; column < layout.columns() && hasColumn(column); ++column) {
        const QRectF area = layout.columnHeading(column);
        if (!area.intersects(sight))
            continue;
        const bool isLit = lit == column || (cursor && cursor->column == column);
        const bool isStep = step == column;
        TokenInk ink = TokenInk::onBackground(theme);
        if (isLit || isStep) {
            const QColor fill = isLit ? theme.focus : theme.stepMark;
            painter.fillRect(area.adjusted(0, 1, -1, -1), fill);
            ink = TokenInk::on(fill, isLit ? theme.background : theme.onAccent);
        }
        style.draw(painter, area.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding, 0),
                   Qt::AlignHCenter, table.chosen(column), ink);
    }
}

void LensPicture::drawRowHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                                  const Theme& theme) const {
    const QFontMetricsF metrics(style.font);
    for (int row = 0; row < layout.rows(); ++row) {
        const QRectF area = layout.rowHeading(row);
        if (!area.intersects(sight))
            continue;
        const bool isLit = cursor && cursor->row == row;
        const QRectF name = area.adjusted(layout.layerWidth(), 0, -1, -1);
        if (isLit)
            painter.fillRect(name, theme.focus);
        painter.setPen(isLit ? theme.background : theme.text);
        const QRectF words = name.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding + 1, 0);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(lensRowName(table, row), Qt::ElideRight, words.width()));
    }
}

/// Centres the number of a layer on the visible part of its rows, and draws a line between layers.
void LensPicture::drawLayers(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                             const Theme& theme) const {
    for (int first = 0, row = 0; row < layout.rows(); ++row) {
        const auto sublayer = table.sublayer(row);
        const auto below = row + 1 < layout.rows() ? table.sublayer(row + 1) : std::nullopt;
        if (!sublayer || (below && below->layer == sublayer->layer))
            continue;
        const QRectF rows = layout.rowHeading(first).united(layout.rowHeading(row));
        const QRectF seen = rows & sight;
        painter.fillRect(QRectF(rows.left(), rows.bottom() - 1, rows.width() - 1, 1), theme.line);
        painter.setPen(theme.faintText);
        if (seen.height() >= style.lineHeight())
            painter.drawText(QRectF(lensPicturePadding, seen.top(), layout.layerWidth() - lensPicturePadding,
                                    seen.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, QString::number(sublayer->layer));
        first = row + 1;
    }
}

} // namespace headscope::widgets
