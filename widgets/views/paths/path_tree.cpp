#include "widgets/views/paths/path_tree.h"

#include "widgets/drawing/theme.h"
#include "widgets/views/paths/path_icons.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double treeMargin = 8;
constexpr double iconSize = 14;
constexpr double besideIcon = iconSize + 7;
constexpr double bend = 6; ///< radius where a line leaves for its row

} // namespace

void PathDrawing::set(const DocumentState* document, analysis::PathsOf which, PathScore score,
                      bool spaceMarks, const QFont& font) {
    document_ = document;
    run_ = document->run;
    score_ = score;
    spaceMarks_ = spaceMarks;
    font_ = font;
    const bool decodes = run_ && run_->path.size() > 1;
    paths_ = decodes ? analysis::pathRows(*run_, which) : analysis::PathRows();
    // Those of every other choice, so that columns stay where they are.
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    columns_ = decodes ? stepColumns(which == analysis::PathsOf::All ? paths_ : analysis::pathRows(*run_),
                                     *run_, style)
                       : StepColumns();
    if (decodes && columns_.count() < paths_.columns)
        columns_ = stepColumns(paths_, *run_, style);
}

double PathDrawing::rowHeight() const {
    return std::max(34.0,
                    std::ceil(QFontMetricsF(font_).height() + QFontMetricsF(smallFont(font_)).height() + 4));
}

double PathDrawing::height() const {
    const double rows = static_cast<double>(paths_.rows.size() + (paths_.folded > 0 ? 1 : 0));
    return isEmpty() ? 0 : rows * rowHeight() + treeMargin;
}

double PathDrawing::middleOf(std::size_t row) const {
    return std::round((static_cast<double>(row) + 0.5) * rowHeight());
}

std::optional<std::size_t> PathDrawing::rowAt(double y) const {
    const auto row = std::floor(y / rowHeight());
    return y >= 0 && row < static_cast<double>(paths_.rows.size()) ? std::optional<std::size_t>(row)
                                                                   : std::nullopt;
}

QRectF PathDrawing::chipArea(std::size_t row, std::size_t column, const StepColumns& at) const {
    const double high = QFontMetricsF(font_).height() + 6;
    return at.area(column, middleOf(row) - std::round(high / 2), high);
}

QRectF PathDrawing::labelArea(std::size_t row) const {
    return {treeMargin, static_cast<double>(row) * rowHeight(), columns_.gutter - treeMargin, rowHeight()};
}

QRectF PathDrawing::scissorsArea(std::size_t row, const StepColumns& at) const {
    const auto& path = paths_.rows[row];
    if (!path.cut || path.what != analysis::PathRow::What::Dropped)
        return {};
    return {at.lefts[path.nodes.size() - 1] + at.widths[path.nodes.size() - 1] + 6,
            middleOf(row) - iconSize / 2, iconSize, iconSize};
}

void PathDrawing::drawLabel(QPainter& painter, std::size_t row, bool isSelected, const Theme& theme) const {
    const QRectF area = labelArea(row);
    const auto& path = paths_.rows[row];
    const QColor ink = row == 0 ? theme.accent : theme.text;
    drawPathIcon(painter, QRectF(area.left(), middleOf(row) - iconSize / 2, iconSize, iconSize), path,
                 row == 0, row == 0 ? theme.accent : theme.faintText);
    const double line = QFontMetricsF(font_).height(), small = QFontMetricsF(smallFont(font_)).height();
    const QRectF room(area.left() + besideIcon, middleOf(row) - (line + small) / 2, area.width() - besideIcon,
                      line);
    const auto put = [&](const QRectF& where, const QFont& font, const QColor& colour, const QString& words) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(words, Qt::ElideRight, where.width()));
    };
    put(room, row == 0 || isSelected ? boldFont(font_) : font_, ink, titleOf(row));
    put(QRectF(room.left(), room.top() + line, room.width(), small), smallFont(font_), theme.faintText,
        stateOf(row));
}

