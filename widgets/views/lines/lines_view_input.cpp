// What is lit up in the two columns, and how a person's hand moves it.
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/lines/lines_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double smallestNumber = 0.005; ///< what two decimals can tell from zero

} // namespace

/// Of a focus what is in these columns.
LinesMarks LinesView::marks(const TokenFocus& focus) const {
    LinesMarks marks{.query = map_.axes.queryOf(focus), .key = map_.axes.keyOf(focus)};
    if (map_.axes.kind != trace::AttentionKind::EncoderSelf)
        marks.stepQuery = map_.axes.queryOfRow(selection_->step());
    return marks;
}

std::vector<AttentionLine> LinesView::linesOfFocus() const {
    const auto* site = record();
    const LinesMarks lit = marks();
    if (!site || (!lit.query && !lit.key))
        return {};
    return linesOfToken(lit.query, lit.key);
}

/// Of a key of long maps those among the strong ones: all of them would need every cell.
std::vector<AttentionLine> LinesView::linesOfToken(std::optional<int> query, std::optional<int> key) const {
    if (query || !record()->isLeftOut())
        return widgets::linesOfToken(*drawn(), picture_.heads, query, key, smallestNumber);
    std::vector<AttentionLine> lines;
    std::ranges::copy_if(lines_.lines, std::back_inserter(lines),
                         [&](const AttentionLine& line) { return line.key == key; });
    return lines;
}

QString LinesView::focusInWords() const {
    const LinesMarks lit = marks();
    if (!lit.query && !lit.key)
        return {};
    const QString words = tokenInWords(*run_, map_.axes, lit.query, lit.key, linesOfFocus(), picture_.heads);
    return record() && record()->isLeftOut() && !lit.query
               ? tr("%1 (among the lines that are drawn)").arg(words)
               : words;
}

void LinesView::focusMoved() {
    update();
    if (!isVisible())
        return; // other views say what is lit there
    const QString words = focusInWords();
    describeForReaders(this, words.isEmpty() ? caption() : words);
    announceCursor(this, *this);
    Q_EMIT tokenDescribed(words);
}

void LinesView::followStep() {
    update();
    if (const auto step = marks().stepQuery)
        showRow(*step);
}

void LinesView::showRow(int row) {
    if (!layout_.empty())
        scrollBar_->setValue(static_cast<int>(std::lround(layout_.scrolledToShow(row))));
}

TokenFocus LinesView::focusAt(QPointF position) const {
    if (const auto query = layout_.queryAt(position))
        return map_.axes.focusOf(query, std::nullopt);
    return map_.axes.focusOf(std::nullopt, layout_.keyAt(position));
}

QString LinesView::rowName(int row) const {
    return queryInWords(*run_, map_.axes, row);
}

QString LinesView::columnName(int column) const {
    return keyInWords(map_.axes, column);
}

QString LinesView::cellInWords(MapCell cell) const {
    QStringList parts;
    for (const int head : picture_.heads)
        parts += weightInWords(head, cell);
    return parts.join(QStringLiteral("; "));
}

QString LinesView::weightInWords(int head, MapCell cell) const {
    const trace::HeadAddress address{selection_->head().site, head};
    if (const auto own = map_.axes.runCell(cell))
        return cellStatus(*run_, address, own->row, own->column, Quantity::Weights);
    if (!map_.words || cell.row < 0 || cell.column < 0 || cell.row >= rowCount() ||
        cell.column >= columnCount())
        return {};
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    const auto& weights = map_.words->weights;
    return QStringLiteral("%1 [%2 \u2192 %3] %4")
        .arg(QString::fromStdString(trace::toString(address)), rowName(cell.row), columnName(cell.column),
             map_.words->mask(row, column) == 0
                 ? tr("masked")
                 : numberText(static_cast<double>(weights(static_cast<std::size_t>(head), row, column))));
}

/// The label of its query: a pair has no place of its own.
QRect LinesView::cellArea(MapCell cell) const {
    return (layout_.queryRect(cell.row) & layout_.area()).toRect();
}

/// Of a lit query the key it looks at most, unless a key is lit too.
std::optional<MapCell> LinesView::cursorCell() const {
    const LinesMarks lit = marks();
    const auto lines = linesOfFocus();
    if (lit.query && lit.key)
        return MapCell{*lit.query, *lit.key};
    return lines.empty() ? std::nullopt : std::optional(MapCell{lines.back().query, lines.back().key});
}

bool LinesView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const TokenFocus there = focusAt(help->pos()); !there.isEmpty() && record()) {
        const auto query = map_.axes.queryOf(there);
        const auto key = map_.axes.keyOf(there);
        const QString words =
            tokenInWords(*run_, map_.axes, query, key, linesOfToken(query, key), picture_.heads);
        QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    } else if (record() && !layout_.area().contains(help->pos())) { // words that may be cut
        QToolTip::showText(help->globalPos(), plainToolTip(axesInWords() + '\n' + caption()), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void LinesView::resizeEvent(QResizeEvent*) {
    pictureChanged();
    followStep();
}

void LinesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        labelsChanged();
}

void LinesView::showEvent(QShowEvent*) {
    focusMoved(); // nobody was told while it was hidden
    Q_EMIT workChanged();
}

void LinesView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT workChanged();
}

void LinesView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void LinesView::mouseMoveEvent(QMouseEvent* event) {
    selection_->setHover(focusAt(event->position()));
}

void LinesView::mousePressEvent(QMouseEvent* event) {
    const TokenFocus there = focusAt(event->position());
    if (event->button() == Qt::LeftButton && !there.isEmpty())
        selection_->togglePinned(there);
    else
        event->ignore();
}

void LinesView::wheelEvent(QWheelEvent* event) {
    const double rows = event->angleDelta().y() / 120.0 * 3;
    scrollBar_->setValue(scrollBar_->value() - static_cast<int>(std::lround(rows * layout_.rowHeight())));
    selection_->setHover(focusAt(event->position()));
    event->accept();
}

void LinesView::moveCursor(bool onKeys, int row) {
    const int last = (onKeys ? columnCount() : rowCount()) - 1;
    const int to = std::clamp(row, 0, last);
    showRow(to);
    selection_->setCursor(onKeys ? map_.axes.focusOf(std::nullopt, to) : map_.axes.focusOf(to, std::nullopt));
}

void LinesView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection_->focus().isEmpty()) {
        selection_->setCursor({});
        selection_->clearPinned();
        return;
    }
    if (layout_.empty()) {
        event->ignore();
        return;
    }
    const LinesMarks lit = marks();
    const bool onKeys = !lit.query && lit.key;
    const bool entering = !lit.query && !lit.key; // the first arrow shows where the cursor is
    const int at = onKeys ? *lit.key : lit.query.value_or(lit.stepQuery.value_or(0));
    const int page = std::max(1, static_cast<int>(layout_.area().height() / layout_.rowHeight()) - 1);
    switch (event->key()) {
    case Qt::Key_Up:
        return moveCursor(onKeys, entering ? at : at - 1);
    case Qt::Key_Down:
        return moveCursor(onKeys, entering ? at : at + 1);
    case Qt::Key_PageUp:
        return moveCursor(onKeys, at - page);
    case Qt::Key_PageDown:
        return moveCursor(onKeys, at + page);
    case Qt::Key_Home:
        return moveCursor(onKeys, 0);
    case Qt::Key_End:
        return moveCursor(onKeys, std::max(rowCount(), columnCount()));
    case Qt::Key_Left:
        return moveCursor(false, at);
    case Qt::Key_Right:
        return moveCursor(true, at);
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!entering)
            selection_->togglePinned(selection_->focus());
        return;
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
