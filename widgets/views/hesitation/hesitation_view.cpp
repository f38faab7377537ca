#include "widgets/views/hesitation/hesitation_view.h"

#include "model/analysis/maps/source_share.h"
#include "model/analysis/runs_beside.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/map_keys.h"
#include "widgets/tables/table_column.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hesitation_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace headscope::widgets {

namespace {

using analysis::Hesitation;

constexpr double tracksMargin = 8;
constexpr double probabilityHeight = 50;
constexpr double entropyHeight = 30;
constexpr double shareHeight = 22;
constexpr double leastFullEntropy = 3; ///< bits at the full height, where no step has more
constexpr double highEntropy = 1;      ///< bits: as unsure as between two tokens

bool hasEntropies(const std::vector<Hesitation>& steps) {
    return std::ranges::all_of(steps, [](const auto& step) { return step.entropy.has_value(); });
}

std::optional<double> probabilityOfSecond(const Hesitation& step) {
    return step.second ? std::optional(std::exp(step.second->logProbability)) : std::nullopt;
}

QString whatTheTraceLacks() {
    return HesitationView::tr("This trace does not contain whole distributions, so there is no entropy. "
                              "headscope-cli trace --log-probabilities records them; other programs write "
                              "log_probabilities.");
}

/// In percent, whole; never 100 of less than that.
QString wholePercent(double share) {
    return QString::number(share < 1 ? std::min(99.0, std::round(100 * share)) : 100.0, 'f', 0);
}

} // namespace

View* views::makers::hesitation(Selection* selection, QWidget* parent) {
    return new HesitationView(selection, parent);
}

HesitationView::HesitationView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), axis_(this, selection) {
    setAccessibleName(tr("Where the model hesitated"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    installMapAccessibility(this);
    connect(selection, &Selection::stepChanged, this, [this] { announceCursor(this, *this); });
}

void HesitationView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    steps_.clear();
    shares_.clear();
    contributions_.reset();
    reading_.reset();
    whyNoEntropy_.clear();
    if (isVisible())
        readSteps();
    layOut();
    Q_EMIT questionsChanged();
}

/// Steps are not updated while hidden.
void HesitationView::showEvent(QShowEvent* event) {
    if (steps_.empty())
        readSteps();
    layOut();
    View::showEvent(event);
}

void HesitationView::readSteps() {
    steps_ = run_ ? analysis::hesitations(*run_) : std::vector<Hesitation>();
    reading_.reset();
    if (!run_ || !run_->complete || steps_.empty() || hasEntropies(steps_))
        return;
    reading_ = trace::Question{.request = analysis::readingRequest(analysis::shownRequest(*run_), *run_),
                               .what = trace::RunWhat()};
    reading_->request.recording.logProbabilities = true;
}

void HesitationView::layOut() {
    paths_ = run_ && !steps_.empty() ? analysis::pathRows(*run_) : analysis::PathRows();
    axis_.setColumns(run_ ? stepColumns(paths_, *run_, style()) : StepColumns(), paths_.prompt);
    describeForReaders(this, hasFigure() ? caption() : QString());
    updateGeometry();
    update();
}

std::span<const Hesitation> HesitationView::columns() const {
    return std::span(steps_).subspan(std::min(paths_.prompt, steps_.size()));
}

std::optional<trace::Question> HesitationView::shareQuestion() const {
    const auto& request = context().document->request;
    if (!request || !run_ || run_ != context().document->run || !run_->model || steps_.empty() ||
        run_->model->layers(trace::AttentionKind::Cross) == 0)
        return std::nullopt;
    return trace::Question{
        .request = *request,
        .what = trace::MapsWhat{.quantity = trace::MapQuantity::Contribution,
                                .site = {trace::AttentionKind::Cross, run_->model->decoderLayers - 1}}};
}

std::vector<trace::Wanted> HesitationView::questions() const {
    std::vector<trace::Wanted> wanted;
    if (reading_)
        wanted.emplace_back(*reading_);
    if (const auto shares = shareQuestion())
        wanted.emplace_back(*shares);
    return wanted;
}

void HesitationView::refresh() {
    if (const auto asks = shareQuestion()) {
        const auto maps = context().known->of(asks->request, std::get<trace::MapsWhat>(asks->what));
        if (maps && std::exchange(contributions_, maps) != maps)
            shares_ = analysis::sourceShares(*maps);
    }
    update();
    if (!reading_ || hasEntropies(steps_))
        return;
    const auto read = context().known->of(reading_->request, trace::RunWhat());
    const auto refusal = context().known->refusalOf(*reading_);
    if ((!read && !refusal) || (read && read == read_.lock()))
        return;
    if (read)
        takeEntropies(*read);
    read_ = read;
    whyNoEntropy_ = hasEntropies(steps_)    ? QString()
                    : run_->model->recorded ? whatTheTraceLacks()
                    : refusal               ? inWords(refusal)
                                            : tr("The distributions of some steps are not stored.");
}

void HesitationView::takeEntropies(const trace::Run& read) {
    const auto known = analysis::hesitations(read);
    for (std::size_t t = 0; t < std::min(known.size(), steps_.size()); ++t)
        steps_[t].entropy = known[t].entropy;
}

void HesitationView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    layOut();
}