void PathDrawing::drawLines(QPainter& painter, std::size_t row, const StepColumns& at,
                            const Theme& theme) const {
    const auto& path = paths_.rows[row];
    const double y = middleOf(row);
    painter.setBrush(Qt::NoBrush);
    const bool isDropped = path.what == analysis::PathRow::What::Dropped;
    painter.setPen(QPen(theme.outline, 1.2, isDropped ? Qt::DashLine : Qt::SolidLine));
    const std::size_t first = firstOf(path);
    if (first >= path.nodes.size())
        return;
    if (row == 0) {
        painter.setPen(QPen(theme.accent, 2));
    } else {
        const double x = at.lefts[first] -
                         (first > 0 ? (at.lefts[first] - at.lefts[first - 1] - at.widths[first - 1]) / 2 : 5);
        QPainterPath line(QPointF(x, middleOf(*path.from)));
        line.lineTo(x, y - bend);
        line.quadTo(QPointF(x, y), QPointF(std::min(x + bend, at.lefts[first]), y));
        line.lineTo(at.lefts[first], y);
        painter.drawPath(line);
    }
    for (std::size_t column = first; column + 1 < path.nodes.size(); ++column)
        painter.drawLine(
            QPointF(row == 0 ? at.area(column, 0, 0).center().x() : at.lefts[column] + at.widths[column], y),
            QPointF(at.lefts[column + 1] + (row == 0 ? at.widths[column + 1] / 2 : 0), y));
}

void PathDrawing::drawDots(QPainter& painter, const View& view, const Theme& theme) const {
    for (std::size_t column = 0; column < paths_.rows.front().nodes.size(); ++column) {
        const bool isCurrent = view.current == column;
        const double radius = isCurrent ? 6 : 4;
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(isCurrent ? theme.accent : theme.background);
        painter.drawEllipse(QPointF(view.at.area(column, 0, 0).center().x(), middleOf(0)), radius, radius);
    }
}

void PathDrawing::drawChips(QPainter& painter, std::size_t row, const View& view, const Theme& theme) const {
    const auto& path = paths_.rows[row];
    const StepColumns& at = view.at;
    const auto& shown = paths_.rows.front().nodes;
    const TokenLabelStyle style{.font = font_, .spaceMarks = spaceMarks_};
    for (std::size_t column = firstOf(path); column < path.nodes.size(); ++column) {
        const auto& node = run_->tree.node(path.nodes[column]);
        const bool isSame = column < shown.size() && run_->tree.node(shown[column]).token.id == node.token.id;
        const double probability = std::exp(node.logProbability);
        using Ink = StepChip::Ink;
        const bool isCurrent = row == 0 && view.current == column;
        const StepChip chip{.ink = isCurrent  ? Ink::Current
                                   : row == 0 ? Ink::Plain
                                   : isSame   ? Ink::Faint
                                              : Ink::Bold,
                            .isDashed = path.what == analysis::PathRow::What::Dropped,
                            .probability = row == 0 ? std::nullopt : std::optional(probability),
                            .isUnsure = probability < document_->unsureBelow};
        drawStepChip(painter, chipArea(row, column, at), tokenLabel(node.token), style, chip, theme);
    }
    if (const QRectF scissors = scissorsArea(row, at); !scissors.isEmpty()) {
        drawScissors(painter, scissors, theme.text);
    } else if (path.cut && path.cut->at < path.nodes.size() && path.cut->at >= firstOf(path)) {
        const QRectF chip = chipArea(row, path.cut->at, at);
        painter.fillRect(QRectF(chip.left() - 5, chip.top() - 4, 2, chip.height() + 8), theme.text);
    }
}

