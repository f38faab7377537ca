#include "widgets/views/source_share/source_share.h"

#include "model/analysis/maps/source_share.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_keys.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

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

constexpr double curveHeight = 160; ///< in a figure, with a line of names and two of words
constexpr double belowWords = 3;    // descenders, and the focus frame

QString sharePercent(double share) {
    return shownNumber(QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', 0)));
}

/// Minimum width for the upright names of all steps.
int widthOf(std::size_t steps, double line) {
    return static_cast<int>(std::ceil(static_cast<double>(steps + 6) * (line + 1)));
}

} // namespace

View* views::makers::source_share(Selection* selection, QWidget* parent) {
    return new SourceShareView(selection, parent);
}

SourceShareView::SourceShareView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), step_(selection->step()) {
    setAccessibleName(tr("Source share of each step"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installMapAccessibility(this);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(
        tr("Share of each step that comes from the source (ALTI+): is the model reading or free-running?"));
    connect(selection, &Selection::stepChanged, this, &SourceShareView::setStep);
    connect(selection, &Selection::focusChanged, this, qOverload<>(&QWidget::update));
}

std::optional<trace::Question> SourceShareView::question() const {
    const auto& request = context().document->request;
    const auto& run = context().document->run;
    if (!request || !run->model || run->model->layers(trace::AttentionKind::Cross) == 0)
        return std::nullopt;
    return trace::Question{
        .request = *request,
        .what = trace::MapsWhat{.quantity = trace::MapQuantity::Contribution,
                                .site = {trace::AttentionKind::Cross, run->model->decoderLayers - 1}}};
}

std::vector<trace::Wanted> SourceShareView::questions() const {
    const auto asks = question();
    return asks ? std::vector<trace::Wanted>{*asks} : std::vector<trace::Wanted>();
}

void SourceShareView::refresh() {
    const auto& run = context().document->run;
    const auto asks = question();
    const auto contributions =
        asks ? context().known->of(asks->request, std::get<trace::MapsWhat>(asks->what)) : nullptr;
    const bool encoderOnly = run && run->model && run->model->decoderLayers == 0;
    QString whyNone = encoderOnly ? tr("Encoder-only model: no output tokens.")
                      : asks      ? widgets::inWords(context().known->refusalOf(*asks))
                                  : QString();
    if (std::exchange(whyNone_, whyNone) != whyNone || run != run_ || contributions != contributions_)
        setShares(run, contributions);
}

void SourceShareView::setShares(std::shared_ptr<const trace::Run> run,
                                std::shared_ptr<const trace::QuantityMaps> contributions) {
    run_ = std::move(run);
    contributions_ = std::move(contributions);
    shares_ = run_ && contributions_ ? analysis::sourceShares(*contributions_) : std::vector<double>();
    measureAgain();
    describeForReaders(this, inWords());
    update();
}

void SourceShareView::setStep(int step) {
    step_ = step;
    announceCursor(this, *this);
    update();
}

void SourceShareView::setCentres(std::vector<double> centres) {
    centres_ = std::move(centres);
    update();
}

QSize SourceShareView::sizeHint() const {
    return {400, static_cast<int>(QFontMetricsF(font()).height() * 3.6 + belowWords)};
}

QRectF SourceShareView::curveArea() const {
    return QRectF(rect()).adjusted(0, 0, 0, -QFontMetricsF(font()).height() - belowWords);
}

/// Ends with the tokens above.
QRectF SourceShareView::plot(const QRectF& area, bool underTokens) const {
    const QFontMetricsF metrics(font());
    const double right = metrics.horizontalAdvance(sharePercent(1)) + 8;
    QRectF plot = area.adjusted(8, metrics.height() / 2, -right, -metrics.height() / 2);
    if (underTokens && isUnderTokens())
        plot.setRight(std::min(plot.right(), centres_.back() + 24));
    return plot;
}

QPointF SourceShareView::pointOf(std::size_t step, const QRectF& plot, bool underTokens) const {
    const double even =
        plot.left() + plot.width() * (static_cast<double>(step) + 0.5) / static_cast<double>(shares_.size());
    const double x = underTokens && isUnderTokens() ? centres_[step] : even;
    return {x, plot.bottom() - std::clamp(shares_[step], 0.0, 1.0) * plot.height()};
}

void SourceShareView::drawAxis(QPainter& painter, const QRectF& plot, const Theme& theme) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double line = QFontMetricsF(font()).height();
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = std::round(plot.bottom() - share * plot.height());
        painter.setPen(QPen(theme.line, 1, share == 0.5 ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        if (share == 0.5)
            continue;
        painter.setPen(theme.faintText);
        painter.drawText(QPointF(plot.right() + 6, y - line / 2 + QFontMetricsF(font()).ascent()),
                         sharePercent(share));
    }
}

void SourceShareView::drawCurve(QPainter& painter, const QRectF& plot, bool underTokens,
                                std::optional<int> lit, const Theme& theme) const {
    const QColor ink = theme.accent;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, 1.5));
    for (std::size_t t = 0; t + 1 < shares_.size() && isDecoded(t + 1); ++t) // an undefined step is a gap
        if (std::isfinite(shares_[t]) && std::isfinite(shares_[t + 1]))
            painter.drawLine(pointOf(t, plot, underTokens), pointOf(t + 1, plot, underTokens));
    for (std::size_t t = 0; t < shares_.size() && isDecoded(t); ++t) {
        if (!std::isfinite(shares_[t]))
            continue;
        const bool isStep = figureParts().marks && static_cast<int>(t) == step_;
        const bool isLit = lit == static_cast<int>(t);
        painter.setPen(isLit ? QPen(theme.focus, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(isStep ? theme.stepMark : ink);
        const double radius = isStep || isLit ? 4.5 : 2.5;
        painter.drawEllipse(pointOf(t, plot, underTokens), radius, radius);
    }
}

QString SourceShareView::whyEmpty() const {
    if (!run_)
        return tr("Shows how much of each step comes from the source.");
    if (!whyNone_.isEmpty())
        return whyNone_;
    if (!run_->complete)
        return tr("Computed when decoding is complete.");
    return question() ? tr("Computing how much of each step comes from the source...") : QString();
}

void SourceShareView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setFont(font());
    if (shares_.empty()) {
        painter.setPen(theme.faintText);
        painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font()).elidedText(whyEmpty(), Qt::ElideRight, width() - 16));
        return;
    }
    const QRectF area = plot(curveArea(), true);
    drawAxis(painter, area, theme);
    const auto& lit = selection_->focus().targetQuery;
    drawCurve(painter, area, true, lit, theme);
    const QRectF words(8, curveArea().bottom(), width() - 16, QFontMetricsF(font()).height());
    painter.setPen(theme.text);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font()).elidedText(stepInWords(lit.value_or(step_)), Qt::ElideRight, words.width()));
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString SourceShareView::whatIsDrawn() {
    return tr("ALTI+ after the decoder's last layer: share of each step that comes from the source.");
}

