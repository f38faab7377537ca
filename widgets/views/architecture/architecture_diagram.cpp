#include "widgets/views/architecture/architecture_diagram.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double architectureDiagramSmallestScale = 0.25;
constexpr double architectureDiagramLargestScale = 3;
/// Range of scales for a fitted figure. A figure that is too large at the smallest scale scrolls. The width
/// has to fit before the height.
constexpr double smallestFit = 0.75;
constexpr double largestFit = 1.25;

} // namespace

ArchitectureDiagram::ArchitectureDiagram(const ArchitectureFacts& facts, QWidget* parent)
    : QWidget(parent), facts_(facts), bar_(new QScrollBar(Qt::Vertical, this)) {
    setLayoutDirection(Qt::LeftToRight); // from encoder to decoder
    setAccessibleName(tr("Architecture of the model"));
    setProperty(zoomsByKey, false);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 100);
    bar_->setAccessibleName(tr("Height of the architecture"));
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this, [this](int value) {
        fitted_ = false;
        moveTo(QPointF(offset_.x(), -value), scale_);
    });
}

void ArchitectureDiagram::modelChanged() {
    unfolded_.clear();
    current_ = facts_.model ? "encoder" : std::string();
    fitted_ = true;
    factsChanged();
    Q_EMIT currentChanged();
}

void ArchitectureDiagram::factsChanged() {
    layOut();
    if (isVisible())
        place();
}

void ArchitectureDiagram::place() {
    fitted_ ? fit() : moveTo(offset_, scale_);
}

void ArchitectureDiagram::layOut() {
    setHovered(std::nullopt);
    if (isSaid_)
        describe(std::nullopt);
    isLaidOut_ = false;
    update();
}

/// Measuring all labels takes milliseconds: not before somebody looks.
const ArchitectureLayout& ArchitectureDiagram::layout() const {
    if (std::exchange(isLaidOut_, true))
        return layout_;
    layout_ = wholeLayout();
    wholeWidth_ = layout_.size.width();
    hasLetters_ = needsLetters();
    if (hasLetters_)
        layout_ = layOutArchitecture(facts_.architecture, unfolded_,
                                     architectureText(facts_, font(), ShapeLabels::TwoLines));
    return layout_;
}

ArchitectureLayout ArchitectureDiagram::wholeLayout() const {
    return facts_.model ? layOutArchitecture(facts_.architecture, unfolded_, architectureText(facts_, font()))
                        : ArchitectureLayout();
}

/// The caption explains the letters.
bool ArchitectureDiagram::needsLetters() const {
    return picture().width() < readableScale() * wholeWidth_;
}

/// The first folded one on the way down to the block that was chosen.
const analysis::ArchitectureBlock* ArchitectureDiagram::current() const {
    const analysis::ArchitectureBlock* shown = nullptr;
    for (std::size_t end = 0; end != std::string::npos;) {
        end = current_.find('.', end + 1);
        if (const auto* block = facts_.architecture.find(current_.substr(0, end))) {
            shown = block;
            if (!unfolded_.contains(block->role))
                break;
        }
    }
    return shown;
}

std::optional<std::size_t> ArchitectureDiagram::currentBox() const {
    const auto* block = current();
    return block ? layout().boxOf(block->role) : std::nullopt;
}

void ArchitectureDiagram::setCurrent(const std::string& role) {
    const auto* before = current();
    current_ = role;
    if (current() == before)
        return;
    if (const auto box = currentBox(); box && !fitted_)
        bringIntoSight(*box);
    update();
    if (isSaid_ && !hovered_)
        describe(currentBox()); // replaces the description of the previous block
    Q_EMIT currentChanged();
}

/// The folded block keeps its position on the widget.
void ArchitectureDiagram::setUnfolded(const std::string& role, bool unfolded) {
    const auto* block = facts_.architecture.find(role);
    if (!block || block->children.empty() || unfolded == unfolded_.contains(role))
        return;
    const auto old = layout().boxOf(role);
    const QPointF before = old ? layout().boxes[*old].title.center() * scale_ + offset_ : QPointF();
    if (unfolded)
        unfolded_.insert(role);
    else
        unfolded_.erase(role);
    layOut();
    const bool stays = layout().size.height() * readableScale() > picture().height();
    if (fitted_ && !stays) {
        fit();
    } else if (const auto box = layout().boxOf(role)) {
        const double scale = fitted_ ? std::min(scale_, fittingScale()) : scale_;
        moveTo(before - layout().boxes[*box].title.center() * scale, scale);
        bringIntoSight(*box);
    }
    Q_EMIT currentChanged();
}