void PathDrawing::draw(QPainter& painter, const View& view, const Theme& theme) const {
    const auto& [at, right, current, selected, hasDots] = view;
    const QRectF axis(at.gutter, 0, right - at.gutter, height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (selected && *selected > 0)
        painter.fillRect(
            QRectF(0, static_cast<double>(*selected) * rowHeight() + 2, right + at.after, rowHeight() - 4),
            bandColour(theme));
    painter.setClipRect(axis);
    if (current && *current < at.count())
        painter.fillRect(at.area(*current, 0, height()).adjusted(-3, 0, 3, 0), bandColour(theme));
    for (std::size_t row = paths_.rows.size(); row-- > 0;)
        drawLines(painter, row, at, theme);
    if (hasDots)
        drawDots(painter, view, theme);
    for (std::size_t row = hasDots ? 1 : 0; row < paths_.rows.size(); ++row)
        drawChips(painter, row, view, theme);
    painter.setClipping(false);
    for (std::size_t row = 0; row < paths_.rows.size(); ++row) {
        drawLabel(painter, row, selected == row, theme);
        painter.setFont(row == 0 ? boldFont(smallFont(font_)) : smallFont(font_));
        painter.setPen(row == 0 ? theme.accent : theme.text);
        painter.drawText(
            QRectF(right, static_cast<double>(row) * rowHeight(), at.after - treeMargin, rowHeight()),
            Qt::AlignRight | Qt::AlignVCenter, scoreText(paths_.rows[row], score_));
    }
    if (paths_.folded > 0) {
        painter.setFont(smallFont(font_));
        painter.setPen(theme.accent);
        const QRectF line = labelArea(paths_.rows.size()).adjusted(besideIcon, 0, 200, 0);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, foldedInWords(paths_.folded));
        painter.setPen(QPen(theme.accent, 1.4));
        const QPointF tip(treeMargin + 9, line.center().y());
        painter.drawPolyline(QPolygonF({tip - QPointF(4, 4), tip, tip - QPointF(4, -4)}));
    }
    painter.restore();
}

PathTree::PathTree(QWidget* view, Selection* selection, QWidget* parent)
    : QWidget(parent), axis_(view, selection), name_(new QLineEdit(this)) {
    setLayoutDirection(Qt::LeftToRight); // as steps run
    setAccessibleName(tr("Paths"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    name_->setAccessibleName(tr("Name of the path"));
    name_->hide();
    connect(selection, &Selection::stepChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &Selection::firstColumnChanged, this, qOverload<>(&QWidget::update));
    name_->installEventFilter(this);
    connect(name_, &QLineEdit::editingFinished, this, [this] { endRenaming(true); });
}

void PathTree::endRenaming(bool isGiven) {
    if (name_->isHidden())
        return;
    name_->hide();
    setFocus();
    if (isGiven)
        Q_EMIT rowRenamed(selected_, name_->text().trimmed());
}

bool PathTree::eventFilter(QObject* watched, QEvent* event) {
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (watched != name_ || (!isEnter && key != Qt::Key_Escape))
        return QWidget::eventFilter(watched, event);
    endRenaming(isEnter);
    return true;
}

void PathTree::show(const PathDrawing& drawing) {
    const auto& before = drawing_.paths().rows;
    const bool isSameTree =
        drawing_.run() && drawing.run() && drawing_.run()->request.source == drawing.run()->request.source;
    const auto leaf = isSameTree && selected_ > 0 && selected_ < before.size()
                          ? std::optional(before[selected_].nodes)
                          : std::nullopt;
    const auto kept = std::ranges::find_if(
        drawing.paths().rows, [&](const analysis::PathRow& row) { return leaf && row.nodes == *leaf; });
    drawing_ = drawing;
    axis_.setColumns(drawing_.columns(), drawing_.paths().prompt);
    name_->hide();
    selected_ = kept == drawing.paths().rows.end() ? 0 : kept - drawing.paths().rows.begin();
    setMinimumHeight(drawing_.height());
    updateGeometry();
    update();
    Q_EMIT rowSelected();
}

void PathTree::setDots(bool has) {
    hasDots_ = has;
    update();
}

QSize PathTree::sizeHint() const {
    const int height = drawing_.height();
    return {600, height};
}

void PathTree::select(std::size_t row) {
    if (row >= drawing_.paths().rows.size())
        return;
    selected_ = row;
    describeForReaders(this, drawing_.titleOf(row) + QStringLiteral(", ") + drawing_.stateOf(row));
    update();
    Q_EMIT rowSelected();
}

void PathTree::rename(std::size_t row) {
    if (row >= drawing_.paths().rows.size() || !drawing_.paths().rows[row].path)
        return;
    select(row);
    name_->setText(drawing_.titleOf(row));
    name_->setGeometry(drawing_.labelArea(row).adjusted(besideIcon - 4, 4, 60, -4).toAlignedRect());
    name_->show();
    name_->selectAll();
    name_->setFocus();
}

QString PathTree::wordsAt(QPointF position) const {
    const auto row = drawing_.rowAt(position.y());
    if (!row)
        return {};
    const auto& path = drawing_.paths().rows[*row];
    const StepColumns at = axis_.shown();
    if (drawing_.scissorsArea(*row, at).adjusted(-4, -4, 4, 4).contains(position))
        return cutInWords(drawing_.paths(), path);
    const auto column = axis_.columnAt(position);
    const std::size_t first = path.from ? path.fork : 0;
    if (column && *column >= first && *column < path.nodes.size())
        return nodeInWords(*drawing_.run(), drawing_.paths(), path, *column).join(QChar('\n'));
    if (!drawing_.labelArea(*row).contains(position))
        return {};
    const QString cut = cutInWords(drawing_.paths(), path);
    return PathTree::tr("%1, %2: log-probability %3, %4 per token, tokens: %5")
               .arg(drawing_.titleOf(*row), drawing_.stateOf(*row), scoreText(path, PathScore::Total),
                    scoreText(path, PathScore::Mean))
               .arg(path.nodes.size()) +
           (cut.isEmpty() ? QString() : QChar('\n') + cut);
}

bool PathTree::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString words = wordsAt(help->pos());
        words.isEmpty() ? QToolTip::hideText()
                        : QToolTip::showText(help->globalPos(), plainToolTip(words), this);
        return true;
    }
    return QWidget::event(event);
}