void HesitationView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

bool HesitationView::isUnsure(const Hesitation& step) const {
    return step.probability && *step.probability < context().document->unsureBelow;
}

bool HesitationView::hasShareTrack() const {
    return run_ && run_->model && run_->model->layers(trace::AttentionKind::Cross) > 0;
}

QSize HesitationView::sizeHint() const {
    const int height = hasFigure() ? std::ceil(tracksHeight()) : 0;
    return {600, height};
}

QRectF HesitationView::trackArea(int track) const {
    const double line = QFontMetricsF(font()).height();
    const double number = QFontMetricsF(smallFont(font())).height();
    const std::array<double, Tracks> heights{line + 8, number + probabilityHeight, line + 4,
                                             number + entropyHeight, shareHeight};
    const std::array<double, Tracks> gaps{4, 8, 6, 2, 8};
    double top = 0;
    for (int before = 0; before < track; ++before)
        top += gaps[before] + heights[before];
    return {0, top + gaps[track], 0, heights[track]};
}

void HesitationView::drawNames(QPainter& painter, const StepColumns& at, const Theme& theme) const {
    const double line = QFontMetricsF(font()).height();
    const double number = QFontMetricsF(smallFont(font())).height();
    const auto put = [&](int track, double below, const QFont& used, const QColor& ink,
                         const QString& words) {
        const QRectF area = trackArea(track);
        const QRectF room(tracksMargin, area.bottom() + below - line, at.gutter - tracksMargin, line);
        painter.setFont(used);
        painter.setPen(ink);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(used).elidedText(words, Qt::ElideRight, room.width()));
    };
    for (int track = 0; track < rowCount(); ++track) {
        const double middle = (line - trackArea(track).height()) / 2;
        if (track == Probability) {
            put(track, middle - number / 4, font(), theme.text, rowName(track));
            put(track, middle + number * 0.85, smallFont(font()), theme.faintText, tr("of the chosen token"));
        } else {
            put(track, track == Entropy ? 0 : middle, font(), theme.text, rowName(track));
        }
    }
}

void HesitationView::drawLimit(QPainter& painter, const StepColumns& at, double right,
                               const Theme& theme) const {
    const double limit = context().document->unsureBelow;
    const double y = std::round(trackArea(Probability).bottom() - limit * probabilityHeight) + 0.5;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.hatch, 1, Qt::DashLine));
    painter.drawLine(QPointF(at.gutter, y), QPointF(right, y));
    painter.setFont(smallFont(font()));
    painter.setPen(theme.faintText);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(right + 6, y + metrics.ascent() / 2 - 1),
                     tr("%1 %").arg(QString::number(100 * limit, 'g', 3)));
    for (const int track : {Probability, Entropy}) {
        painter.setPen(theme.line);
        const double bottom = std::round(trackArea(track).bottom()) + 0.5;
        painter.drawLine(QPointF(at.gutter, bottom), QPointF(right, bottom));
    }
}

