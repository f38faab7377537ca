#include "widgets/views/beam_tree/beam_tree_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/beam_tree/beam_tree_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double beamTreeSmallestScale = 0.25;
constexpr double largestScale = 3;

} // namespace

BeamTreeView::BeamTreeView(QWidget* parent) : QWidget(parent), bar_(new QScrollBar(Qt::Horizontal, this)) {
    setAccessibleName(tr("Beam tree"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    bar_->setAccessibleName(tr("Steps of the beam tree"));
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this,
            [this](int value) { moveTo(QPointF(-value, offset_.y()), scale_); });
}

void BeamTreeView::setRun(std::shared_ptr<const trace::Run> run) {
    const auto before = layout_.nodes.size();
    const bool sameSource = run_ && run && run_->request.source == run->request.source;
    run_ = std::move(run);
    layOut();
    setCursorPlace(std::nullopt);
    if (!sameSource || before != layout_.nodes.size())
        fit();
    update();
}

void BeamTreeView::layOut() {
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    layout_ = {};
    if (run_)
        layout_ = layOutBeamTree(
            *run_, [&](const trace::Token& token) { return style.width(tokenLabel(token)); },
            style.lineHeight());
    moveTo(offset_, scale_);
}

void BeamTreeView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layOut();
}

void BeamTreeView::fit() {
    const double room = treeArea().height();
    moveTo({}, layout_.size.isEmpty() ? 1 : std::clamp(room / layout_.size.height(), 0.6, 1.0));
}

QRectF BeamTreeView::treeArea() const {
    const double legend = QFontMetricsF(font()).height() + 12;
    return QRectF(rect()).adjusted(0, 0, 0, -legend - bar_->sizeHint().height());
}

QRectF BeamTreeView::areaOf(trace::DecodeTree::NodeId id) const {
    const auto place = layout_.placeOf(id);
    if (!place)
        return {};
    const QRectF& box = layout_.nodes[*place].box;
    return {box.topLeft() * scale_ + offset_, box.size() * scale_};
}

/// The tree never leaves the widget: where it is smaller, it stays in its corner.
void BeamTreeView::moveTo(QPointF offset, double scale) {
    scale_ = std::clamp(scale, beamTreeSmallestScale, largestScale);
    const QRectF area = treeArea();
    const QSizeF over = layout_.size * scale_ - area.size();
    offset_ = {std::clamp(offset.x(), -std::max(0.0, over.width()), 0.0),
               std::clamp(offset.y(), -std::max(0.0, over.height()), 0.0)};
    const QSignalBlocker quiet(bar_);
    bar_->setRange(0, static_cast<int>(std::ceil(std::max(0.0, over.width()))));
    bar_->setPageStep(static_cast<int>(area.width()));
    bar_->setSingleStep(40);
    bar_->setValue(static_cast<int>(-offset_.x()));
    bar_->setVisible(!isEmpty() && over.width() > 0);
    update();
}

bool BeamTreeView::isMarked(trace::DecodeTree::NodeId id) const {
    return figureParts().marks && std::ranges::find(run_->path, id) != run_->path.end();
}

void BeamTreeView::setCursorPlace(std::optional<std::size_t> place) {
    if (place == cursor_)
        return;
    cursor_ = place;
    const QStringList words = place ? hypothesisInWords(*run_, layout_.nodes[*place].id) : QStringList();
    describeForReaders(this, words.join(QStringLiteral(". ")));
    update();
    Q_EMIT nodeDescribed(words.isEmpty() ? QString() : words.front() + QStringLiteral(": ") + words.back());
}

void BeamTreeView::showPlace(std::size_t place) {
    const QRectF area = treeArea().adjusted(24, 8, -24, -8);
    const QRectF box = areaOf(layout_.nodes[place].id);
    QPointF by;
    by.setX(std::max(0.0, area.left() - box.left()) - std::max(0.0, box.right() - area.right()));
    by.setY(std::max(0.0, area.top() - box.top()) - std::max(0.0, box.bottom() - area.bottom()));
    moveTo(offset_ + by, scale_);
}

bool BeamTreeView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = layout_.nodeAt(toTree(QPointF(help->pos())));
    if (place)
        QToolTip::showText(help->globalPos(),
                           plainToolTip(hypothesisInWords(*run_, layout_.nodes[*place].id).join(QChar('\n'))),
                           this, areaOf(layout_.nodes[*place].id).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void BeamTreeView::resizeEvent(QResizeEvent*) {
    const int height = bar_->sizeHint().height();
    bar_->setGeometry(0, this->height() - height, width(), height);
    if (offset_.isNull())
        fit();
    else
        moveTo(offset_, scale_);
}

void BeamTreeView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void BeamTreeView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void BeamTreeView::mouseMoveEvent(QMouseEvent* event) {
    if (dragFrom_) {
        const QPointF by = event->position() - *dragFrom_;
        dragged_ = dragged_ || by.manhattanLength() >= QApplication::startDragDistance();
        if (!dragged_)
            return;
        moveTo(offset_ + by, scale_);
        dragFrom_ = event->position();
        return;
    }
    setCursorPlace(layout_.nodeAt(toTree(event->position())));
}

void BeamTreeView::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    if (const auto place = layout_.nodeAt(toTree(event->position())); clicked && place)
        Q_EMIT nodeSelected(layout_.nodes[*place].id);
}

void BeamTreeView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!layout_.nodeAt(toTree(event->position())))
        fit();
}

void BeamTreeView::leaveEvent(QEvent*) {
    setCursorPlace(std::nullopt);
}

void BeamTreeView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (isEmpty() || turned.isNull()) {
        event->ignore();
        return;
    }
    if (turned.y() == 0 || event->modifiers() & Qt::ShiftModifier) {
        moveTo(offset_ + QPointF(turned.x() + turned.y(), 0), scale_);
        return;
    }
    const double scale =
        std::clamp(scale_ * std::pow(1.2, turned.y() / 120.0), beamTreeSmallestScale, largestScale);
    const QPointF under = toTree(event->position());
    moveTo(event->position() - under * scale, scale);
}

void BeamTreeView::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) {
        event->ignore();
        return;
    }
    const auto shown = layout_.placeOf(run_->path.back()).value_or(0);
    const auto step = [&](int columns, int ranks) {
        const auto place = cursor_ ? layout_.neighbour(*cursor_, columns, ranks) : shown;
        showPlace(place);
        setCursorPlace(place);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_)
            Q_EMIT nodeSelected(layout_.nodes[*cursor_].id);
        return;
    case Qt::Key_0:
        return fit();
    default:
        event->ignore();
    }
}

FigureText BeamTreeView::figureText() const {
    if (isEmpty())
        return {};
    return {.title = tr("Beam tree"),
            .caption =
                tr("Beam search with %1 hypotheses: every continuation that was looked at, step by step "
                   "from left to right, the more probable the higher.")
                    .arg(run_->request.decoding.beam),
            .provenance = provenance(*run_),
            .quantity = tr("log-probability")};
}

} // namespace headscope::widgets