void PathTree::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (drawing_.isEmpty())
        return;
    const StepColumns at = axis_.shown();
    const double right = std::min(at.right() + 4, width() - at.after);
    if (const auto current = axis_.current();
        current && at.lefts[*current] >= at.gutter && at.lefts[*current] + at.widths[*current] <= right)
        painter.fillRect(at.area(*current, 0, height()).adjusted(-3, 0, 3, 0), bandColour(theme));
    drawing_.draw(
        painter,
        {.at = at, .right = right, .current = axis_.current(), .selected = selected_, .hasDots = hasDots_},
        theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void PathTree::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    if (const auto row = drawing_.rowAt(event->position().y()))
        select(*row);
    else if (drawing_.paths().folded > 0 &&
             drawing_.labelArea(drawing_.paths().rows.size()).contains(event->position()))
        return Q_EMIT foldingWanted();
    const auto column = axis_.columnAt(event->position());
    if (column && *column < drawing_.paths().rows.front().nodes.size())
        Q_EMIT stepChosen(axis_.stepOf(*column));
}

void PathTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto row = drawing_.rowAt(event->position().y());
    if (row && event->button() == Qt::LeftButton)
        drawing_.labelArea(*row).contains(event->position()) ? rename(*row) : Q_EMIT rowShown(*row);
}

void PathTree::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT described(wordsAt(event->position()).replace(QChar('\n'), QStringLiteral("; ")));
}

void PathTree::leaveEvent(QEvent*) {
    Q_EMIT described({});
}

/// Up and down scrolls the rows where they do not fit.
void PathTree::wheelEvent(QWheelEvent* event) {
    const bool isAcross = std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y()) ||
                          event->modifiers() & Qt::ShiftModifier;
    const bool fits = !parentWidget() || height() <= parentWidget()->height();
    event->setAccepted((isAcross || fits) && axis_.scroll(*event));
}

void PathTree::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        return select(selected_ > 0 ? selected_ - 1 : 0);
    case Qt::Key_Down:
        return select(selected_ + 1);
    case Qt::Key_Left:
    case Qt::Key_Right: // as in other views
        return Q_EMIT stepped(event->key() == Qt::Key_Right);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT rowShown(selected_);
    case Qt::Key_Delete:
        return Q_EMIT rowRemoved(selected_);
    case Qt::Key_F2:
        return rename(selected_);
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
