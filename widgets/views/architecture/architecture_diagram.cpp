#include "widgets/views/architecture/architecture_diagram.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/architecture/architecture_words.h"
#include "widgets/words/plain_text.h"

#include <QFontInfo>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double architectureDiagramSmallestScale = 0.25;
constexpr double architectureDiagramLargestScale = 3;
/// A figure that is made to fit is never smaller: what does not fit is scrolled to. Its width has to fit
/// before its height.
constexpr double smallestFit = 0.75;
constexpr double largestFit = 1.25;

} // namespace

ArchitectureDiagram::ArchitectureDiagram(const ArchitectureFacts& facts, QWidget* parent)
    : QWidget(parent), facts_(facts), bar_(new QScrollBar(Qt::Vertical, this)) {
    setAccessibleName(tr("Architecture of the model"));
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
    layOut();
    fit();
    Q_EMIT currentChanged();
}

void ArchitectureDiagram::factsChanged() {
    layOut();
    fitted_ ? fit() : moveTo(offset_, scale_);
}

void ArchitectureDiagram::layOut() {
    setHovered(std::nullopt);
    if (isSaid_)
        describe(std::nullopt);
    layout_ = wholeLayout();
    wholeWidth_ = layout_.size.width();
    hasLetters_ = needsLetters();
    if (hasLetters_)
        layout_ = layOutArchitecture(facts_.architecture, unfolded_,
                                     architectureText(facts_, font(), ShapeLabels::TwoLines));
    update();
}

ArchitectureLayout ArchitectureDiagram::wholeLayout() const {
    return facts_.model ? layOutArchitecture(facts_.architecture, unfolded_, architectureText(facts_, font()))
                        : ArchitectureLayout();
}

/// What the letters stand for is in the caption.
bool ArchitectureDiagram::needsLetters() const {
    return picture().width() < readableScale() * wholeWidth_;
}

const analysis::ArchitectureBlock* ArchitectureDiagram::current() const {
    const auto box = currentBox();
    return box ? layout_.boxes[*box].block : nullptr;
}

void ArchitectureDiagram::setCurrent(const std::string& role) {
    const auto before = currentBox();
    current_ = role;
    if (currentBox() == before)
        return;
    if (const auto box = currentBox(); box && !fitted_)
        bringIntoSight(*box);
    update();
    if (isSaid_ && !hovered_)
        describe(currentBox()); // not the one that the keys were at before
    Q_EMIT currentChanged();
}

/// What is folded stays where it is on the widget.
void ArchitectureDiagram::setUnfolded(const std::string& role, bool unfolded) {
    const auto* block = facts_.architecture.find(role);
    if (!block || block->children.empty() || unfolded == unfolded_.contains(role))
        return;
    const auto old = layout_.boxOf(role);
    const QPointF before = old ? layout_.boxes[*old].title.center() * scale_ + offset_ : QPointF();
    if (unfolded)
        unfolded_.insert(role);
    else
        unfolded_.erase(role);
    layOut();
    const bool stays = layout_.size.height() * readableScale() > picture().height();
    if (fitted_ && !stays) {
        fit();
    } else if (const auto box = layout_.boxOf(role)) {
        const double scale = fitted_ ? std::min(scale_, fittingScale()) : scale_;
        moveTo(before - layout_.boxes[*box].title.center() * scale, scale);
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

/// Text is at most a point smaller than elsewhere.
double ArchitectureDiagram::readableScale() const {
    const double points = QFontInfo(font()).pointSizeF();
    return std::max(smallestFit, (points - 1) / points);
}

double ArchitectureDiagram::fittingScale() const {
    const QSizeF size = layout_.size;
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

/// The figure stands in the middle where it is smaller than the widget, and never leaves it.
void ArchitectureDiagram::moveTo(QPointF offset, double scale) {
    scale_ = std::clamp(scale, architectureDiagramSmallestScale, architectureDiagramLargestScale);
    const QRectF area = picture();
    const QSizeF size = layout_.size * scale_;
    const auto placed = [](double at, double size, double room) {
        return size <= room ? (room - size) / 2 : std::clamp(at, room - size, 0.0);
    };
    offset_ = {placed(offset.x(), size.width(), area.width()),
               placed(offset.y(), size.height(), area.height())};
    const double over = size.height() - area.height();
    const QSignalBlocker quiet(bar_);
    bar_->setRange(0, static_cast<int>(std::ceil(std::max(0.0, over))));
    bar_->setPageStep(static_cast<int>(area.height()));
    bar_->setSingleStep(40);
    bar_->setValue(static_cast<int>(-offset_.y()));
    bar_->setVisible(facts_.model && over > 0.5);
    update();
}

QRectF ArchitectureDiagram::areaOf(const std::string& role) const {
    const auto box = layout_.boxOf(role);
    if (!box)
        return {};
    const QRectF& area = layout_.boxes[*box].area;
    return {area.topLeft() * scale_ + offset_, area.size() * scale_};
}

/// Of a frame, its title and as much of its width as there is room for.
void ArchitectureDiagram::bringIntoSight(std::size_t box) {
    const QRectF area = picture().adjusted(8, 24, -8, -24);
    QRectF there = layout_.boxes[box].title;
    const QRectF& whole = layout_.boxes[box].area;
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
    fitted_ ? fit() : moveTo(offset_, scale_);
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
        drawEmptyState(painter, QRectF(rect()), tr("Here the open model is drawn, block by block."),
                       tr("Open a model: File, Open Model Folder (Ctrl+O)."), theme);
        return;
    }
    painter.save();
    painter.setClipRect(picture());
    painter.translate(offset_);
    painter.scale(scale_, scale_);
    drawArchitecture(painter, layout_, facts_,
                     {.current = currentBox(), .hovered = hovered_, .spaceMarks = spaceMarks_}, theme);
    painter.restore();
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace headscope::widgets
