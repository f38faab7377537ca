#include "widgets/views/head_card/head_card.h"

#include "model/analysis/heads/statistics_of_heads.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/tour_spot.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/change_marks.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::Statistic;

constexpr double lineOfNumber = 1.5; // in lines of text

/// Paints a block of a figure.
class BlockWidget : public QWidget {
  public:
    BlockWidget(std::function<FigureBlock()> block, QWidget* parent)
        : QWidget(parent), block_(std::move(block)) {
        setLayoutDirection(Qt::LeftToRight); // as numbers run
    }
    QSize sizeHint() const override { return block_().size(usual).toSize(); }
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setFont(font());
        block_().draw(painter, rect(), themeOf(palette()));
    }

  private:
    static constexpr double usual = 280;
    std::function<FigureBlock()> block_;
};

QString threeDigits(double value) {
    return QString::number(value, 'f', std::abs(value) < 1 ? 3 : 2);
}

} // namespace

HeadCard::HeadCard(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), role_(new QLabel(this)), others_(new QLabel(this)),
      shared_(new QLabel(this)), bars_(new BlockWidget(
                                     [this] {
                                         auto all = numbers_;
                                         if (importance_)
                                             all.push_back(*importance_);
                                         return blockOf(all, font());
                                     },
                                     this)),
      off_(new QPushButton(this)), pin_(new QPushButton(this)) {
    setAccessibleName(tr("The selected head"));
    shared_->setWordWrap(true);
    others_->setForegroundRole(QPalette::PlaceholderText);
    auto* roles = new QHBoxLayout;
    roles->addWidget(role_, 0, Qt::AlignVCenter);
    roles->addWidget(others_, 1);
    pin_->setIcon(icon("pin"));
    auto* buttons = new QHBoxLayout;
    off_->setProperty(tourSpot, spotOfHeadSwitch);
    buttons->addWidget(off_, 1);
    buttons->addWidget(pin_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::xs, space::s, space::xs);
    column->setSpacing(space::s);
    column->addLayout(roles);
    column->addWidget(bars_);
    column->addWidget(shared_);
    column->addLayout(buttons);
    connect(off_, &QPushButton::clicked, this,
            [this] { Q_EMIT intended(intents::ToggleHead{selection_->head()}); });
    connect(pin_, &QPushButton::clicked, this, [this] { selection_->togglePinnedHead(selection_->head()); });
    connect(selection, &Selection::headChanged, this, &HeadCard::showHead);
    connect(selection, &Selection::pinnedHeadsChanged, this, &HeadCard::showHead);
    connect(selection, &Selection::stepChanged, this, &View::questionsChanged);
    showHead();
}

std::vector<trace::Wanted> HeadCard::questions() const {
    return statisticsQuestions(*context().document);
}

void HeadCard::refresh() {
    statistics_ = shownStatistics(context(), statistics_);
    scores_ = shownScores(context(), selection_->step());
    showHead();
}

const analysis::HeadStatistics* HeadCard::statistics() const {
    if (!statistics_)
        return nullptr;
    const auto found = std::ranges::find(*statistics_, selection_->head(), &analysis::HeadStatistics::head);
    return found == statistics_->end() ? nullptr : &*found;
}

void HeadCard::showHead() {
    numbers_.clear();
    importance_.reset();
    const auto* known = statistics();
    const auto add = [&](Statistic statistic, const QString& name, double most, const QString& of = {}) {
        const auto value = known ? known->values[statistic] : std::optional<double>();
        if (!value)
            return;
        const auto uniform = known->uniform[statistic];
        numbers_.push_back(
            {.name = name,
             .value = threeDigits(*value) + of,
             .share = std::clamp(*value / most, 0.0, 1.0),
             .uniform = uniform ? std::optional(std::clamp(*uniform / most, 0.0, 1.0)) : std::nullopt,
             .tip = statisticTip(statistic)});
    };
    const auto uniformKeys = known ? known->uniform[Statistic::EffectiveKeys] : std::optional<double>();
    if (uniformKeys)
        add(Statistic::EffectiveKeys, tr("Effective keys"), *uniformKeys,
            tr(" of %1").arg(QString::number(*uniformKeys, 'g', 3)));
    add(Statistic::Confidence, tr("Largest weight"), 1);
    if (selection_->head().site.kind == trace::AttentionKind::Cross)
        add(Statistic::Monotony, tr("Along the source"), 1);
    else
        add(Statistic::Sink, tr("On one key"), 1);
    const auto ranked = scores_.ranked();
    const auto score = std::ranges::find(ranked, selection_->head(), &analysis::HeadScore::head);
    if (score != ranked.end() && known)
        importance_ = {.name = tr("Importance"),
                       .value = tr("%1, rank %2 of %3")
                                    .arg(statisticText(score->importance, 3))
                                    .arg(score - ranked.begin() + 1)
                                    .arg(ranked.size()),
                       .share = std::nullopt,
                       .uniform = std::nullopt,
                       .tip = scores_.caption()};
    Q_EMIT noteChanged();
    showRole();
    showSharing();
    showState();
    bars_->updateGeometry();
    bars_->update();
}

QString HeadCard::note() const {
    return QString::fromStdString(trace::toString(selection_->head()));
}

void HeadCard::showRole() {
    const auto roleOf = [](const analysis::HeadStatistics& head) {
        const auto roles = analysis::rolesOf(head);
        return roles.empty() ? QString() : heldRoleName(roles.front()).remove(tr(" (by shape)"));
    };
    const auto* known = statistics();
    const QString role = known ? roleOf(*known) : QString();
    role_->setText(role);
    role_->setVisible(!role.isEmpty());
    const auto same = role.isEmpty() ? 0 : std::ranges::count_if(*statistics_, [&](const auto& other) {
        return other.head.site.kind == known->head.site.kind && roleOf(other) == role;
    });
    others_->setText(!known           ? QString()
                     : role.isEmpty() ? tr("no role in this text")
                                      : tr("one of %1").arg(same));
    const auto& theme = themeOf(palette());
    role_->setStyleSheet(pillStyle(theme.faintText, theme.panel, theme.line));
}

