#include "widgets/plots/drawn_plot.h"

#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <qcustomplot.h>

namespace headscope::widgets {

double PlotAxis::position(double value) const {
    if (logarithmic)
        return (std::log(std::max(value, least * 1e-6)) - std::log(least)) /
               (std::log(most) - std::log(least));
    return most > least ? (value - least) / (most - least) : 0.5;
}

PlotAxis decadesAround(const std::vector<double>& values, const QString& title) {
    double least = INFINITY;
    double most = 0;
    for (const double value : values)
        if (value > 0 && std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    const double lowest = most > 0 ? std::floor(std::log10(least) + 1e-9) : 0;
    const double highest = most > 0 ? std::ceil(std::log10(most) - 1e-9) : 1;
    return {.least = std::pow(10, lowest),
            .most = std::pow(10, std::max(lowest + 1, highest)),
            .logarithmic = true,
            .title = title};
}

QColor colourOf(const PlotInk& ink, const Theme& theme) {
    if (const auto* category = std::get_if<int>(&ink))
        return categoryColours(theme).at(*category);
    const auto* member = std::get_if<QColor Theme::*>(&ink);
    return member ? theme.**member : std::get<QColor (*)(const Theme&)>(ink)(theme);
}

void Plot::add(PlotSeries one, const QString& rowName) {
    rows.push_back(
        {.name = rowName, .points = one.points, .bars = one.bars, .panel = one.panel, .from = one.from});
    series.push_back(std::move(one));
}

namespace {

ColourScale shadesOf(const Plot& plot, const Theme& theme) {
    const auto [least, most] = plot.shades.value_or(PlotShades());
    return ColourScale::sequential(least, most, ColourMapping::Linear, theme.dark);
}

constexpr double reach = 24; ///< from the pointer to a value of a cloud, in pixels
constexpr double tickGap = 10;
constexpr int legendGap = 4; ///< between lines
constexpr int entryGap = 16;

std::vector<Tick> ticksOf(const PlotAxis& axis, int atMost) {
    if (!axis.names.isEmpty()) {
        std::vector<Tick> named;
        const auto apart = std::max<qsizetype>(1, (axis.names.size() + atMost - 1) / atMost);
        for (qsizetype i = 0; i < axis.names.size(); i += apart)
            named.push_back({static_cast<double>(i), axis.names[i]});
        return named;
    }
    auto values = axis.logarithmic ? logarithmicTicks(axis.least, axis.most, atMost)
                                   : niceTicks(axis.least, axis.most, atMost);
    std::erase_if(values, [&](double value) { return axis.whole && value != std::round(value); });
    std::vector<Tick> ticks;
    for (const double value : values)
        ticks.push_back({value, axis.logarithmic ? logarithmicTickText(value, values.front(), values.back())
                                                 : linearTickText(value, values.front(), values.back())});
    return ticks;
}

/// As many as fit beside each other into `length` pixels.
std::vector<Tick> ticksAcross(const PlotAxis& axis, double length, const QFontMetricsF& metrics) {
    const auto fit = [&](const std::vector<Tick>& ticks) {
        double end = -INFINITY;
        for (const Tick& tick : ticks) {
            const double at = axis.position(tick.value) * length;
            const double half = metrics.horizontalAdvance(tick.text) / 2;
            if (at - half < end + tickGap)
                return false;
            end = at + half;
        }
        return true;
    };
    for (int atMost = std::max<int>(12, axis.names.size()); atMost > 2; --atMost)
        if (auto ticks = ticksOf(axis, atMost); fit(ticks))
            return ticks;
    return ticksOf(axis, 2);
}

std::vector<Tick> ticksUp(const PlotAxis& axis, double length, const QFontMetricsF& metrics) {
    const int atMost = std::clamp(static_cast<int>(length / (1.6 * metrics.height())), 2, 8);
    auto ticks = ticksOf(axis, atMost);
    return ticks.size() < 2 ? ticksOf(axis, atMost + 1) : ticks; // a single number shows no scale
}

/// Marks at the ends of an axis are drawn whole; in the legend they have their full size.
class Curve : public QCPCurve {
  public:
    Curve(QCPAxis* across, QCPAxis* up, const PlotSeries& series)
        : QCPCurve(across, up),
          isUpright_(series.points.size() > 2 && series.points[0].x() == series.points[1].x() &&
                     std::isnan(series.points[2].y())),
          around_(series.mark == PlotMark::None ? 1 : static_cast<int>(series.radius) + 1),
          size_(2 * std::min(series.radius, 4.0)) {}

  protected:
    QRect clipRect() const override {
        return QCPCurve::clipRect().adjusted(-around_, -around_, around_, around_);
    }

    /// In pieces if they end as pixels: the time that Qt takes for a line grows with the square of its
    /// points.
    void drawCurveLine(QCPPainter* painter, const QVector<QPointF>& line) const override {
        constexpr int points = 20;
        if (!drawsPixels(*painter) || pen().style() != Qt::SolidLine)
            return QCPCurve::drawCurveLine(painter, line);
        for (qsizetype from = 0; from + 1 < line.size(); from += points - 1)
            QCPCurve::drawCurveLine(painter, line.mid(from, points));
    }

    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override {
        applyDefaultAntialiasingHint(painter);
        painter->setPen(pen());
        const QPointF middle = rect.center();
        if (brush().style() != Qt::NoBrush)
            return painter->fillRect(rect.adjusted(0, 0.25 * rect.height(), 0, -0.25 * rect.height()),
                                     brush());
        if (lineStyle() != lsNone && isUpright_)
            painter->drawLine(QLineF(middle.x(), rect.top(), middle.x(), rect.bottom()));
        else if (lineStyle() != lsNone)
            painter->drawLine(QLineF(rect.left(), middle.y(), rect.right(), middle.y()));
        QCPScatterStyle mark = scatterStyle();
        if (mark.isNone())
            return;
        mark.setSize(size_);
        mark.applyTo(painter, pen());
        mark.drawShape(painter, middle);
    }

  private:
    bool isUpright_; ///< consists of upright lines with gaps between them
    int around_;
    double size_;
};

/// Builds one plot out of its value for one size, font and theme.
class PlotBuilder {
  public:
    PlotBuilder(const Plot& plot, QSize size, const QFont& font, const Theme& theme)
        : plot_(plot), size_(size), metrics_(font), theme_(theme) {
        custom_.setFont(font);
        custom_.setViewport(QRect(QPoint(), size));
        custom_.setBackground(Qt::NoBrush);
        custom_.setAutoAddPlottableToLegend(false);
        custom_.legend->setVisible(false); // each line of entries is a legend of its own
        addPanels();
        addBands();
        addLines();
        for (const PlotSeries& series : plot.series)
            series.bars > 0 ? addBars(series) : addCurve(series);
        layOut();
        addLegend();
        layOut();
        fit();
    }

    void record(RecordedDrawing& drawing) {
        QCPPainter recorder(&drawing);
        recorder.setMode(QCPPainter::pmVectorized);
        custom_.toPainter(&recorder, size_.width(), size_.height());
    }

    /// Where the values of each panel are.
    std::vector<QRectF> panels() const {
        std::vector<QRectF> panels;
        for (const auto* panel : panels_)
            panels.push_back(QRectF(panel->rect()).translated(0, -1)); // as QCPAxis::coordToPixel() has it
        return panels;
    }

  private:
    QColor colour(const PlotInk& ink) const {
        const auto* shade = std::get_if<PlotShade>(&ink);
        return shade ? QColor(shadesOf(plot_, theme_).colour(shade->number)) : colourOf(ink, theme_);
    }

    void layOut() {
        for (const auto phase :
             {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
            custom_.plotLayout()->update(phase);
    }

    void dress(QCPAxis* axis, const PlotAxis& shown) const {
        axis->setScaleType(shown.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        const double more = 1e-9 * (shown.most - shown.least); // for ticks at the ends, which are rounded
        axis->setRange(shown.least - (shown.logarithmic ? 0 : more), shown.most + more);
        axis->setLabel(shown.title);
        for (const auto set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen})
            (axis->*set)(QPen(theme_.line));
        axis->setTickLabelColor(theme_.text);
        axis->setLabelColor(theme_.faintText);
        for (const auto set : {&QCPAxis::setTickLabelFont, &QCPAxis::setLabelFont})
            (axis->*set)(custom_.font());
        axis->setTickLength(0, axis->axisType() == QCPAxis::atBottom ? 4 : 0);
        axis->grid()->setPen(QPen(theme_.line));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setVisible(axis->axisType() == QCPAxis::atLeft);
        axis->setLabelPadding(3);
        axis->setTicks(shown.numbered);
        axis->setTickLabels(shown.numbered);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }

    void addPanels() {
        auto* layout = custom_.plotLayout();
        auto* left = new QCPMarginGroup(&custom_);
        for (std::size_t index = 0; index < plot_.up.size(); ++index) {
            auto* panel = index == 0 ? custom_.axisRect() : new QCPAxisRect(&custom_);
            if (index > 0)
                layout->addElement(static_cast<int>(index), 0, panel);
            panel->setMarginGroup(QCP::msLeft | QCP::msRight, left);
            panel->setMinimumMargins(margins(index, 8));
            PlotAxis across = plot_.across;
            if (index + 1 < plot_.up.size()) {
                across.title.clear();
                across.numbered = false;
            }
            dress(panel->axis(QCPAxis::atBottom), across);
            dress(panel->axis(QCPAxis::atLeft), plot_.up[index]);
            panel->axis(QCPAxis::atBottom)->setBasePen(QPen(theme_.faintText));
            panel->axis(QCPAxis::atLeft)->setBasePen(Qt::NoPen);
            for (const auto type : {QCPAxis::atTop, QCPAxis::atRight})
                panel->axis(type)->setVisible(false);
            panels_.push_back(panel);
        }
        layout->setRowSpacing(legendGap);
    }

    /// Leaves room above for half a number, or for the words of upright lines.
    QMargins margins(std::size_t index, double right) const {
        const bool words = index == 0 && std::ranges::any_of(plot_.lines, [](const PlotLine& line) {
                               return line.orientation == Qt::Vertical && !line.words.isEmpty();
                           });
        const double above = words ? metrics_.height() + 4 : metrics_.height() / 2 + 1;
        return {0, static_cast<int>(std::ceil(above)), static_cast<int>(std::ceil(right)), 4};
    }

    void addBands() {
        for (const PlotBand& band : plot_.bands)
            for (auto* panel : panels_) {
                auto* item = new QCPItemRect(&custom_);
                item->setLayer(QStringLiteral("background"));
                item->setPen(band.framed ? QPen(theme_.accent) : QPen(Qt::NoPen));
                item->setBrush(theme_.panel);
                set(*item->topLeft, *panel, Qt::Vertical, band.from, 0);
                set(*item->bottomRight, *panel, Qt::Vertical, band.to, 1);
                item->setClipAxisRect(panel);
            }
    }

    /// Places an end of a line at a value and a share of the panel.
    static void set(QCPItemPosition& end, QCPAxisRect& panel, Qt::Orientation orientation, double value,
                    double share) {
        const bool upright = orientation == Qt::Vertical;
        end.setAxes(panel.axis(QCPAxis::atBottom), panel.axis(QCPAxis::atLeft));
        end.setAxisRect(&panel);
        end.setTypeX(upright ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
        end.setTypeY(upright ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
        end.setCoords(upright ? value : share, upright ? share : value);
    }

    void addLines() {
        for (const PlotLine& line : plot_.lines)
            for (auto* panel : panels_) {
                auto* item = new QCPItemLine(&custom_);
                item->setPen(QPen(colour(line.ink), line.width, line.dash));
                item->setAntialiased(false);
                set(*item->start, *panel, line.orientation, line.at, 1);
                set(*item->end, *panel, line.orientation, line.at, 0);
                item->setClipAxisRect(panel);
            }
    }

    void addBars(const PlotSeries& series) {
        if (series.from.empty())
            return addBars(series, 0, series.points);
        for (std::size_t i = 0; i < series.points.size(); ++i)
            addBars(series, series.from[i], {series.points[i]});
    }

    void addBars(const PlotSeries& series, double from, const std::vector<QPointF>& points) {
        auto* bars = new QCPBars(axisOf(series, QCPAxis::atBottom), axisOf(series, QCPAxis::atLeft));
        bars->setWidth(series.bars);
        bars->setPen(QPen(colour(series.ink), 1, Qt::SolidLine, Qt::FlatCap,
                          Qt::MiterJoin)); // a value close to 0 stays visible
        bars->setBrush(colour(series.ink));
        bars->setAntialiased(false);
        bars->setBaseValue(from);
        for (const QPointF& point : points)
            if (std::isfinite(point.y()))
                bars->addData(point.x(), point.y() - from);
        listed_.emplace_back(bars, series.name);
    }

    void addCurve(const PlotSeries& series) {
        auto* curve = new Curve(axisOf(series, QCPAxis::atBottom), axisOf(series, QCPAxis::atLeft), series);
        QVector<double> across, up;
        for (const QPointF& point : series.points) {
            across += point.x();
            up += point.y();
        }
        curve->setData(across, up);
        curve->setLineStyle(series.line > 0 ? QCPCurve::lsLine : QCPCurve::lsNone);
        curve->setPen(QPen(colour(series.ink), std::max(1.0, series.line), series.dash));
        if (series.filled) {
            curve->setPen(Qt::NoPen);
            curve->setBrush(colour(series.ink));
        }
        listed_.emplace_back(curve, series.name);
        curves_.emplace_back(curve, &series);
    }

    QCPAxis* axisOf(const PlotSeries& series, QCPAxis::AxisType type) const {
        return panels_[series.panel]->axis(type);
    }

    QSize icon() const {
        const double line = metrics_.height();
        return {static_cast<int>(1.4 * line), static_cast<int>(std::ceil(line)) + 2};
    }

    /// Above the plot, where it hides no curve, with as many entries beside each other as fit. A title that
    /// is longer than its axis stands beside it.
    void addLegend() {
        std::erase_if(listed_, [](const auto& entry) { return entry.second.isEmpty(); });
        double longest = 0;
        for (const PlotAxis& up : plot_.up)
            longest = std::max(longest, metrics_.horizontalAdvance(up.title));
        const auto lines = static_cast<double>(legendLines(size_.width()).size());
        const bool isBeside = longest > panels_.front()->height() - lines * (icon().height() + legendGap);
        const int left = isBeside ? static_cast<int>(metrics_.height()) + legendGap : 2;
        int row = 0;
        for (const auto& line : legendLines(size_.width() - left))
            addLegendLine(row++, left, line);
    }

    /// The entries of each line, as indices.
    std::vector<std::vector<std::size_t>> legendLines(double width) {
        std::vector<std::vector<std::size_t>> lines;
        double used = 0;
        for (std::size_t entry = 0; entry < listed_.size(); ++entry) {
            auto& [plottable, name] = listed_[entry];
            const double beside = icon().width() + custom_.legend->iconTextPadding() + entryGap;
            plottable->setName(metrics_.elidedText(name, Qt::ElideRight, width - beside));
            const double wide = beside + metrics_.horizontalAdvance(plottable->name());
            if (lines.empty() || used + wide > width) {
                lines.emplace_back();
                used = 0;
            }
            lines.back().push_back(entry);
            used += wide;
        }
        return lines;
    }

    void addLegendLine(int row, int left, const std::vector<std::size_t>& entries) {
        auto* line = new QCPLegend;
        custom_.plotLayout()->insertRow(row);
        custom_.plotLayout()->addElement(row, 0, line);
        custom_.plotLayout()->setRowStretchFactor(row, 0.001);
        line->setLayer(QStringLiteral("legend"));
        line->setFillOrder(QCPLegend::foColumnsFirst);
        line->setBrush(Qt::NoBrush);
        line->setBorderPen(Qt::NoPen);
        line->setTextColor(theme_.text);
        line->setFont(custom_.font());
        line->setIconSize(icon());
        line->setMargins(QMargins(left, 0, 0, 0));
        line->setColumnSpacing(entryGap);
        for (const std::size_t entry : entries)
            line->addItem(new QCPPlottableLegendItem(line, listed_[entry].first));
        for (int column = 0; column + 1 < line->columnCount(); ++column)
            line->setColumnStretchFactor(column, 0.001);
    }

    /// What depends on the size of the panels: ticks, titles, marks and words.
    void fit() {
        for (std::size_t index = 0; index < panels_.size(); ++index) {
            auto* up = panels_[index]->axis(QCPAxis::atLeft);
            setTicks(up, ticksUp(plot_.up[index], panels_[index]->height(), metrics_));
            fitTitle(up, titleRoom(index));
        }
        layOut(); // the numbers make the panels narrower
        const auto ticks = ticksAcross(plot_.across, panels_.back()->width(), metrics_);
        const double half =
            plot_.across.numbered && !ticks.empty() ? metrics_.horizontalAdvance(ticks.back().text) / 2 : 0;
        for (std::size_t index = 0; index < panels_.size(); ++index) {
            setTicks(panels_[index]->axis(QCPAxis::atBottom), ticks);
            panels_[index]->setMinimumMargins(margins(index, std::max(8.0, half + 1)));
        }
        layOut();
        const double width = panels_.back()->width();
        fitTitle(panels_.back()->axis(QCPAxis::atBottom), width);
        for (const auto& [curve, series] : curves_)
            setMarks(*curve, *series, width);
        for (const PlotSeries& series : plot_.series)
            for (qsizetype i = 0; i < series.texts.size(); ++i)
                addText(series, i);
        addWords(width);
    }

    /// A title may be longer than its panel.
    double titleRoom(std::size_t index) const {
        const auto centre = [&](std::size_t of) { return QRectF(panels_[of]->rect()).center().y(); };
        double room = 2 * std::min(centre(index), size_.height() - centre(index));
        for (std::size_t other = 0; other < panels_.size(); ++other)
            if (other != index)
                room = std::min(room, std::abs(centre(other) - centre(index)) - 4);
        return room;
    }

    static void setTicks(QCPAxis* axis, const std::vector<Tick>& ticks) {
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (const Tick& tick : ticks)
            ticker->addTick(tick.value, tick.text);
        axis->setTicker(ticker);
    }

    void fitTitle(QCPAxis* axis, double length) const {
        axis->setLabel(metrics_.elidedText(axis->label(), Qt::ElideRight, length));
    }

    void setMarks(QCPCurve& curve, const PlotSeries& series, double width) const {
        const auto known = std::ranges::count_if(
            series.points, [](const QPointF& point) { return std::isfinite(point.y()); });
        const bool alone = known == 1 && series.line > 0; // would not be seen as a line
        if (series.mark == PlotMark::None && !alone)
            return;
        const double apart = width / static_cast<double>(std::max<std::size_t>(1, plot_.columns.size()));
        constexpr double side = 60; // marks of a cloud in a small picture
        const double radius = plot_.isCloud ? std::clamp(width / side, 2.5, series.radius)
                              : plot_.inColumns && series.points.size() > 1 && series.line == 0
                                  ? std::clamp(apart / 2, 1.5, series.radius)
                                  : series.radius;
        constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssCircle,
                                    QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
                                    QCPScatterStyle::ssDiamond};
        const QColor ink = colour(series.ink);
        const QColor line = std::holds_alternative<PlotShade>(series.ink) ? theme_.faintText
                            : plot_.isCloud && !series.hollow             ? theme_.background
                                                                          : ink; // of overlapping marks
        curve.setScatterStyle({shapes.at(static_cast<std::size_t>(series.mark)), QPen(line, 1.3),
                               QBrush(series.hollow ? theme_.background : ink), 2 * radius});
        if (series.line > 0 && static_cast<double>(known) * 2 * radius > width)
            curve.setScatterSkip(static_cast<double>(known) * 2 * radius / width);
    }

    /// Above a bar, whichever of its ends is the upper one.
    void addText(const PlotSeries& series, std::size_t place) {
        const QPointF end = series.points[place];
        const double from = series.from.empty() ? 0 : series.from[place];
        if (!std::isfinite(end.y()))
            return;
        auto* item = words(series.texts[static_cast<qsizetype>(place)]);
        item->position->setAxes(axisOf(series, QCPAxis::atBottom), axisOf(series, QCPAxis::atLeft));
        item->position->setAxisRect(panels_[series.panel]);
        item->position->setCoords(end.x(), std::max(from, end.y()));
        item->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        item->setPadding(QMargins(0, 0, 0, 3 + (series.mark == PlotMark::None ? 0 : qRound(series.radius))));
    }

    void addWords(double width) {
        for (const PlotLine& line : plot_.lines)
            if (!line.words.isEmpty())
                addWords(line, width);
        if (plot_.note.isEmpty())
            return;
        auto* note = words(plot_.note);
        note->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
        note->position->setType(QCPItemPosition::ptAxisRectRatio);
        note->position->setCoords(1, 0);
        note->setPadding(QMargins(4, 4, 8, 0));
    }

    QCPItemText* words(const QString& text) {
        auto* item = new QCPItemText(&custom_);
        item->setText(text);
        item->setFont(custom_.font());
        item->setColor(theme_.text);
        item->setClipToAxisRect(false);
        return item;
    }

    /// Above a vertical line, but within the width; below the beginning of a horizontal one, or above its
    /// end.
    void addWords(const PlotLine& line, double width) {
        auto* item = words(line.words);
        const bool upright = line.orientation == Qt::Vertical;
        const double half = metrics_.horizontalAdvance(line.words) / 2;
        const double at = plot_.across.position(line.at) * width;
        set(*item->position, *panels_.front(), line.orientation, line.at, !upright && line.atEnd ? 1 : 0);
        if (upright) {
            item->setPositionAlignment((at < half           ? Qt::AlignLeft
                                        : at > width - half ? Qt::AlignRight
                                                            : Qt::AlignHCenter) |
                                       Qt::AlignBottom);
        } else {
            item->setPositionAlignment(line.atEnd ? Qt::AlignRight | Qt::AlignBottom
                                                  : Qt::AlignLeft | Qt::AlignTop);
            item->setLayer(QStringLiteral("grid"));
            item->setBrush(theme_.background); // hides grid lines behind the text
            item->setPadding(QMargins(6, 2, 6, 2));
        }
    }

    const Plot& plot_;
    QSize size_;
    QFontMetricsF metrics_;
    const Theme& theme_;
    QCustomPlot custom_;
    std::vector<QCPAxisRect*> panels_;
    std::vector<std::pair<QCPCurve*, const PlotSeries*>> curves_;
    std::vector<std::pair<QCPAbstractPlottable*, QString>> listed_; ///< with their names
};

} // namespace

struct DrawnPlot::Drawn {
    Drawn(QSize ofSize, const QFont& in, bool isDark, RecordedDrawing::Target target)
        : size(ofSize), font(in), dark(isDark), recording(target) {}

    QSize size;
    QFont font;
    bool dark;
    RecordedDrawing recording;
    std::vector<QRectF> panels; ///< where the values are
};

/// For the panels, any theme and target serve.
std::shared_ptr<const DrawnPlot::Drawn> DrawnPlot::drawn(QSize size, const QFont& font, const Theme* theme,
                                                         RecordedDrawing::Target target) const {
    const bool same = drawn_ && drawn_->size == size && drawn_->font == font &&
                      (!theme || (drawn_->dark == theme->dark && drawn_->recording.target() == target));
    if (same)
        return drawn_;
    const Theme& used = theme ? *theme : lightTheme();
    auto made = std::make_shared<Drawn>(size, font, used.dark, target);
    PlotBuilder builder(plot_, size, font, used);
    builder.record(made->recording);
    made->panels = builder.panels();
    drawn_ = std::move(made);
    return drawn_;
}

void DrawnPlot::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    if (plot_.series.empty()) {
        painter.save();
        painter.setFont(font);
        if (!plot_.nothing.isEmpty())
            drawEmptyState(painter, area, plot_.nothing, plot_.whyNothing, theme);
        painter.restore();
        return;
    }
    const auto target =
        drawsPixels(painter) ? RecordedDrawing::Target::Pixels : RecordedDrawing::Target::Document;
    const QRectF inside = withoutBar(area, font);
    drawLater(painter, [shown = drawn(inside.size().toSize(), font, &theme, target),
                        at = inside.topLeft()](QPainter& onto) {
        onto.translate(at);
        shown->recording.drawOn(onto);
    });
    if (plot_.shades)
        drawColourBar(painter, panel(0, area, font), shadesOf(plot_, theme), font, theme);
    noteForPage(painter, [&] {
        recorded::AreaWords words;
        for (int row = 0; plot_.words && row < rows(); ++row)
            for (int column = 0; column < std::ssize(plot_.rows[row].points); ++column)
                if (std::isfinite(plot_.rows[row].points[column].y()))
                    words.areas.emplace_back(place({row, column}, area, font), plot_.words({row, column}));
        return words;
    });
}

QRectF DrawnPlot::withoutBar(const QRectF& area, const QFont& font) const {
    return plot_.shades ? area.adjusted(0, 0, -colourBarWidth(shadesOf(plot_, lightTheme()), font), 0) : area;
}

QRectF DrawnPlot::panel(int index, const QRectF& area, const QFont& font) const {
    const QRectF inside = withoutBar(area, font);
    return drawn(inside.size().toSize(), font, nullptr, RecordedDrawing::Target::Pixels)
        ->panels[index]
        .translated(inside.topLeft());
}

QRectF DrawnPlot::placeOf(const PlotRow& row, QPointF value, const QRectF& panel) const {
    constexpr double around = 5;
    const auto across = [&](double x) { return panel.left() + plot_.across.position(x) * panel.width(); };
    const auto up = [&](double y) {
        return panel.bottom() - plot_.up[row.panel].position(y) * panel.height();
    };
    const double left = row.bars > 0 ? across(value.x() - row.bars / 2) : across(value.x()) - around;
    const double right = row.bars > 0 ? across(value.x() + row.bars / 2) : across(value.x()) + around;
    if (!std::isfinite(value.y()))
        return {QPointF(left, panel.top()), QPointF(right, panel.bottom())};
    if (row.bars == 0)
        return {QPointF(left, up(value.y()) - around), QPointF(right, up(value.y()) + around)};
    const auto place = std::ranges::find(row.points, value) - row.points.begin();
    const double from = row.from.empty() ? 0 : row.from[place];
    const double end = up(std::min(value.y(), from));
    return {QPointF(left, std::min(up(std::max(value.y(), from)), end - 1)), QPointF(right, end)};
}

QRectF DrawnPlot::place(MapCell mark, const QRectF& area, const QFont& font) const {
    if (plot_.series.empty())
        return {};
    const PlotRow& row = plot_.rows[mark.row];
    return placeOf(row, row.points[mark.column], panel(row.panel, area, font));
}

std::optional<MapCell> DrawnPlot::at(QPointF point, const QRectF& area, const QFont& font) const {
    if (plot_.series.empty())
        return std::nullopt;
    std::optional<MapCell> nearest;
    double least = INFINITY;
    for (int row = 0; row < rows(); ++row) {
        const PlotRow& one = plot_.rows[row];
        const QRectF panel = this->panel(one.panel, area, font);
        if (!panel.adjusted(-6, -8, 6, 8).contains(point))
            continue;
        for (int column = 0; column < columns(); ++column) {
            const QPointF value = one.points[column];
            const bool isKnown = std::isfinite(value.y());
            if (!isKnown && !plot_.inColumns)
                continue;
            const QRectF place = placeOf(one, value, panel);
            const double half = one.bars > 0 ? place.width() / 2 : 0;
            const double aside = std::max(0.0, std::abs(place.center().x() - point.x()) - half);
            const double above = !isKnown ? panel.height()
                                 : one.bars > 0
                                     ? std::max({0.0, place.top() - point.y(), point.y() - place.bottom()})
                                     : std::abs(place.center().y() - point.y());
            const double away = plot_.inColumns ? 1e6 * aside + above
                                : plot_.isCloud ? std::hypot(aside, above)
                                                : std::hypot(4 * aside, above);
            if (away < least && (!plot_.isCloud || away < reach)) {
                least = away;
                nearest = MapCell{row, column};
            }
        }
    }
    return nearest;
}

/// Near along the arrow and, twice as important, beside it.
std::optional<MapCell> DrawnPlot::towards(int key, MapCell from, const QRectF& area,
                                          const QFont& font) const {
    static const std::map<int, QPointF> arrows{
        {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    const auto arrow = arrows.find(key);
    if (!plot_.isCloud || arrow == arrows.end())
        return std::nullopt;
    const QPointF along = arrow->second, start = place(from, area, font).center();
    MapCell nearest = from;
    double least = INFINITY;
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column) {
            if (!std::isfinite(plot_.rows[row].points[column].y()))
                continue;
            const QPointF way = place({row, column}, area, font).center() - start;
            const double ahead = QPointF::dotProduct(way, along);
            const double aside = std::abs(way.x() * along.y() - way.y() * along.x());
            if (ahead > 0.5 && ahead + 2 * aside < least) {
                least = ahead + 2 * aside;
                nearest = {row, column};
            }
        }
    return nearest;
}

} // namespace headscope::widgets
