#include "widgets/views/predictions/prediction_tracks.h"

#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/card_words.h"
#include "widgets/words/hesitation_words.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double predictionMargin = 8;
constexpr double betweenRanks = 6;
constexpr double tallestBar = 50;

} // namespace

PredictionTracks::PredictionTracks(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), axis_(this, selection) {
    setAccessibleName(tr("Predictions for each token"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    installMapAccessibility(this);
    connect(selection, &Selection::focusChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &Selection::stepChanged, this, [this] {
        rank_ = 0;
        Q_EMIT chosenChanged();
    });
}

void PredictionTracks::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    masks_.clear();
    rank_ = 0;
    labels_ = run_ ? tokenLabels(run_->source) : std::vector<TokenLabel>();
    if (run_)
        for (const auto& [position, candidates] : run_->maskCandidates)
            if (position < labels_.size() && !candidates.empty())
                masks_.push_back(position);
    addBars();
    layOut();
    Q_EMIT chosenChanged();
}

void PredictionTracks::addBars() {
    bars_.clear();
    if (!run_)
        return;
    const auto& replaced = run_->replacedProbabilities;
    if (!replaced.empty())
        bars_.push_back({.name = tr("Replaced"),
                         .probabilities = {replaced.begin(), replaced.end()},
                         .high = std::nextafter(replacedLimit, 1.0)});
    for (std::size_t end = 0; end < run_->spanLogProbabilities.rows(); ++end) {
        Bars bars{.name = end == 0 ? tr("Start") : tr("End")};
        for (const float value : run_->spanLogProbabilities.row(end))
            bars.probabilities.push_back(std::exp(double{value}));
        bars.high = *std::ranges::max_element(bars.probabilities);
        bars_.push_back(std::move(bars));
    }
}

void PredictionTracks::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layOut();
}

StepColumns PredictionTracks::columns() const {
    std::vector<std::vector<TokenLabel>> labels;
    for (std::size_t position = 0; position < labels_.size(); ++position) {
        auto& column = labels.emplace_back(std::vector{labels_[position]});
        const auto& candidates = candidatesAt(position);
        for (std::size_t rank = 0; rank < std::min<std::size_t>(ranks, candidates.size()); ++rank)
            column.push_back(tokenLabel(candidates[rank].token));
    }
    return labelColumns(labels, style());
}

void PredictionTracks::layOut() {
    axis_.setColumns(columns(), masks_);
    updateGeometry();
    update();
}

const std::vector<trace::Candidate>& PredictionTracks::candidatesAt(std::size_t position) const {
    static const std::vector<trace::Candidate> none;
    if (!run_)
        return none;
    const auto found = run_->maskCandidates.find(position);
    return found == run_->maskCandidates.end() ? none : found->second;
}

std::optional<std::size_t> PredictionTracks::maskAt(std::size_t position) const {
    const auto found = std::ranges::find(masks_, position);
    return found == masks_.end() ? std::nullopt : std::optional<std::size_t>(found - masks_.begin());
}

std::size_t PredictionTracks::chosenPosition() const {
    return masks_.at(std::min<std::size_t>(selection_->step(), masks_.size() - 1));
}

const trace::Candidate* PredictionTracks::chosen() const {
    if (masks_.empty())
        return nullptr;
    const auto& candidates = candidatesAt(chosenPosition());
    return &candidates[std::min<std::size_t>(rank_, candidates.size() - 1)];
}

void PredictionTracks::choose(std::size_t mask, int rank) {
    selection_->setStep(mask);
    rank_ = std::clamp(rank, 0, rankCount() - 1);
    announceCursor(this, *this);
    update();
    Q_EMIT chosenChanged();
}

QRectF PredictionTracks::trackArea(int track) const {
    const double line = QFontMetricsF(font()).height();
    const double chip = line + 8;
    if (track == 0)
        return {0, 4, 0, chip};
    if (hasMasks())
        return {0, 4 + chip + 8 + (track - 1) * (chip + betweenRanks), 0, chip};
    const double high = QFontMetricsF(smallFont(font())).height() + tallestBar;
    return {0, 4 + chip + 8 + (track - 1) * (high + 8), 0, high};
}

double PredictionTracks::tracksHeight() const {
    return trackArea(rowCount() - 1).bottom() + 8;
}

QSize PredictionTracks::sizeHint() const {
    const int height = isEmpty() ? 0 : std::ceil(tracksHeight());
    return {600, height};
}

int PredictionTracks::rankCount() const {
    std::size_t most = 0;
    for (const std::size_t position : masks_)
        most = std::max(most, candidatesAt(position).size());
    return std::min<std::size_t>(most, ranks);
}

