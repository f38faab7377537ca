#include "widgets/views/head_scatter/head_scatter.h"

#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr const char* importanceWord = "importance";
constexpr std::size_t mostNamed = 6; ///< of the outermost heads
constexpr double radius = 5.5;       ///< of a point, in pixels

/// Words of a choice, by its place.
const std::vector<std::string>& wordsOf(const char* axis) {
    return choiceSpec("head-scatter", axis)->words;
}

} // namespace

HeadScatter::HeadScatter(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), across_(new QComboBox(this)), up_(new QComboBox(this)),
      plot_(new ReadablePlot(tr("All heads as points"), this)), caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Scatter of all heads"));
    caption_->setForegroundRole(QPalette::PlaceholderText);
    auto* bar = new QHBoxLayout;
    for (const auto& [box, axis, name] :
         {std::tuple(across_, "across", tr("Across")), std::tuple(up_, "up", tr("Up"))}) {
        auto* label = new QLabel(name, this);
        label->setBuddy(box);
        box->setAccessibleName(name);
        for (const auto& word : wordsOf(axis)) {
            const auto all = analysis::allStatistics();
            const auto statistic =
                std::ranges::find(all, word, [](auto each) { return analysis::name(each); });
            box->addItem(title(statistic == all.end() ? Number() : Number(*statistic)));
        }
        connect(box, &QComboBox::activated, this,
                [this, axis = axis](int place) { Q_EMIT intended(chooseWord("head-scatter", axis, place)); });
        bar->addWidget(label);
        bar->addWidget(box);
    }
    bar->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    column->addWidget(caption_);
    connect(plot_, &ReadablePlot::markDescribed, this, &View::cellDescribed);
    connect(plot_, &ReadablePlot::markChosen, this,
            [this](MapCell mark) { selection_->setHead(kinds_[mark.row][mark.column]); });
    connect(selection, &Selection::headChanged, this, &HeadScatter::showPoints);
    connect(selection, &Selection::stepChanged, this, &View::questionsChanged);
}

std::vector<trace::Wanted> HeadScatter::questions() const {
    return statisticsQuestions(*context().document);
}

void HeadScatter::refresh() {
    statistics_ = shownStatistics(context(), statistics_);
    scores_ = shownScores(context(), selection_->step());
    showPoints();
}

std::optional<View::Lacking> HeadScatter::lacks() const {
    for (const char* axis : {"across", "up"})
        if (!number(axis))
            return lackingImportance(context(), axis);
    return std::nullopt;
}

/// Whether there is a model may have become known.
void HeadScatter::showEvent(QShowEvent* event) {
    View::showEvent(event);
    refresh();
}

HeadScatter::Number HeadScatter::number(const char* axis) const {
    const auto& word = wordsOf(axis)[chosenWord(*context().document, "head-scatter", axis)];
    for (const auto statistic : analysis::allStatistics())
        if (analysis::name(statistic) == word)
            return statistic;
    return std::nullopt;
}

QString HeadScatter::title(const Number& number) {
    return number ? statisticTitle(*number) : tr("Importance");
}

std::optional<double> HeadScatter::valueOf(const analysis::HeadStatistics& head, const Number& number) const {
    if (number)
        return head.values[*number];
    const auto score = std::ranges::find(ranked_, head.head, &analysis::HeadScore::head);
    return score == ranked_.end() ? std::nullopt : std::optional<double>(score->importance);
}

PlotAxis HeadScatter::axisOf(const Number& number, double Point::*value) const {
    const auto [least, most] = std::ranges::minmax_element(points_, {}, value);
    const double room = 0.05 * std::max((*most).*value - (*least).*value, 1e-9); // no point is cut
    return {.least = (*least).*value - room, .most = (*most).*value + room, .title = title(number)};
}

void HeadScatter::showPoints() {
    ranked_ = scores_.ranked();
    points_.clear();
    const auto across = number("across"), up = number("up");
    if (statistics_)
        for (const auto& head : *statistics_) {
            const auto x = valueOf(head, across), y = valueOf(head, up);
            if (x && y)
                points_.push_back({.head = head.head, .across = *x, .up = *y});
        }
    kinds_.assign(trace::attentionKinds.size(), {});
    for (const auto& point : points_)
        kinds_[static_cast<std::size_t>(point.head.site.kind)].push_back(point.head);
    std::erase_if(kinds_, [](const auto& heads) { return heads.empty(); });
    for (const auto& [box, axis] : {std::pair(across_, "across"), std::pair(up_, "up")}) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(chosenWord(*context().document, "head-scatter", axis));
    }
    plot_->setPicture(std::make_shared<DrawnPlot>(plot(true)));
    caption_->setText(hasFigure() ? caption() : QString());
}