std::vector<double> ArchitectureDiagram::zoom() const {
    return fitted_ ? std::vector<double>() : std::vector{offset_.x(), offset_.y(), scale_};
}

void ArchitectureDiagram::setZoom(const std::vector<double>& zoom) {
    if (zoom.size() != 3 || zoom[2] <= 0)
        return fit();
    fitted_ = false;
    moveTo({zoom[0], zoom[1]}, zoom[2]);
}

void ArchitectureDiagram::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    update();
}

QRectF ArchitectureDiagram::picture() const {
    return QRectF(rect()).adjusted(0, 0, -bar_->sizeHint().width(), 0);
}

/// Text may be at most one point smaller than elsewhere.
double ArchitectureDiagram::readableScale() const {
    const double points = QFontInfo(font()).pointSizeF();
    return std::max(smallestFit, (points - 1) / points);
}

double ArchitectureDiagram::fittingScale() const {
    const QSizeF size = layout().size;
    if (size.isEmpty())
        return 1;
    const double across = picture().width() / size.width();
    const double down = picture().height() / size.height();
    return std::clamp(std::min(across, std::max(down, readableScale())), smallestFit, largestFit);
}

void ArchitectureDiagram::fit() {
    fitted_ = true;
    moveTo({}, fittingScale());
    if (const auto box = currentBox())
        bringIntoSight(*box);
}

/// Centres a figure smaller than the widget; keeps a larger one within view.
void ArchitectureDiagram::moveTo(QPointF offset, double scale) {
    scale_ = std::clamp(scale, architectureDiagramSmallestScale, architectureDiagramLargestScale);
    const QRectF area = picture();
    const QSizeF size = layout().size * scale_;
    const auto placed = [](double at, double size, double room) {
        return size <= room ? (room - size) / 2 : std::clamp(at, room - size, 0.0);
    };
    offset_ = {placed(offset.x(), size.width(), area.width()),
               placed(offset.y(), size.height(), area.height())};
    const double over = size.height() - area.height();
    const QSignalBlocker quiet(bar_);
    bar_->setRange(0, static_cast<int>(std::ceil(std::max(0.0, over))));
    bar_->setPageStep(area.height());
    bar_->setSingleStep(40);
    bar_->setValue(-offset_.y());
    bar_->setVisible(facts_.model && over > 0.5);
    update();
}

QRectF ArchitectureDiagram::areaOf(const std::string& role) const {
    const auto box = layout().boxOf(role);
    if (!box)
        return {};
    const QRectF& area = layout().boxes[*box].area;
    return {area.topLeft() * scale_ + offset_, area.size() * scale_};
}

/// For a frame: the title, and its whole width if it fits.
void ArchitectureDiagram::bringIntoSight(std::size_t box) {
    const QRectF area = picture().adjusted(8, 24, -8, -24);
    QRectF there = layout().boxes[box].title;
    const QRectF& whole = layout().boxes[box].area;
    if (whole.width() * scale_ <= area.width()) {
        there.setLeft(whole.left());
        there.setRight(whole.right());
    }
    there = QRectF(there.topLeft() * scale_ + offset_, there.size() * scale_);
    QPointF by;
    by.setX(std::max(0.0, area.left() - there.left()) - std::max(0.0, there.right() - area.right()));
    by.setY(std::max(0.0, area.top() - there.top()) - std::max(0.0, there.bottom() - area.bottom()));
    moveTo(offset_ + by, scale_);
}

void ArchitectureDiagram::resizeEvent(QResizeEvent*) {
    const int width = bar_->sizeHint().width();
    bar_->setGeometry(this->width() - width, 0, width, height());
    if (needsLetters() != hasLetters_)
        layOut();
    place();
}

void ArchitectureDiagram::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    place();
}

void ArchitectureDiagram::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        factsChanged();
}

void ArchitectureDiagram::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!facts_.model) {
        drawEmptyState(painter, QRectF(rect()), tr("Shows the open model, block by block."),
                       tr("Open a model: File, Open Model Folder (Ctrl+O)."), theme);
        return;
    }
    painter.save();
    painter.setClipRect(picture());
    painter.translate(offset_);
    painter.scale(scale_, scale_);
    drawArchitecture(painter, layout(), facts_,
                     {.current = currentBox(), .hovered = hovered_, .spaceMarks = spaceMarks_}, theme);
    painter.restore();
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