int PredictionTracks::rowCount() const {
    if (hasMasks())
        return 1 + rankCount();
    return 1 + bars_.size();
}

int PredictionTracks::columnCount() const {
    return labels_.size();
}

QString PredictionTracks::rowName(int row) const {
    if (row == 0)
        return tr("Text");
    return hasMasks() ? tr("Rank %1").arg(row) : bars_[row - 1].name;
}

QString PredictionTracks::columnName(int column) const {
    return tr("token %1, %2").arg(column + 1).arg(quoted(labels_[column]));
}

QString PredictionTracks::cellInWords(MapCell cell) const {
    if (cell.row == 0)
        return quoted(labels_[cell.column]);
    if (!hasMasks()) {
        const auto& [name, probabilities, high] = bars_[cell.row - 1];
        const QString percent = percentText(probabilities.at(cell.column));
        return run_->replacedProbabilities.empty()
                   ? tr("%1, %2 with %3").arg(quoted(labels_[cell.column]), name.toLower(), percent)
                   : tr("%1, replaced with %2").arg(quoted(labels_[cell.column]), percent);
    }
    const auto& candidates = candidatesAt(cell.column);
    const std::size_t rank = cell.row - 1;
    return rank < candidates.size()
               ? tr("%1, %2").arg(quoted(tokenLabel(candidates[rank].token)),
                                  percentText(std::exp(double{candidates[rank].logProbability})))
               : QString();
}

QRect PredictionTracks::cellArea(MapCell cell) const {
    const QRectF track = trackArea(cell.row);
    return axis_.shown().area(cell.column, track.top(), track.height()).toAlignedRect();
}

std::optional<MapCell> PredictionTracks::cursorCell() const {
    if (isEmpty())
        return std::nullopt;
    const auto key = selection_->focus().sourceKey;
    const int column = hasMasks() ? chosenPosition() : key && *key < labels_.size() ? std::size_t{*key} : 0;
    return MapCell{.row = hasMasks() ? rank_ + 1 : 1, .column = column};
}

std::optional<MapCell> PredictionTracks::cellAt(QPointF position) const {
    const auto column = axis_.columnAt(position);
    if (!column || *column >= labels_.size())
        return std::nullopt;
    const int place = *column;
    int row = 0;
    while (row + 1 < rowCount() && position.y() >= trackArea(row + 1).top() - betweenRanks / 2)
        ++row;
    return MapCell{.row = row, .column = place};
}

void PredictionTracks::drawNames(QPainter& painter, const StepColumns& at, const Theme& theme) const {
    painter.setFont(font());
    painter.setPen(theme.text);
    for (int track = 0; track < rowCount(); ++track) {
        const QRectF area = trackArea(track);
        const QRectF room(predictionMargin, area.top(), at.gutter - predictionMargin, area.height());
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, rowName(track));
    }
    if (hasMasks())
        return;
    for (int track = 1; track < rowCount(); ++track) {
        const QRectF area = trackArea(track);
        painter.setPen(QPen(theme.hatch, 1, Qt::DashLine));
        const double y = std::round(area.bottom() - replacedLimit * tallestBar) + 0.5;
        painter.drawLine(QPointF(at.gutter, y), QPointF(at.right(), y));
        painter.setPen(theme.line);
        painter.drawLine(QPointF(at.gutter, area.bottom()), QPointF(at.right(), area.bottom()));
    }
}

void PredictionTracks::drawBar(QPainter& painter, const QRectF& room, double probability, bool isHigh,
                               const Theme& theme) const {
    const QFont small = smallFont(font());
    const double wide = std::min(room.width(), 24 + 0.05 * room.width());
    const double high = std::max(1.0, std::round(probability * tallestBar));
    painter.fillRect(QRectF(std::round(room.center().x() - wide / 2), room.bottom() - high, wide, high),
                     isHigh ? theme.unsure : barColour(theme));
    painter.setFont(isHigh ? boldFont(small) : small);
    painter.setPen(isHigh ? theme.text : theme.faintText);
    const double line = QFontMetricsF(small).height();
    painter.drawText(QRectF(room.left() - 3, room.bottom() - high - line, room.width() + 6, line),
                     Qt::AlignCenter, QString::number(std::round(100 * probability)));
}