void HesitationView::drawColumns(QPainter& painter, const StepColumns& at, std::size_t first,
                                 std::optional<std::size_t> current, const Theme& theme) const {
    const auto steps = columns();
    for (std::size_t column = 0; column < at.count() && first + column < steps.size(); ++column)
        drawColumn(painter, at.area(column, 0, tracksHeight()), first + column, current == first + column,
                   theme);
}

void HesitationView::drawColumn(QPainter& painter, const QRectF& column, std::size_t place, bool isCurrent,
                                const Theme& theme) const {
    const auto& step = columns()[place];
    const QFont small = smallFont(font());
    const double number = QFontMetricsF(small).height();
    const auto at = [&](int track) {
        const QRectF area = trackArea(track);
        return QRectF(column.left(), area.top(), column.width(), area.height());
    };
    const auto write = [&](const QRectF& area, const QString& words, bool isBold, const QColor& ink) {
        painter.setFont(isBold ? boldFont(small) : small);
        painter.setPen(ink);
        painter.drawText(area.adjusted(-3, 0, 3, 0), Qt::AlignCenter, words);
    };
    const auto bar = [&](const QRectF& area, double share, const QColor& ink) {
        const double width = std::min(column.width(), 24 + column.width() * 0.05);
        const double high = std::max(1.0, std::round(share * area.height()));
        painter.fillRect(
            QRectF(std::round(area.center().x() - width / 2), area.bottom() - high, std::round(width), high),
            ink);
        return QRectF(area.left(), area.bottom() - high - number, area.width(), number);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawStepChip(
        painter, at(Chosen), tokenLabel(step.chosen), style(),
        {.ink = isCurrent ? StepChip::Ink::Current : StepChip::Ink::Plain, .isForced = step.isForced}, theme);
    const QColor text = theme.text, faint = theme.faintText;
    if (step.probability) {
        const QRectF room = at(Probability).adjusted(0, number, 0, 0);
        const bool isLow = isUnsure(step);
        write(bar(room, *step.probability,
                  step.isForced ? theme.hatch
                  : isLow       ? theme.unsure
                                : barColour(theme)),
              wholePercent(*step.probability), isLow, isLow ? text : faint);
    }
    if (step.second) {
        TokenLabelStyle second = style();
        if (isUnsure(step))
            second.font = boldFont(second.font);
        const TokenInk ink{isUnsure(step) ? text : faint, faint, theme.mark};
        second.draw(painter, at(Second), Qt::AlignHCenter, tokenLabel(step.second->token), ink);
    }
    if (step.entropy) {
        double full = leastFullEntropy;
        for (const auto& each : steps_)
            full = std::max(full, each.entropy.value_or(0));
        const bool isHigh = *step.entropy >= highEntropy;
        write(bar(at(Entropy).adjusted(0, number, 0, 0), *step.entropy / full, theme.hatch),
              QString::number(*step.entropy, 'f', 1), isHigh, isHigh ? text : faint);
    }
    const std::size_t row = paths_.prompt + place;
    if (!hasShareTrack() || row >= shares_.size() || !std::isfinite(shares_[row]))
        return;
    const QRectF whole = at(SourceShare);
    painter.fillRect(whole, mixed(theme.hatch, theme.background, 0.2));
    painter.fillRect(
        QRectF(whole.topLeft(), QSizeF(std::round(whole.width() * shares_[row]), whole.height())),
        mixed(theme.accent, theme.background, theme.dark ? 0.4 : 0.35));
    write(whole, wholePercent(shares_[row]), false, text);
}

void HesitationView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        return drawEmptyState(painter, rect(), tr("Shows how sure the model was of each token."),
                              hintForNoRun(*this), theme);
    const StepColumns at = axis_.shown();
    const double right = std::min(at.right() + 4, width() - at.after);
    painter.setClipRect(QRectF(at.gutter, 0, right - at.gutter, height()));
    const auto current = axis_.current();
    if (current)
        painter.fillRect(at.area(*current, 0, height()).adjusted(-3, trackArea(Chosen).bottom() + 2, 3, 0),
                         bandColour(theme));
    painter.setClipping(false);
    drawNames(painter, at, theme);
    drawLimit(painter, at, right, theme);
    painter.setClipRect(QRectF(at.gutter, 0, right - at.gutter, height()));
    drawColumns(painter, at, 0, current, theme);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString HesitationView::rowName(int row) const {
    switch (row) {
    case Chosen:
        return tr("Target");
    case Probability:
        return tr("Probability");
    case Second:
        return tr("Second choice");
    case Entropy:
        return tr("Entropy, bits");
    default:
        return tr("Source share, ALTI+");
    }
}

QString HesitationView::columnName(int column) const {
    return tr("step %1, %2").arg(axis_.stepOf(column) + 1).arg(quoted(tokenLabel(columns()[column].chosen)));
}

QString HesitationView::cellInWords(MapCell cell) const {
    const auto& step = columns()[cell.column];
    const QString unknown = tr("not known");
    switch (cell.row) {
    case Chosen:
        return step.isForced ? tr("%1, forced").arg(quoted(tokenLabel(step.chosen)))
                             : quoted(tokenLabel(step.chosen));
    case Probability:
        return step.probability ? percentText(*step.probability) : unknown;
    case Second:
        return step.second ? tr("%1, %2").arg(quoted(tokenLabel(step.second->token)),
                                              percentText(*probabilityOfSecond(step)))
                           : unknown;
    case Entropy:
        return step.entropy ? preciseText(*step.entropy) : unknown;
    default: {
        const std::size_t row = axis_.stepOf(cell.column);
        return row < shares_.size() && std::isfinite(shares_[row]) ? percentText(shares_[row]) : unknown;
    }
    }
}

QRect HesitationView::cellArea(MapCell cell) const {
    const QRectF track = trackArea(cell.row);
    return axis_.shown().area(cell.column, track.top(), track.height()).toAlignedRect();
}

std::optional<MapCell> HesitationView::cursorCell() const {
    const auto current = axis_.current();
    const int column = current.value_or(0);
    return current && *current < columns().size()
               ? std::optional(MapCell{.row = Probability, .column = column})
               : std::nullopt;
}

QString HesitationView::stepInWords(std::size_t place) const {
    const auto& step = columns()[place];
    const int column = place;
    const QString words = hesitationInWords(step);
    QStringList lines{step.isForced ? tr("Step %1: forced. %2").arg(axis_.stepOf(place) + 1).arg(words)
                                    : tr("Step %1: %2").arg(axis_.stepOf(place) + 1).arg(words)};
    if (step.margin)
        lines += tr("Margin %1").arg(preciseText(*step.margin));
    if (step.entropy)
        lines += tr("Entropy %1 bits").arg(preciseText(*step.entropy));
    if (hasShareTrack() && !shares_.empty())
        lines += tr("%1 from the source (ALTI+)").arg(cellInWords({SourceShare, column}));
    return lines.join(QChar('\n'));
}

std::optional<trace::TokenIndex> HesitationView::stepAt(QPoint position) const {
    const auto column = axis_.columnAt(position);
    return column && *column < columns().size() ? std::optional<trace::TokenIndex>(axis_.stepOf(*column))
                                                : std::nullopt;
}

bool HesitationView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto column = axis_.columnAt(help->pos());
    if (column && *column < columns().size())
        QToolTip::showText(help->globalPos(), plainToolTip(stepInWords(*column)), this);
    else
        QToolTip::hideText();
    return true;
}

