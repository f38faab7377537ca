#include "widgets/views/head_scatter/head_scatter.h"

#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"
#include "widgets/words/trace_words.h"

#include <QBuffer>
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
constexpr const char* kindWord = "kind"; ///< of the colour alone
constexpr std::array axes{"across", "up", "colour"};
constexpr std::size_t mostNamed = 6; ///< of the outermost heads
constexpr double radius = 5.5;       ///< of a point, in pixels
constexpr QSize mapSide(108, 92);    ///< of the card at a point

/// Words of a choice, by its place.
const std::vector<std::string>& wordsOf(const char* axis) {
    return choiceSpec("head-scatter", axis)->words;
}

} // namespace

HeadScatter::HeadScatter(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), across_(new QComboBox(this)), up_(new QComboBox(this)),
      colour_(new QComboBox(this)), plot_(new ReadablePlot(tr("All heads as points"), this)),
      caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Scatter of all heads"));
    caption_->setForegroundRole(QPalette::PlaceholderText);
    auto* bar = new QHBoxLayout;
    for (const auto& [box, axis, name] :
         {std::tuple(across_, "across", tr("Across")), std::tuple(up_, "up", tr("Up")),
          std::tuple(colour_, "colour", tr("Colour"))}) {
        auto* label = new QLabel(name, this);
        label->setBuddy(box);
        box->setAccessibleName(name);
        for (const auto& word : wordsOf(axis)) {
            const auto all = analysis::allStatistics();
            const auto statistic =
                std::ranges::find(all, word, [](auto each) { return analysis::name(each); });
            box->addItem(word == kindWord ? tr("Kind of attention")
                                          : title(statistic == all.end() ? Number() : Number(*statistic)));
        }
        connect(box, &QComboBox::activated, this,
                [this, axis = axis](int place) { Q_EMIT intended(chooseWord("head-scatter", axis, place)); });
        bar->addWidget(label);
        bar->addWidget(box);
    }
    bar->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::xs, space::s, space::xs);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    column->addWidget(caption_);
    connect(plot_, &ReadablePlot::markDescribed, this, &View::cellDescribed);
    connect(plot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        if (mark.column < std::ssize(kinds_[mark.row])) // kinds with fewer heads have gaps at the end
            selection_->setHead(kinds_[mark.row][mark.column]);
    });
    plot_->setDraggable(true);
    connect(plot_, &ReadablePlot::areaMarked, this, [this](const QRectF& area) {
        Q_EMIT intended(intents::FindHeads{area.isEmpty() ? std::string() : wordsFor(area).toStdString()});
    });
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
    for (const char* axis : axes)
        if (isImportance(axis))
            return lackingImportance(context(), axis);
    return std::nullopt;
}

/// Whether there is a model may have become known.
void HeadScatter::showEvent(QShowEvent* event) {
    View::showEvent(event);
    refresh();
}

const std::string& HeadScatter::word(const char* axis) const {
    return wordsOf(axis)[chosenWord(*context().document, "head-scatter", axis)];
}

HeadScatter::Number HeadScatter::number(const char* axis) const {
    for (const auto statistic : analysis::allStatistics())
        if (analysis::name(statistic) == word(axis))
            return statistic;
    return std::nullopt;
}

bool HeadScatter::isImportance(const char* axis) const {
    return word(axis) == importanceWord;
}

bool HeadScatter::isShaded() const {
    return word("colour") != kindWord;
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
            const auto shade = isShaded() ? valueOf(head, number("colour")) : std::optional(0.0);
            if (x && y && shade)
                points_.push_back({.head = head.head, .across = *x, .up = *y, .colour = *shade});
        }
    kinds_.assign(trace::attentionKinds.size(), {});
    for (const auto& point : points_)
        kinds_[static_cast<std::size_t>(point.head.site.kind)].push_back(point.head);
    std::erase_if(kinds_, [](const auto& heads) { return heads.empty(); });
    for (const auto& [box, axis] :
         {std::pair(across_, "across"), std::pair(up_, "up"), std::pair(colour_, "colour")}) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(chosenWord(*context().document, "head-scatter", axis));
    }
    Plot shown = plot(true);
    shown.card = [this](MapCell mark) { return cardOf(pointAt(mark)); };
    const auto* before = static_cast<const DrawnPlot*>(plot_->picture().get());
    if (before && (before->plot().across != shown.across || before->plot().up != shown.up))
        plot_->forgetArea(); // other heads stand there now
    plot_->setPicture(std::make_shared<DrawnPlot>(std::move(shown)));
    caption_->setText(hasFigure() ? caption() : QString());
}

/// A row a kind, for screen readers.
Plot HeadScatter::plot(bool withSelection) const {
    Plot plot;
    plot.nothing = tr("Shows every head as a point.");
    plot.whyNothing = whyEmpty();
    if (points_.empty())
        return plot;
    plot.across = axisOf(number("across"), &Point::across);
    plot.up = {axisOf(number("up"), &Point::up)};
    plot.inColumns = false;
    plot.isCloud = true;
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
        if (isShaded())
            addShaded(plot, series, heads);
        else
            plot.add(std::move(series), shortKindTitle(kind));
    }
    if (isShaded()) {
        const auto [least, most] = std::ranges::minmax_element(points_, {}, &Point::colour);
        plot.shades = {.least = least->colour, .most = std::max(most->colour, least->colour + 1e-9)};
    }
    for (std::size_t column = 0; column < columns; ++column)
        plot.columns += QString::number(column);
    for (auto& row : plot.rows) // kinds may have different numbers of heads
        row.points.resize(columns, {qQNaN(), qQNaN()});
    plot.words = [heads = kinds_, points = points_, x = title(number("across")), y = title(number("up")),
                  shade = isShaded() ? title(number("colour")) : QString()](MapCell mark) {
        const auto& row = heads[mark.row];
        if (mark.column >= std::ssize(row))
            return QString();
        const auto& point = *std::ranges::find(points, row[mark.column], &Point::head);
        const QString both =
            tr("%1: %2 %3, %4 %5")
                .arg(address(point.head), x, statisticText(point.across, 3), y, statisticText(point.up, 3));
        return shade.isEmpty() ? both : tr("%1, %2 %3").arg(both, shade, statisticText(point.colour, 3));
    };
    return plot;
}

