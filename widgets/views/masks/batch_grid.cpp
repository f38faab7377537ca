#include "widgets/views/masks/batch_grid.h"

#include "widgets/drawing/hatch.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr double batchGridPadding = 10; ///< left and right of a token together
constexpr double batchGridLongest = 9;  ///< in line heights: wider tokens are elided

double widthOf(const std::optional<trace::Token>& token, const TokenLabelStyle& style) {
    const double needed = token ? style.width(tokenLabel(*token)) : 0;
    return std::clamp(needed + batchGridPadding, 1.6 * style.lineHeight(),
                      batchGridLongest * style.lineHeight());
}

} // namespace

BatchGrid::BatchGrid(QWidget* parent) : QWidget(parent) {
    installMapAccessibility(this);
    setAccessibleName(tr("Tokens of the padded batch"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void BatchGrid::setBatch(const std::vector<BatchedSentence>& sentences) {
    sentences_ = sentences;
    cursor_.reset();
    keyed_.reset();
    layoutChanged();
}

void BatchGrid::setChosen(int sentence) {
    chosen_ = sentence;
    update();
}

void BatchGrid::setLit(std::vector<int> source, std::vector<int> target) {
    litSource_ = std::move(source);
    litTarget_ = std::move(target);
    update();
}

void BatchGrid::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layoutChanged();
}

void BatchGrid::setRoom(int width) {
    if (width == room_)
        return;
    room_ = width;
    layoutChanged();
}

void BatchGrid::layoutChanged() {
    layout_ = layOut(room_);
    setFixedHeight(std::max(1, static_cast<int>(layout_.height())));
    update();
}

std::optional<trace::Token> BatchGrid::tokenAt(MapCell cell) const {
    const int count = sentences_.size();
    const auto sentence = static_cast<std::size_t>(cell.row < count ? cell.row : (cell.row - count) / 2);
    const std::size_t column = cell.column;
    if (sentence >= sentences_.size())
        return std::nullopt;
    const auto& row = sentences_[sentence].row;
    const auto in = [&](const auto& tokens) {
        return column < tokens.size() ? std::optional<trace::Token>(tokens[column]) : std::nullopt;
    };
    if (cell.row < count)
        return in(row.source);
    if ((cell.row - count) % 2 == 0)
        return in(row.input);
    return column < row.labels.size() ? row.labels[column] : std::nullopt;
}

BatchGridLayout BatchGrid::layOut(double width) const {
    const TokenLabelStyle style = labelStyle();
    BatchGridInput input{
        .width = width, .lineHeight = style.lineHeight(), .sentences = static_cast<int>(sentences_.size())};
    const QFontMetricsF metrics(font());
    for (const QString& name : {tr("%1 source"), tr("%1 fed"), tr("%1 label")})
        input.nameWidth = std::max(input.nameWidth, metrics.horizontalAdvance(name.arg(3)) + 16);
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
        const auto& row = sentences_[i].row;
        input.sourceWidths.resize(std::max(input.sourceWidths.size(), row.source.size()));
        input.targetWidths.resize(std::max(input.targetWidths.size(), row.input.size()));
        for (std::size_t t = 0; t < row.source.size(); ++t)
            input.sourceWidths[t] = std::max(input.sourceWidths[t], widthOf(row.source[t], style));
        for (std::size_t t = 0; t < row.input.size(); ++t)
            input.targetWidths[t] = std::max(
                {input.targetWidths[t], widthOf(row.input[t], style), widthOf(row.labels[t], style)});
    }
    return BatchGridLayout(input);
}

int BatchGrid::columnCount() const {
    int most = 0;
    for (int row = 0; row < rowCount(); ++row)
        most = std::max(most, layout_.columnsOf(row));
    return most;
}

QString BatchGrid::rowName(int row) const {
    const QString name = layout_.isSource(row)  ? tr("%1 source")
                         : layout_.isLabel(row) ? tr("%1 label")
                                                : tr("%1 fed");
    return name.arg(layout_.sentenceOf(row) + 1);
}

QString BatchGrid::cellInWords(MapCell cell) const {
    if (cell.row < 0 || cell.row >= rowCount() || cell.column < 0 ||
        cell.column >= layout_.columnsOf(cell.row))
        return {};
    const auto name = [](const std::optional<trace::Token>& token) {
        return token ? quoted(tokenLabel(*token)) : tr("no label: this position is not scored");
    };
    const QString sentence = QString::number(layout_.sentenceOf(cell.row) + 1);
    const QString position = QString::number(cell.column);
    const auto token = tokenAt(cell);
    if (layout_.isSource(cell.row)) {
        const QString role = !token                                     ? QString()
                             : token->role == trace::TokenRole::Padding ? tr(", padding")
                             : token->role == trace::TokenRole::End     ? tr(", the end token")
                                                                        : QString();
        return tr("Sentence %1, source, position %2: %3%4.").arg(sentence, position, name(token), role);
    }
    const int fedRow = layout_.isLabel(cell.row) ? cell.row - 1 : cell.row;
    return tr("Sentence %1, position %2 of the decoder: fed %3, scored on %4.")
        .arg(sentence, position, name(tokenAt({fedRow, cell.column})),
             name(tokenAt({fedRow + 1, cell.column})));
}

QRect BatchGrid::cellArea(MapCell cell) const {
    return layout_.cellRect(cell.row, cell.column).toRect();
}

void BatchGrid::drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const {
    const auto token = tokenAt(cell);
    const bool isPad = !token || (token->role == trace::TokenRole::Padding);
    painter.fillRect(area, isPad ? theme.background : theme.panel);
    if (isPad)
        drawHatch(painter, area, theme);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area);
    if (!token)
        return;
    const TokenLabelStyle style = labelStyle();
    const TokenLabel label = tokenLabel(*token);
    const QRectF words = area.adjusted(batchGridPadding / 2, 3, -batchGridPadding / 2, -3);
    if (isPad) {
        const double width = std::min(words.width(), style.width(label)) + 4;
        painter.fillRect(QRectF(words.center().x() - width / 2, words.top(), width, words.height()),
                         theme.background);
    }
    style.draw(painter, words, Qt::AlignHCenter, label, TokenInk::onBackground(theme));
    if (token->role == trace::TokenRole::End)
        painter.fillRect(QRectF(area.right() - 3, area.top(), 4, area.height()), theme.text);
    if (token->role == trace::TokenRole::Start)
        painter.fillRect(QRectF(area.left(), area.top(), 4, area.height()), theme.text);
}