/// A row a kind, so that the keys go through its heads.
Plot HeadScatter::plot(bool withSelection) const {
    Plot plot;
    plot.nothing = tr("Shows every head as a point.");
    plot.whyNothing = whyEmpty();
    if (points_.empty())
        return plot;
    plot.across = axisOf(number("across"), &Point::across);
    plot.up = {axisOf(number("up"), &Point::up)};
    plot.inColumns = false;
    const auto of = [this](const trace::HeadAddress& head) {
        return *std::ranges::find(points_, head, &Point::head);
    };
    // The outermost ones are those furthest from the middle of all, with both axes equally long.
    const auto distance = [&](const Point& point) {
        return std::hypot(plot.across.position(point.across) - 0.5, plot.up[0].position(point.up) - 0.5);
    };
    std::vector<Point> outermost = points_, named;
    std::ranges::stable_sort(outermost, std::greater(), distance);
    const auto touches = [&](const Point& one, const Point& other) {
        constexpr double wide = 0.15, high = 0.1; // of a name, as shares of a small plot
        const auto apart = [](const PlotAxis& axis, double a, double b) {
            return std::abs(axis.position(a) - axis.position(b));
        };
        return apart(plot.across, one.across, other.across) < wide &&
               apart(plot.up[0], one.up, other.up) < high;
    };
    for (const auto& point : outermost)
        if (named.size() < mostNamed &&
            std::ranges::none_of(named, [&](const Point& other) { return touches(point, other); }))
            named.push_back(point);
    const auto chosen = std::ranges::find(points_, selection_->head(), &Point::head);
    if (withSelection && chosen != points_.end())
        plot.series.push_back({.points = {{chosen->across, chosen->up}},
                               .ink = &Theme::accent,
                               .line = 0,
                               .mark = PlotMark::Disc,
                               .radius = radius + 4,
                               .hollow = true,
                               .from = {chosen->up},
                               .texts = {address(chosen->head)}});
    constexpr std::array marks{PlotMark::Disc, PlotMark::Square, PlotMark::Triangle};
    std::size_t columns = 0;
    for (const auto& heads : kinds_) {
        const auto kind = heads.front().site.kind;
        const auto place = static_cast<std::size_t>(kind);
        PlotSeries series{.name = shortKindTitle(kind),
                          .ink = static_cast<int>(kind),
                          .line = 0,
                          .mark = marks.at(place),
                          .radius = radius};
        for (const auto& head : heads) {
            const auto point = of(head);
            series.points.emplace_back(point.across, point.up);
            series.from.push_back(point.up);
            series.texts += std::ranges::count(named, head, &Point::head) ? shortAddress(head) : QString();
        }
        columns = std::max(columns, heads.size());
        plot.add(std::move(series), shortKindTitle(kind));
    }
    for (std::size_t column = 0; column < columns; ++column)
        plot.columns += QString::number(column);
    plot.words = [heads = kinds_, points = points_, x = title(number("across")),
                  y = title(number("up"))](MapCell mark) {
        const auto& row = heads[mark.row];
        if (mark.column >= std::ssize(row))
            return QString();
        const auto& point = *std::ranges::find(points, row[mark.column], &Point::head);
        return tr("%1: %2 %3, %4 %5")
            .arg(address(point.head), x, statisticText(point.across, 3), y, statisticText(point.up, 3));
    };
    return plot;
}

QString HeadScatter::caption() const {
    const bool isMeasured = !number("across") || !number("up");
    const QString heads = tr("%1 of %2 heads of %3, those that have both numbers.")
                              .arg(points_.size())
                              .arg(statistics_->size())
                              .arg(QString::fromStdString(context().document->run->model->name));
    return isMeasured ? QStringLiteral("%1 %2").arg(heads, scores_.caption()) : heads;
}

QString HeadScatter::whyEmpty() const {
    if (!context().document->run)
        return hintForNoRun(*this);
    for (const char* axis : {"across", "up"})
        if (!number(axis) && !scores_.areKnown())
            return tr("Measure the head importance first.");
    return statistics_ ? tr("No head has both numbers.") : tr("The statistics are being computed.");
}

std::optional<FigureBlocks> HeadScatter::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    return FigureBlocks{.picture = plotBlock(std::make_shared<DrawnPlot>(plot(false)), font()),
                        .caption = caption(),
                        .font = font()};
}

FigureText HeadScatter::figureText() const {
    if (!hasFigure())
        return {};
    const QString both = tr("%1 and %2").arg(title(number("across")), title(number("up")));
    return {.title = tr("All heads: %1").arg(both),
            .caption = caption(),
            .provenance = provenance(*context().document->run),
            .head = {},
            .quantity = both};
}

std::optional<PictureOptions> HeadScatter::picture(PictureOptions options) const {
    return ofView(std::move(options), "head-scatter");
}

trace::FigureData HeadScatter::figureData() const {
    if (!hasFigure())
        return {};
    QStringList heads;
    std::vector<double> across, up;
    for (const auto& point : points_) {
        heads += address(point.head);
        across.push_back(point.across);
        up.push_back(point.up);
    }
    const auto nameOf = [this](const char* axis) {
        const auto of = number(axis);
        return of ? std::string(analysis::name(*of)) : std::string(importanceWord);
    };
    trace::DataTable table{.name = "heads", .columns = {dataColumn("head", heads)}};
    table.columns.push_back({.title = nameOf("across"), .values = std::move(across)});
    table.columns.push_back({.title = nameOf("up"), .values = std::move(up)});
    return {.arrays = {}, .tables = {std::move(table)}};
}

View* views::makers::head_scatter(Selection* selection, QWidget* parent) {
    return new HeadScatter(selection, parent);
}

} // namespace headscope::widgets