const HeadScatter::Point& HeadScatter::pointAt(MapCell mark) const {
    return *std::ranges::find(points_, kinds_.at(mark.row).at(mark.column), &Point::head);
}

QString HeadScatter::cardOf(const Point& point) const {
    const auto line = [](const QString& name, double value) {
        return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right><b>%2</b></td></tr>")
            .arg(name.toHtmlEscaped(), statisticText(value, 3));
    };
    QString numbers = line(title(number("across")), point.across) + line(title(number("up")), point.up);
    if (isShaded())
        numbers += line(title(number("colour")), point.colour);
    QByteArray png;
    QBuffer file(&png);
    headThumbnail(*context().document->run, point.head,
                  {.side = mapSide, .pixelRatio = devicePixelRatioF(), .theme = &themeOf(palette())})
        .save(&file, "PNG");
    const QString map = png.isEmpty() ? QString()
                                      : QStringLiteral("<td><img width=%1 height=%2 src='data:image/"
                                                       "png;base64,%3'></td><td width=8></td>")
                                            .arg(mapSide.width())
                                            .arg(mapSide.height())
                                            .arg(QString::fromLatin1(png.toBase64()));
    return QStringLiteral("<table><tr>%1<td><b>%2</b><table>%3</table></td></tr></table>")
        .arg(map, address(point.head), numbers);
}

QString HeadScatter::wordsFor(const QRectF& area) const {
    const auto& drawn = static_cast<const DrawnPlot&>(*plot_->picture());
    const QRectF panel = drawn.panel(0, plot_->area(), plot_->font());
    QStringList words;
    const auto add = [&](const char* axis, const PlotAxis& scale, double low, double high) {
        const auto value = [&](double share) {
            return QString::number(scale.least + share * (scale.most - scale.least), 'g', 4);
        };
        const auto of = number(axis);
        const QString name = of ? statisticTitle(*of).toLower() : QString::fromLatin1(importanceWord);
        words += QStringLiteral("%1 >= %2 %1 <= %3").arg(name, value(low), value(high));
    };
    const auto& plot = drawn.plot();
    add("across", plot.across, (area.left() - panel.left()) / panel.width(),
        (area.right() - panel.left()) / panel.width());
    add("up", plot.up.front(), (panel.bottom() - area.bottom()) / panel.height(),
        (panel.bottom() - area.top()) / panel.height());
    return words.join(' ');
}

/// The legend has a hollow mark for the kind; each head has a colour of its own.
void HeadScatter::addShaded(Plot& plot, const PlotSeries& kind,
                            const std::vector<trace::HeadAddress>& heads) const {
    PlotSeries legend = kind;
    legend.ink = &Theme::faintText;
    legend.hollow = true;
    plot.add(std::move(legend), kind.name);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        PlotSeries head = kind;
        head.name.clear();
        head.points = {kind.points[i]};
        head.from = {kind.from[i]};
        head.texts.clear();
        head.ink = PlotShade{std::ranges::find(points_, heads[i], &Point::head)->colour};
        plot.series.push_back(std::move(head));
    }
}

QString HeadScatter::caption() const {
    const bool isMeasured =
        std::ranges::any_of(axes, [this](const char* axis) { return isImportance(axis); });
    QString heads = (isShaded() ? tr("%1 of %2 heads of %3: those that have all three numbers.")
                                : tr("%1 of %2 heads of %3: those that have both numbers."))
                        .arg(points_.size())
                        .arg(statistics_->size())
                        .arg(QString::fromStdString(context().document->run->model->name));
    if (isShaded())
        heads += ' ' + tr("Colour: %1.").arg(title(number("colour")).toLower());
    return isMeasured ? QStringLiteral("%1 %2").arg(heads, scores_.caption()) : heads;
}

QString HeadScatter::whyEmpty() const {
    if (!context().document->run)
        return hintForNoRun(*this);
    for (const char* axis : axes)
        if (isImportance(axis) && !scores_.areKnown())
            return tr("Measure the head importance first.");
    return !statistics_ ? tr("The statistics are being computed.")
           : isShaded() ? tr("No head has all three numbers.")
                        : tr("No head has both numbers.");
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
    std::vector<double> across, up, colour;
    for (const auto& point : points_) {
        heads += address(point.head);
        across.push_back(point.across);
        up.push_back(point.up);
        colour.push_back(point.colour);
    }
    const auto nameOf = [this](const char* axis) {
        const auto of = number(axis);
        return of ? std::string(analysis::name(*of)) : std::string(importanceWord);
    };
    trace::DataTable table{.name = "heads", .columns = {dataColumn("head", heads)}};
    table.columns.push_back({.title = nameOf("across"), .values = std::move(across)});
    table.columns.push_back({.title = nameOf("up"), .values = std::move(up)});
    if (isShaded())
        table.columns.push_back({.title = nameOf("colour"), .values = std::move(colour)});
    return {.arrays = {}, .tables = {std::move(table)}};
}

View* views::makers::head_scatter(Selection* selection, QWidget* parent) {
    return new HeadScatter(selection, parent);
}

} // namespace headscope::widgets