void BatchGrid::drawRow(QPainter& painter, const BatchGridLayout& layout, int row, const Theme& theme) const {
    const bool heads = row == 0 || (!layout.isSource(row) && layout.isSource(row - 1));
    for (int column = 0; column < layout.columnsOf(row); ++column) {
        if (heads) {
            painter.setPen(theme.faintText);
            painter.drawText(layout.positionRect(row, column), Qt::AlignCenter, QString::number(column));
        }
        drawCell(painter, layout.cellRect(row, column), {row, column}, theme);
    }
    const QString name = layout.isSource(row)  ? tr("%1 source")
                         : layout.isLabel(row) ? tr("%1 label")
                                               : tr("%1 fed");
    const int sentence = layout.sentenceOf(row);
    for (const QRectF& area : layout.nameRects(row)) {
        if (sentence == chosen_)
            painter.fillRect(QRectF(area.left(), area.top() + 2, 3, area.height() - 4), theme.accent);
        painter.setPen(sentence == chosen_ ? theme.text : theme.faintText);
        painter.drawText(area.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name.arg(sentence + 1));
    }
}

void BatchGrid::drawRows(QPainter& painter, const BatchGridLayout& layout, const Theme& theme) const {
    painter.setFont(font());
    for (int row = 0; row < layout.rows(); ++row)
        drawRow(painter, layout, row, theme);
}

FigureBlock BatchGrid::block() const {
    const auto draw = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const auto layout = layOut(area.width());
        const double scale = std::min(1.0, area.height() / layout.height());
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        drawRows(painter, layout, theme);
        painter.restore();
    };
    return {.size = [this](double width) { return QSizeF(width, layOut(width).height()); },
            .draw = draw,
            .grows = false};
}

void BatchGrid::drawLit(QPainter& painter, const Theme& theme) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.focus, 2));
    const auto frame = [&](int row, int column) {
        if (row < layout_.rows() && column < layout_.columnsOf(row))
            painter.drawRect(layout_.cellRect(row, column).adjusted(1, 1, -1, -1));
    };
    const int count = sentences_.size();
    for (const int column : litSource_)
        frame(chosen_, column);
    for (const int column : litTarget_) {
        frame(count + 2 * chosen_, column);
        frame(count + 2 * chosen_ + 1, column);
    }
    if (cursor_)
        frame(cursor_->row, cursor_->column);
}

void BatchGrid::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    drawRows(painter, layout_, theme);
    drawLit(painter, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void BatchGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layoutChanged();
}

void BatchGrid::setCursorCell(std::optional<MapCell> cell) {
    if (cell == cursor_)
        return;
    cursor_ = cell;
    describeForReaders(this, cell ? cellInWords(*cell) : QString());
    announceCursor(this, *this);
    update();
    Q_EMIT cursorMoved(cell);
}

bool BatchGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    // The text below the masks describes the cell; the tooltip is for elided tokens only.
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = layout_.cellAt(QPointF(help->pos()));
    const auto token = cell ? tokenAt(*cell) : std::nullopt;
    if (token && labelStyle().isElided(tokenLabel(*token), cellArea(*cell).width() - batchGridPadding))
        QToolTip::showText(help->globalPos(), plainToolTip(cellInWords(*cell)), this, cellArea(*cell));
    else
        QToolTip::hideText();
    return true;
}

void BatchGrid::mouseMoveEvent(QMouseEvent* event) {
    setCursorCell(layout_.cellAt(event->position()));
}

void BatchGrid::mousePressEvent(QMouseEvent* event) {
    const auto cell = layout_.cellAt(event->position());
    if (!cell || event->button() != Qt::LeftButton)
        return event->ignore();
    keyed_.reset();
    Q_EMIT sentenceChosen(layout_.sentenceOf(cell->row));
}

void BatchGrid::leaveEvent(QEvent*) {
    setCursorCell(keyed_);
}

void BatchGrid::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        keyed_.reset();
        return setCursorCell(std::nullopt);
    }
    auto moved = movedCell(*event, cursor_.value_or(MapCell{}), rowCount(), columnCount());
    if (!moved)
        return event->ignore();
    moved->column = std::min(moved->column, layout_.columnsOf(moved->row) - 1);
    Q_EMIT sentenceChosen(layout_.sentenceOf(moved->row));
    keyed_ = moved;
    setCursorCell(moved);
}

} // namespace headscope::widgets