QString SourceShareView::figureCaption(int at) const {
    const QString step = stepInWords(at);
    return step.isEmpty() ? whatIsDrawn() : whatIsDrawn() + QChar(' ') + tr("Large dot: %1").arg(step);
}

FigureText SourceShareView::figureText() const {
    return {.title = tr("Source share"),
            .caption = figureCaption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = quantityName(Quantity::Contribution)};
}

QString SourceShareView::stepInWords(int step) const {
    if (!run_ || step < 0 || step >= std::ssize(shares_))
        return {};
    const double share = shares_[step];
    const QString where =
        tr("Step %1, %2").arg(step + 1).arg(queryInWords(*run_, trace::AttentionKind::Cross, step));
    return std::isfinite(share) ? tr("%1: %2 from the source, %3 from the target so far (ALTI+).")
                                      .arg(where, sharePercent(share), sharePercent(1 - share))
                                : tr("%1: undefined, because only biases contribute.").arg(where);
}

/// The whole curve as text for screen readers.
QString SourceShareView::inWords() const {
    QStringList words;
    for (std::size_t t = 0; t < shares_.size(); ++t)
        words += stepInWords(t);
    return words.isEmpty() ? whyEmpty() : words.join(QChar(' '));
}

std::optional<trace::TokenIndex> SourceShareView::stepAt(QPoint position) const {
    if (shares_.empty())
        return std::nullopt;
    const QRectF area = plot(curveArea(), true);
    std::size_t best = 0;
    const auto distance = [&](std::size_t t) { return std::abs(pointOf(t, area, true).x() - position.x()); };
    for (std::size_t t = 1; t < shares_.size(); ++t)
        if (distance(t) < distance(best))
            best = t;
    return best;
}

QString SourceShareView::columnName(int step) const {
    return run_ ? queryInWords(*run_, trace::AttentionKind::Cross, step) : QString();
}

