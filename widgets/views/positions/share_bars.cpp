#include "widgets/views/positions/share_bars.h"

#include "widgets/drawing/theme.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

ShareBars::ShareBars(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Shares of word and position"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalScrollBar()->setAccessibleName(tr("Visible tokens"));
    viewport()->setMouseTracking(true);
    setMinimumSize(160, 120);
    teachReadersAboutMaps();
}

void ShareBars::setShares(const TokenShares& shares) {
    rows_.labels = tokenLabels(shares.tokens);
    rows_.shares = shares.shares;
    const std::size_t count = std::min(rows_.labels.size(), rows_.shares.size());
    rows_.labels.resize(count);
    rows_.shares.resize(count);
    setRow(std::nullopt);
    layOut();
}

void ShareBars::setSpaceMarksShown(bool shown) {
    rows_.style.spaceMarks = shown;
    layOut();
}

/// Rows below the fixed header.
int ShareBars::visibleRows() const {
    return std::max(1, static_cast<int>(viewport()->height() / rows_.rowHeight()) - 1);
}

void ShareBars::layOut() {
    rows_.style.font = font();
    const int hidden = static_cast<int>(rows_.labels.size()) - visibleRows();
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    verticalScrollBar()->setPageStep(visibleRows());
    viewport()->update();
}

void ShareBars::resizeEvent(QResizeEvent*) {
    layOut();
}

void ShareBars::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    layOut();
}

void ShareBars::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    const double height = rows_.rowHeight();
    const double wide = viewport()->width() - 8;
    if (!isEmpty())
        rows_.drawHeader(painter, QRectF(4, 0, wide, height), theme);
    const int first = verticalScrollBar()->value();
    const int last = std::min(static_cast<int>(rows_.labels.size()), first + visibleRows());
    for (int row = first; row < last; ++row) {
        const QRectF place(4, (row - first + 1) * height, wide, height);
        if (row_ == row)
            painter.fillRect(place.adjusted(-4, 0, 4, 0), theme.panel);
        rows_.drawRow(painter, place, row, theme);
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

FigureBlock ShareBars::block(const FigureParts& parts) const {
    constexpr int mostRows = 600; // limits the size of the picture; a note counts the other tokens
    const int rows = 1 + std::min(mostRows, static_cast<int>(rows_.labels.size()));
    const double height = rows * rows_.rowHeight();
    return {.size = [height](double width) { return QSizeF(width, height); },
            .draw = [this, parts](QPainter& painter, const QRectF& area,
                                  const Theme& theme) { drawRows(painter, area, parts, theme); },
            .grows = false};
}

void ShareBars::drawRows(QPainter& painter, const QRectF& area, const FigureParts& parts,
                         const Theme& theme) const {
    const double height = rows_.rowHeight();
    const auto room = static_cast<std::size_t>(std::max(0.0, area.height() / height + 1e-6 - 1));
    rows_.drawHeader(painter, QRectF(area.left(), area.top(), area.width(), height), theme);
    const bool isCut = room < rows_.labels.size();
    const bool saysSo = isCut && parts.notes;
    const auto place = [&](std::size_t row) {
        return QRectF(area.left(), area.top() + static_cast<double>(row + 1) * height, area.width(), height);
    };
    const std::size_t drawn = saysSo  ? room - std::min<std::size_t>(1, room)
                              : isCut ? room
                                      : rows_.labels.size();
    for (std::size_t row = 0; row < drawn; ++row)
        rows_.drawRow(painter, place(row), row, theme);
    if (!saysSo)
        return;
    painter.setFont(font());
    painter.setPen(theme.faintText);
    painter.drawText(place(drawn), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     tr("The first %1 of %2 tokens.").arg(drawn).arg(rows_.labels.size()));
}

QRect ShareBars::cellArea(MapCell cell) const {
    const double height = rows_.rowHeight();
    return QRectF(0, (cell.row - verticalScrollBar()->value() + 1) * height, viewport()->width(), height)
        .toAlignedRect();
}

std::optional<MapCell> ShareBars::cursorCell() const {
    return row_ ? std::optional(MapCell{.row = *row_, .column = 0}) : std::nullopt;
}

void ShareBars::setRow(std::optional<int> row) {
    if (row && (*row < 0 || *row >= static_cast<int>(rows_.labels.size())))
        row = std::nullopt;
    if (row == row_)
        return;
    row_ = row;
    const QString words = row ? rows_.inWords(*row) : QString();
    describeForReaders(this, words);
    announceCursor(this, *this);
    viewport()->update();
    // Views that highlight the token describe it as well; the own description must come last.
    Q_EMIT cursorMoved(row);
    Q_EMIT tokenDescribed(words);
}

bool ShareBars::viewportEvent(QEvent* event) {
    const auto rowAt = [this](double y) {
        const int below = static_cast<int>(std::floor(y / rows_.rowHeight())) - 1;
        return below >= 0 && below < visibleRows() ? std::optional(below + verticalScrollBar()->value())
                                                   : std::nullopt;
    };
    if (event->type() == QEvent::MouseMove)
        setRow(rowAt(static_cast<QMouseEvent*>(event)->position().y()));
    else if (event->type() == QEvent::Leave)
        setRow(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void ShareBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(rows_.labels.size()) - 1;
    const int at = row_.value_or(verticalScrollBar()->value() - 1);
    int to = at;
    switch (event->key()) {
    case Qt::Key_Up:
        to = at - 1;
        break;
    case Qt::Key_Down:
        to = at + 1;
        break;
    case Qt::Key_PageUp:
        to = at - visibleRows();
        break;
    case Qt::Key_PageDown:
        to = at + visibleRows();
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    if (last < 0)
        return;
    to = std::clamp(to, 0, last);
    const int first = verticalScrollBar()->value();
    verticalScrollBar()->setValue(std::clamp(first, to - visibleRows() + 1, to));
    setRow(to);
}

void ShareBars::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void ShareBars::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    setRow(std::nullopt);
    viewport()->update();
}

} // namespace headscope::widgets