bool ArchitectureDiagram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto box = layout().boxAt(toFigure(QPointF(help->pos()))))
        QToolTip::showText(help->globalPos(),
                           plainToolTip(blockInWords(facts_, *layout().boxes[*box].block).join(QChar('\n'))),
                           this, areaOf(layout().boxes[*box].block->role).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void ArchitectureDiagram::setHovered(std::optional<std::size_t> box) {
    if (box == hovered_)
        return;
    hovered_ = box;
    update();
    describe(box);
}

void ArchitectureDiagram::describe(std::optional<std::size_t> box) {
    isSaid_ = box.has_value();
    const QStringList words = box ? blockInWords(facts_, *layout().boxes[*box].block) : QStringList();
    Q_EMIT blockDescribed(words.isEmpty() ? QString() : words[0] + QStringLiteral(". ") + words[1]);
}

void ArchitectureDiagram::choose(std::size_t box) {
    const std::string role = layout().boxes[box].block->role;
    setCurrent(role);
    describe(box); // regardless of the pointer
    Q_EMIT chosen(role);
}

void ArchitectureDiagram::step(int along, int across) {
    const auto from = currentBox();
    if (!from)
        return;
    const std::size_t box = layout().neighbour(*from, along, across);
    if (box == *from)
        return;
    bringIntoSight(box);
    choose(box);
}

/// The block stays current. If it is not unfolded, folds its parent.
void ArchitectureDiagram::fold(bool unfold) {
    const auto* block = current();
    if (!block)
        return;
    std::string role = block->role;
    if (!unfold && !isUnfolded(role)) {
        const auto dot = role.rfind('.');
        if (dot == std::string::npos)
            return;
        role = role.substr(0, dot);
    }
    setCurrent(role);
    setUnfolded(role, unfold);
    if (const auto box = layout().boxOf(role))
        bringIntoSight(*box);
}

void ArchitectureDiagram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void ArchitectureDiagram::mouseMoveEvent(QMouseEvent* event) {
    if (!dragFrom_)
        return setHovered(layout().boxAt(toFigure(event->position())));
    const QPointF by = event->position() - *dragFrom_;
    dragged_ = dragged_ || by.manhattanLength() >= QApplication::startDragDistance();
    if (!dragged_)
        return;
    fitted_ = false;
    moveTo(offset_ + by, scale_);
    dragFrom_ = event->position();
}

void ArchitectureDiagram::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    const QPointF point = toFigure(event->position());
    const auto box = layout().boxAt(point);
    if (!clicked || !box)
        return;
    const bool onSign = foldSign(layout().boxes[*box]).adjusted(-4, -4, 4, 4).contains(point);
    choose(*box);
    if (onSign)
        setUnfolded(current_, !isUnfolded(current_));
}

void ArchitectureDiagram::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF point = toFigure(event->position());
    const auto box = layout().boxAt(point);
    if (!box)
        return fit();
    if (foldSign(layout().boxes[*box]).adjusted(-4, -4, 4, 4).contains(point))
        return mousePressEvent(event); // a fast second click on the sign folds again
    const std::string role = layout().boxes[*box].block->role;
    setUnfolded(role, !isUnfolded(role));
}

void ArchitectureDiagram::leaveEvent(QEvent*) {
    setHovered(std::nullopt);
}

void ArchitectureDiagram::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (!facts_.model || turned.isNull()) {
        event->ignore();
        return;
    }
    fitted_ = false;
    if (turned.y() == 0 || event->modifiers() & Qt::ShiftModifier) {
        moveTo(offset_ + QPointF(turned.x() + turned.y(), 0), scale_);
        return;
    }
    const QPointF under = toFigure(event->position());
    const double before = scale_;
    moveTo(offset_, before * std::pow(1.2, turned.y() / 120.0));
    moveTo(event->position() - under * scale_, scale_);
}

void ArchitectureDiagram::keyPressEvent(QKeyEvent* event) {
    if (!facts_.model) {
        event->ignore();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        return step(1, 0);
    case Qt::Key_Down:
        return step(-1, 0);
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto* block = current())
            fold(!isUnfolded(block->role));
        return;
    case Qt::Key_Plus:
        return fold(true);
    case Qt::Key_Minus:
        return fold(false);
    case Qt::Key_0:
        return fit();
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
