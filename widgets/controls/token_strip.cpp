#include "widgets/controls/token_strip.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/minus_strokes.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int tokenStripGap = 4;
constexpr int tokenStripMargin = 2; ///< above and below all chips
constexpr int tokenStripSidePadding = 6;
constexpr int tokenStripTopPadding = 3;
constexpr int tokenStripBar = 3; ///< height in pixels, below the token

} // namespace

TokenStrip::TokenStrip(const QString& name, QWidget* parent) : QWidget(parent) {
    installMapAccessibility(this);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TokenStrip::setTokens(const std::vector<trace::Token>& tokens) {
    if (tokens == tokens_ && !labels_.empty())
        return;
    tokens_ = tokens;
    choices_.clear();
    changed_.clear();
    labels_ = tokenLabels(tokens);
    weights_.clear();
    masked_.clear();
    outlined_.reset();
    lit_.reset();
    hovered_.reset();
    labelsChanged();
}

void TokenStrip::labelsChanged() {
    widths_.clear();
    for (const double width : style().widths(labels_))
        widths_.push_back(qCeil(width));
    chips_ = flow(width());
    updateGeometry();
    update();
}

void TokenStrip::setShading(std::vector<float> weights, std::vector<bool> masked) {
    weights_ = std::move(weights);
    masked_ = std::move(masked);
    contributionLimit_.reset();
    update();
}

void TokenStrip::setContributions(std::vector<float> contributions) {
    setShading(std::move(contributions));
    double largest = 0;
    for (const float contribution : weights_)
        largest = std::max<double>(largest, std::abs(contribution));
    contributionLimit_ = largest;
}

void TokenStrip::setChoices(std::vector<TokenChoice> choices) {
    if (choices == choices_)
        return;
    const int before = chipHeight();
    choices_ = std::move(choices);
    if (chipHeight() != before)
        labelsChanged();
    update();
}

void TokenStrip::setPlaceholder(const QString& text) {
    placeholder_ = text;
    update();
}

void TokenStrip::setOutlined(std::optional<int> index) {
    outlined_ = index;
    update();
}

void TokenStrip::setLit(std::optional<int> index) {
    lit_ = index;
    update();
}

void TokenStrip::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    labelsChanged();
}

TokenLabelStyle TokenStrip::style() const {
    return {.font = font(), .spaceMarks = spaceMarks_};
}

int TokenStrip::chipHeight() const {
    const int label = qCeil(style().lineHeight()) + 2 * tokenStripTopPadding;
    return std::max(label + (choices_.empty() ? 0 : tokenStripBar), space::target);
}

std::vector<QRect> TokenStrip::flow(int width) const {
    const int height = chipHeight();
    std::vector<QRect> chips;
    int x = tokenStripGap;
    int y = tokenStripMargin;
    for (const int label : widths_) {
        const int wanted = label + 2 * tokenStripSidePadding;
        const int chip = std::clamp(wanted, height, std::max(height, width - 2 * tokenStripGap));
        if (x > tokenStripGap && x + chip > width - tokenStripGap) {
            x = tokenStripGap;
            y += height + tokenStripGap;
        }
        chips.emplace_back(x, y, chip, height);
        x += chip + tokenStripGap;
    }
    return chips;
}

int TokenStrip::heightForWidth(int width) const {
    const int line = chipHeight() + 2 * tokenStripMargin;
    const auto chips = flow(width);
    return chips.empty() ? line : chips.back().bottom() + 1 + tokenStripMargin;
}

QSize TokenStrip::sizeHint() const {
    return {320, heightForWidth(width() > 0 ? width() : 320)};
}

QSize TokenStrip::minimumSizeHint() const {
    return {80, heightForWidth(std::max(80, width()))};
}

void TokenStrip::setChanged(std::vector<bool> changed) {
    changed_ = std::move(changed);
    update();
}

QRect TokenStrip::chipRect(int index) const {
    return index >= 0 && index < std::ssize(chips_) ? chips_[index] : QRect();
}

std::optional<int> TokenStrip::chipAt(QPoint position) const {
    const auto found =
        std::ranges::find_if(chips_, [&](const QRect& chip) { return chip.contains(position); });
    return found == chips_.end() ? std::nullopt : std::optional<int>(found - chips_.begin());
}

std::optional<MapCell> TokenStrip::cursorCell() const {
    const auto index = hovered_ ? hovered_ : outlined_;
    return index && *index < columnCount() ? std::optional(MapCell{0, *index}) : std::nullopt;
}

QString TokenStrip::chipInWords(int index) const {
    const std::size_t i = index;
    QString words = tr("%1 of %2: %3, id %4")
                        .arg(QString::number(index + 1), QString::number(labels_.size()),
                             exactly(labels_.at(i)), QString::number(tokens_.at(i).id));
    if (tokens_[i].role == trace::TokenRole::Unknown)
        words += tr("; unknown to the model");
    if (i < masked_.size() && masked_[i])
        words += tr("; masked");
    else if (i < weights_.size())
        words +=
            (contributionLimit_ ? tr("; contribution %1") : tr("; weight %1")).arg(numberText(weights_[i]));
    if (i < changed_.size() && changed_[i])
        words += tr("; differs because the model is changed");
    if (i < choices_.size() && !choices_[i].words.isEmpty())
        words += QChar('\n') + choices_[i].words;
    return words;
}