void PredictionTracks::drawTokens(QPainter& painter, const StepColumns& at, std::size_t first, bool isMarked,
                                  const Theme& theme) const {
    for (std::size_t column = 0; column < at.count(); ++column) {
        const std::size_t position = first + column;
        const auto area = [&](int track) {
            const QRectF room = trackArea(track);
            return at.area(column, room.top(), room.height());
        };
        const bool isMask = maskAt(position).has_value();
        const bool isCurrent = isMarked && isMask && position == chosenPosition();
        if (isCurrent)
            painter.fillRect(at.area(column, trackArea(1).top() - 4, tracksHeight() - trackArea(1).top())
                                 .adjusted(-3, 0, 3, 0),
                             bandColour(theme));
        using Ink = StepChip::Ink;
        drawStepChip(painter, area(0), labels_[position], style(),
                     {.ink = isCurrent               ? Ink::Current
                             : isMask || !hasMasks() ? Ink::Plain
                                                     : Ink::Faint},
                     theme);
        const auto& candidates = candidatesAt(position);
        for (int rank = 0; rank < std::min<int>(ranks, std::ssize(candidates)); ++rank) {
            const auto& candidate = candidates[rank];
            const bool isChosen = isCurrent && rank == rank_;
            drawStepChip(painter, area(rank + 1), tokenLabel(candidate.token), style(),
                         {.ink = isChosen ? Ink::Bold : Ink::Plain,
                          .probability = std::exp(double{candidate.logProbability})},
                         theme);
            if (!isChosen)
                continue;
            painter.setPen(QPen(theme.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(area(rank + 1), 4, 4);
        }
        for (int track = 0; const auto& [name, probabilities, high] : bars_)
            if (++track; position < probabilities.size())
                drawBar(painter, area(track), probabilities[position], probabilities[position] >= high,
                        theme);
    }
}

void PredictionTracks::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty())
        return;
    const StepColumns at = axis_.shown();
    drawNames(painter, at, theme);
    painter.setClipRect(QRectF(at.gutter, 0, width() - at.gutter, height()));
    drawTokens(painter, at, 0, true, theme);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// Columns that do not fit beside each other go on below.
FigureBlock PredictionTracks::block(bool isMarked) const {
    const StepColumns all = columns();
    const auto beginnings = [all](double width) {
        std::vector<std::size_t> firsts;
        for (std::size_t first = 0; first < all.count(); first += all.fitting(first, width))
            firsts.push_back(first);
        return firsts;
    };
    const auto size = [=, this](double width) {
        const auto lines = beginnings(width);
        return QSizeF(lines.size() > 1 ? width : std::min(width, all.width()),
                      static_cast<double>(lines.size()) * tracksHeight());
    };
    const auto draw = [=, this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const auto lines = beginnings(area.width() + 1);
        const double scale =
            std::min(1.0, area.height() / (static_cast<double>(lines.size()) * tracksHeight()));
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        for (const std::size_t first : lines) {
            const StepColumns at = all.part(first, first + all.fitting(first, area.width() + 1));
            drawNames(painter, at, theme);
            drawTokens(painter, at, first, isMarked, theme);
            painter.translate(0, tracksHeight());
        }
        painter.restore();
    };
    return {.size = size, .draw = draw, .grows = false};
}

bool PredictionTracks::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = cellAt(help->pos());
    const QString words = cell ? cellInWords(*cell) : QString();
    words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    return true;
}

void PredictionTracks::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void PredictionTracks::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (!cell || event->button() != Qt::LeftButton)
        return event->ignore();
    if (const auto mask = maskAt(cell->column))
        choose(*mask, std::max(0, cell->row - 1));
    else
        selection_->togglePinned({.sourceKey = cell->column});
}

void PredictionTracks::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (cell && cell->row > 0 && maskAt(cell->column))
        Q_EMIT entered();
}

void PredictionTracks::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    selection_->setHover(cell ? TokenFocus{.sourceKey = cell->column} : TokenFocus());
    const QString words = cell ? cellInWords(*cell) : QString();
    Q_EMIT described(words.isEmpty() ? QString() : tr("%1: %2").arg(rowName(cell->row), words));
}

void PredictionTracks::leaveEvent(QEvent*) {
    selection_->setHover({});
    Q_EMIT described({});
}

void PredictionTracks::wheelEvent(QWheelEvent* event) {
    event->setAccepted(axis_.scroll(*event));
}

/// Left and right go from mask to mask, or from token to token.
void PredictionTracks::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && chosen())
        return Q_EMIT entered();
    if (isEmpty())
        return event->ignore();
    if (hasMasks()) {
        const int mask = maskAt(chosenPosition()).value_or(0);
        const auto moved = movedCell(*event, {.row = rank_, .column = mask}, rankCount(), masks_.size());
        return moved ? choose(moved->column, moved->row) : event->ignore();
    }
    const auto moved = movedCell(*event, *cursorCell(), rowCount(), columnCount());
    if (!moved)
        return event->ignore();
    selection_->setCursor({.sourceKey = moved->column});
    announceCursor(this, *this);
}

} // namespace headscope::widgets