/// Of grouped heads their group, of a pair of texts what reads what.
void HeadCard::showSharing() {
    const auto head = selection_->head();
    const auto* known = statistics();
    const auto model = context().document ? context().document->model : nullptr;
    QStringList lines;
    if (const int sharing = model ? model->headsPerKey(head.site.kind) : 1; sharing > 1) {
        const int first = head.head / sharing * sharing;
        lines += tr("Heads %1 to %2 share keys and values.").arg(first).arg(first + sharing - 1);
    }
    if (const auto between = known ? analysis::weightBetweenTexts(known->values) : std::nullopt) {
        const auto& [a, b] = *between;
        lines += tr("A reads A %1, B %2; B reads A %3, B %4")
                     .arg(threeDigits(a[0]), threeDigits(a[1]), threeDigits(b[0]), threeDigits(b[1]));
    }
    shared_->setText(lines.join('\n'));
    shared_->setVisible(!lines.isEmpty());
}

void HeadCard::showState() {
    const auto head = selection_->head();
    const auto* document = context().document;
    const bool isOff = document && headMark(document->changes, head) == HeadMark::Off;
    off_->setText(isOff ? tr("Switch On") : tr("Switch Off"));
    off_->setIcon(icon(isOff ? "on" : "off"));
    pin_->setText(selection_->pinOf(head) ? tr("Unpin") : tr("Pin Beside"));
    const QString whyNot = !document || !document->model ? whyEmpty() : whyNothingRuns(*document->model);
    off_->setEnabled(whyNot.isEmpty());
    off_->setToolTip(whyNot.isEmpty() ? tr("The model runs without the output of this head (D)") : whyNot);
    pin_->setToolTip(tr("Shows this head beside others (P)"));
    pin_->setEnabled(document && document->run);
}

QString HeadCard::whyEmpty() const {
    return hintForNoRun(*this);
}

/// A line a number: its name, a bar with a mark where uniform attention would be, and the value.
FigureBlock HeadCard::blockOf(const std::vector<HeadNumber>& numbers, const QFont& font) {
    const QFontMetricsF metrics(font);
    const double line = lineOfNumber * metrics.height();
    double longest = 0, longestValue = 0; // values beside bars
    for (const auto& number : numbers) {
        longest = std::max(longest, metrics.horizontalAdvance(number.name));
        if (number.share)
            longestValue = std::max(longestValue, metrics.horizontalAdvance(number.value));
    }
    return {
        .size = [=](double width) { return QSizeF(width, line * static_cast<double>(numbers.size())); },
        .draw =
            [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                constexpr double gap = 8, bar = 8, tick = 2;
                painter.setFont(font);
                QRectF row(area.left(), area.top(), area.width(), line);
                for (const auto& number : numbers) {
                    const QRectF name(row.left(), row.top(), std::max(0.42 * row.width(), longest), line);
                    const double last =
                        number.share ? std::max(0.34 * row.width(), longestValue + gap) : 0.58 * row.width();
                    const QRectF value(row.right() - last + gap, row.top(), last - gap, line);
                    painter.setPen(theme.text);
                    painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, number.name);
                    painter.drawText(value, Qt::AlignVCenter | Qt::AlignLeft,
                                     QString(number.value).replace(QLatin1Char('-'), QChar(0x2212)));
                    if (number.share && value.left() - name.right() > 3 * gap) {
                        const QRectF track(name.right() + gap, row.center().y() - bar / 2,
                                           value.left() - name.right() - 2 * gap, bar);
                        painter.fillRect(track, theme.line);
                        painter.fillRect(QRectF(track.topLeft(), QSizeF(*number.share * track.width(), bar)),
                                         theme.accent);
                        if (number.uniform)
                            painter.fillRect(QRectF(track.left() + *number.uniform * track.width() - tick / 2,
                                                    track.top() - tick, tick, bar + 2 * tick),
                                             theme.text);
                    }
                    row.translate(0, line);
                }
            },
        .grows = false};
}

std::optional<FigureBlocks> HeadCard::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    constexpr double width = 420;
    return FigureBlocks{.picture = blockOf(numbers_, font()),
                        .caption = figureText().caption,
                        .font = font(),
                        .width = width};
}

FigureText HeadCard::figureText() const {
    if (!hasFigure())
        return {};
    const auto& run = *context().document->run;
    const QString head = address(selection_->head());
    const QString role = rolesText(*statistics());
    return {.title = head,
            .caption = tr("%1. Roles: %2. A mark shows uniform attention.")
                           .arg(ofModel(*run.model, headTitle(*run.model, selection_->head())),
                                role.isEmpty() ? tr("none") : role),
            .provenance = provenance(run),
            .head = head,
            .quantity = tr("statistics")};
}

trace::FigureData HeadCard::figureData() const {
    trace::FigureData data;
    QStringList names, values;
    for (const auto& number : numbers_) {
        names += number.name;
        values += number.value;
    }
    if (hasFigure())
        data.tables.push_back(
            {.name = "head", .columns = {dataColumn("number", names), dataColumn("value", values)}});
    return data;
}

std::optional<PictureOptions> HeadCard::picture(PictureOptions options) const {
    return ofView(std::move(options), "head-card");
}

void HeadCard::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showRole();
}

View* views::makers::head_card(Selection* selection, QWidget* parent) {
    return new HeadCard(selection, parent);
}

} // namespace headscope::widgets