void TokenStrip::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(palette());
    const auto scale = contributionLimit_ ? ColourScale::diverging(*contributionLimit_, theme.dark)
                                          : ColourScale::sequential(0, 1, ColourMapping::Linear, theme.dark);
    const TokenLabelStyle labels = style();
    QPainter painter(this);
    if (labels_.empty()) {
        painter.setPen(theme.faintText);
        painter.drawText(rect().adjusted(tokenStripGap, 0, -tokenStripGap, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, placeholder_);
    }
    // Chips are ordered by line, so the visible ones are contiguous.
    const auto inSight = std::ranges::partition_point(
        chips_, [&](const QRect& chip) { return chip.bottom() < event->rect().top(); });
    for (std::size_t i = inSight - chips_.begin();
         i < chips_.size() && chips_[i].top() <= event->rect().bottom(); ++i) {
        const QRectF chip(chips_[i]);
        const bool isMasked = i < masked_.size() && masked_[i];
        const bool isShaded = !isMasked && i < weights_.size();
        const QColor fill = isShaded ? QColor(scale.colour(weights_[i])) : theme.panel;
        const bool isOutlined = outlined_ && std::cmp_equal(*outlined_, i);
        const bool isLit = (lit_ && std::cmp_equal(*lit_, i)) || (hovered_ && std::cmp_equal(*hovered_, i));
        // The current step's chip is also rounder, as colour must not be the only mark.
        const double radius = isOutlined ? chip.height() / 2 : 4;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(fill);
        const bool isChanged = i < changed_.size() && changed_[i];
        painter.setPen(isLit        ? QPen(theme.focus, 2)
                       : isChanged  ? QPen(theme.changed, 2, Qt::DashLine)
                       : isOutlined ? QPen(theme.stepMark, 2)
                                    : QPen(theme.line, 1));
        painter.drawRoundedRect(chip.adjusted(1, 1, -1, -1), radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (isMasked)
            drawHatch(painter, QRectF(chip.left() + 5, chip.bottom() - 6, chip.width() - 10, 4), theme);
        if (contributionLimit_ && isShaded && weights_[i] < 0)
            drawMinusStroke(painter, QRectF(chip.center().x() - 8, chip.bottom() - 12, 16, 16), fill);
        const int room = i < choices_.size() ? tokenStripBar : 0;
        if (room > 0)
            drawChoice(painter, chip, choices_[i]);
        labels.draw(painter, chip.adjusted(tokenStripSidePadding, 0, -tokenStripSidePadding, -room),
                    Qt::AlignHCenter, labels_[i],
                    isShaded ? TokenInk::on(fill, readableOn(fill)) : TokenInk::onBackground(theme));
    }
    if (hasFocus() && !hovered_) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TokenStrip::drawChoice(QPainter& painter, const QRectF& chip, const TokenChoice& choice) const {
    const Theme& theme = themeOf(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    if (choice.probability) {
        const QRectF whole(chip.left() + 5, chip.bottom() - 2 - tokenStripBar, chip.width() - 10,
                           tokenStripBar);
        painter.fillRect(whole, theme.background);
        drawConfidence(painter, whole, *choice.probability, choice.isUnsure, theme.faintText, theme);
    }
    if (choice.isForced)
        drawLock(painter, chip.topRight() + QPointF(-6, 0), theme.changed);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TokenStrip::resizeEvent(QResizeEvent*) {
    chips_ = flow(width());
}

void TokenStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        labelsChanged();
}

bool TokenStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto chip = chipAt(help->pos()))
        QToolTip::showText(help->globalPos(), plainToolTip(chipInWords(*chip)), this, chipRect(*chip));
    else
        QToolTip::hideText();
    return true;
}

void TokenStrip::hover(std::optional<int> index) {
    if (index == hovered_)
        return;
    hovered_ = index;
    describeForReaders(this, index ? chipInWords(*index) : QString());
    update();
    Q_EMIT tokenHovered(index);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
    hover(chipAt(event->position().toPoint()));
}

void TokenStrip::leaveEvent(QEvent*) {
    hover(std::nullopt);
}

void TokenStrip::focusOutEvent(QFocusEvent* event) {
    hover(std::nullopt);
    QWidget::focusOutEvent(event);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    const auto chip = chipAt(event->position().toPoint());
    if (chip && event->button() == Qt::LeftButton)
        Q_EMIT tokenClicked(*chip);
    else
        event->ignore();
}

void TokenStrip::moveCursor(int index) {
    hover(std::clamp<int>(index, 0, labels_.size() - 1));
    announceCursor(this, *this);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    if (labels_.empty()) {
        event->ignore();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(hovered_ ? *hovered_ - 1 : outlined_.value_or(0));
    case Qt::Key_Right:
        return moveCursor(hovered_ ? *hovered_ + 1 : outlined_.value_or(0));
    case Qt::Key_Home:
        return moveCursor(0);
    case Qt::Key_End:
        return moveCursor(labels_.size() - 1);
    case Qt::Key_Escape:
        if (hovered_)
            return hover(std::nullopt);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (hovered_) {
            Q_EMIT tokenClicked(*hovered_);
            return;
        }
        break;
    default:
        break;
    }
    event->ignore();
}

} // namespace headscope::widgets