void HesitationView::mousePressEvent(QMouseEvent* event) {
    const auto step = stepAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && step)
        Q_EMIT intended(intents::GoTo{*step});
    else
        event->ignore();
}

void HesitationView::mouseMoveEvent(QMouseEvent* event) {
    const auto column = axis_.columnAt(event->position());
    const bool isStep = column && *column < columns().size();
    selection_->setHover(isStep ? TokenFocus{.targetQuery = axis_.stepOf(*column)} : TokenFocus());
    Q_EMIT cellDescribed(isStep ? stepInWords(*column).replace(QChar('\n'), QStringLiteral("; "))
                                : QString());
}

void HesitationView::leaveEvent(QEvent*) {
    selection_->setHover({});
    Q_EMIT cellDescribed({});
}

void HesitationView::wheelEvent(QWheelEvent* event) {
    event->setAccepted(axis_.scroll(*event));
}

void HesitationView::keyPressEvent(QKeyEvent* event) {
    const auto moved = movedCell(*event, cursorCell().value_or(MapCell{}), rowCount(), columnCount());
    if (moved)
        Q_EMIT intended(intents::GoTo{axis_.stepOf(moved->column)});
    else
        event->ignore();
}

QString HesitationView::caption() const {
    QString words = hasShareTrack()
                        ? tr("At each step the probability of the chosen token, the second choice, the "
                             "entropy of the next-token distribution, and the share that comes from the "
                             "source (ALTI+, in percent).")
                        : tr("At each step the probability of the chosen token, the second choice, and the "
                             "entropy of the next-token distribution.");
    const auto least =
        std::ranges::min_element(steps_, {}, [](const auto& step) { return step.probability.value_or(2); });
    if (least != steps_.end() && least->probability)
        words +=
            ' ' + tr("Least probable: %1 at step %2, %3.")
                      .arg(quoted(tokenLabel(least->chosen)), QString::number(least - steps_.begin() + 1),
                           preciseText(*least->probability));
    if (std::ranges::any_of(steps_, &Hesitation::isForced))
        words += ' ' + tr("Some tokens were forced: the model did not choose them.");
    if (!whyNoEntropy_.isEmpty())
        words += ' ' + whyNoEntropy_;
    return words;
}