QRect SourceShareView::cellArea(MapCell cell) const {
    const QRectF area = plot(curveArea(), true);
    const double x = pointOf(cell.column, area, true).x();
    return QRectF(x - 5, area.top(), 10, area.height()).toAlignedRect();
}

std::optional<MapCell> SourceShareView::cursorCell() const {
    return step_ >= 0 && step_ < columnCount() ? std::optional(MapCell{.row = 0, .column = step_})
                                               : std::nullopt;
}

bool SourceShareView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto step = stepAt(help->pos());
    QToolTip::showText(help->globalPos(), plainToolTip(step ? stepInWords(*step) : whyEmpty()), this);
    return true;
}

void SourceShareView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measureAgain();
}

void SourceShareView::mouseMoveEvent(QMouseEvent* event) {
    selection_->setHover({.targetQuery = stepAt(event->position().toPoint())});
}

void SourceShareView::mousePressEvent(QMouseEvent* event) {
    const auto step = stepAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && step)
        Q_EMIT intended(intents::GoTo{*step});
    else
        event->ignore();
}

void SourceShareView::keyPressEvent(QKeyEvent* event) {
    const auto moved = movedCell(*event, cursorCell().value_or(MapCell{}), rowCount(), columnCount());
    if (moved)
        Q_EMIT intended(intents::GoTo{moved->column});
    else
        event->ignore();
}

void SourceShareView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

LabelsBelow SourceShareView::labelsBelow(double width) const {
    LabelsBelow below{.font = font(), .upright = true, .decoded = rowsDecoded(), .spaceMarks = spaceMarks_};
    if (run_)
        below.labels = tokenLabels(run_->next, std::min(shares_.size(), run_->next.size()));
    below.pitch = plot(QRectF(0, 0, width, 1e4), false).width() /
                  static_cast<double>(std::max<std::size_t>(1, shares_.size()));
    return below;
}

/// Names are upright where they are wider than the distance of the steps, and the block then wide enough for
/// mostNamed of them.
FigureBlock SourceShareView::curveBlock() const {
    const auto size = [this](double width) {
        const double line = QFontMetricsF(font()).height();
        LabelsBelow labels = labelsBelow(width);
        labels.upright = labels.widest() > labels.pitch;
        const auto named = std::min<std::size_t>(shares_.size(), mostNamed);
        return QSizeF(labels.upright ? std::max<double>(width, widthOf(named, line)) : width,
                      curveHeight - 3.2 * line + labels.height());
    };
    const auto draw = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const double line = QFontMetricsF(font()).height();
        LabelsBelow labels = labelsBelow(area.width());
        labels.upright = labels.widest() > labels.pitch && area.height() - labels.height() >= 4 * line;
        const QRectF curve = plot(area.adjusted(0, 0, 0, -labels.height()), false);
        drawAxis(painter, curve, theme);
        drawCurve(painter, curve, false, std::nullopt, theme);
        painter.setPen(theme.text);
        labels.draw(painter, curve.bottomLeft() + QPointF(0, line / 2), theme);
    };
    return {.size = size, .draw = draw, .note = [this](const QRectF& area) {
                return labelsBelow(area.width()).inWords();
            }};
}

/// An animation has room for the longest words of any step, so that the curve does not move.
void SourceShareView::measureAnimation() {
    longestCaption_ = figureCaption();
    for (int step = 0; step < columnCount(); ++step)
        if (const QString words = figureCaption(step); words.size() > longestCaption_.size())
            longestCaption_ = words;
}

std::optional<FigureBlocks> SourceShareView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const QString caption = figureParts().marks ? figureCaption() : whatIsDrawn();
    if (!isAnimated() || !figureParts().caption)
        return FigureBlocks{.picture = curveBlock(), .caption = caption, .font = font()};
    auto words = wordsBlock(caption, font());
    words.size = wordsBlock(longestCaption_, font()).size;
    return FigureBlocks{.picture = stacked({curveBlock(), words}), .font = font()};
}

trace::FigureData SourceShareView::figureData() const {
    trace::FigureData data;
    if (hasFigure())
        data.arrays.push_back(
            dataArray("source_share", shares_,
                      dataAxis("step", run_->next.size() == shares_.size() ? tokenLabels(run_->next)
                                                                           : std::vector<TokenLabel>())));
    return data;
}

std::optional<PictureOptions> SourceShareView::picture(PictureOptions options) const {
    return ofView(std::move(options), "source-share");
}

} // namespace headscope::widgets