/// Columns that do not fit beside each other go on below.
std::optional<FigureBlocks> HesitationView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    auto own = paths_; // a figure has no other paths below
    own.rows.resize(1);
    own.columns = own.rows.front().nodes.size();
    const StepColumns all = stepColumns(own, *run_, style());
    const auto beginnings = [this, all](double width) {
        std::vector<std::size_t> firsts;
        for (std::size_t first = 0; first < columns().size(); first += all.fitting(first, width))
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
            const auto current = figureParts().marks ? axis_.current() : std::nullopt;
            if (current && *current >= first && *current - first < at.count())
                painter.fillRect(at.area(*current - first, 0, tracksHeight())
                                     .adjusted(-3, trackArea(Chosen).bottom() + 2, 3, 0),
                                 bandColour(theme));
            drawNames(painter, at, theme);
            drawLimit(painter, at, at.right() + 4, theme);
            drawColumns(painter, at, first, current, theme);
            painter.translate(0, tracksHeight());
        }
        painter.restore();
    };
    return FigureBlocks{
        .picture = {.size = size, .draw = draw, .grows = false}, .caption = caption(), .font = font()};
}

FigureText HesitationView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Hesitation"),
            .caption = caption(),
            .provenance = provenance(*run_),
            .head = {},
            .quantity = tr("probability, margin and entropy")};
}

trace::FigureData HesitationView::figureData() const {
    if (!hasFigure())
        return {};
    std::vector<double> numbers(steps_.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    const auto second = [](const Hesitation& step) {
        return step.second ? tokenLabel(step.second->token).full() : QString();
    };
    return {
        .tables = {{.name = "hesitation",
                    .columns = {dataColumn("step", numbers),
                                dataColumn("chosen", steps_,
                                           [](const auto& step) { return tokenLabel(step.chosen).full(); }),
                                dataColumn("probability", steps_, &Hesitation::probability),
                                dataColumn("second", steps_, second),
                                dataColumn("second_probability", steps_, probabilityOfSecond),
                                dataColumn("margin", steps_, &Hesitation::margin),
                                dataColumn("entropy_bits", steps_, &Hesitation::entropy)}}}};
}

std::optional<PictureOptions> HesitationView::picture(PictureOptions options) const {
    return ofView(std::move(options), "hesitation");
}

} // namespace headscope::widgets
