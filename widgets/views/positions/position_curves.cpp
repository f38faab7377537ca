#include "widgets/views/positions/position_curves.h"

#include "widgets/drawing/theme.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::widgets {

namespace {

QString curveName(const PositionTable& table, int dimension) {
    if (table.isScore)
        return PositionCurves::tr("score");
    return table.byDistance ? PositionCurves::tr("head %1").arg(dimension)
                            : PositionCurves::tr("dim %1").arg(dimension);
}

/// Each value over the width of its position.
std::vector<QPointF> stepsOf(const std::vector<QPointF>& points) {
    std::vector<QPointF> steps;
    for (const QPointF& point : points)
        for (const double aside : {-0.5, 0.5})
            steps.push_back(point + QPointF(aside, 0));
    return steps;
}

Plot curvesPlot(const PositionTable& table, const std::vector<int>& dimensions, int positions) {
    const auto count = std::min(static_cast<std::size_t>(positions), table.all->rows());
    Plot plot;
    std::vector<PlotSeries> dots;
    double limit = 1e-9;
    for (std::size_t curve = 0; curve < dimensions.size(); ++curve) {
        const std::size_t dimension = dimensions[curve];
        PlotRow row{.name = curveName(table, dimensions[curve])};
        for (std::size_t position = 0; position < count; ++position) {
            const double value = (*table.all)(position, dimension);
            limit = std::max(limit, std::abs(value));
            row.points.emplace_back(table.first + static_cast<double>(position), value);
        }
        const int ink = static_cast<int>(curve % PositionCurves::mostCurves);
        plot.series.push_back(
            {.name = row.name,
             .points = table.byDistance && !table.isScore ? stepsOf(row.points) : row.points,
             .ink = ink,
             .dash = PositionCurves::dashOf(curve)});
        PlotSeries tokens{.ink = ink, .line = 0, .mark = PlotMark::Disc, .radius = 3.5};
        for (std::size_t token = 0; token < table.rows.size(); ++token)
            if (table.rows[token] && static_cast<std::size_t>(*table.rows[token]) < count)
                tokens.points.emplace_back(table.first + *table.rows[token], table.added(token, dimension));
        dots.push_back(std::move(tokens));
        plot.rows.push_back(std::move(row));
    }
    std::ranges::move(dots, std::back_inserter(plot.series));
    for (std::size_t position = 0; position < count; ++position)
        plot.columns += QString::number(table.first + static_cast<int>(position));
    plot.across = {.least = table.first - 1.0,
                   .most = table.first + static_cast<double>(count),
                   .title = table.byDistance ? PositionCurves::tr("distance: key position − query position")
                                             : PositionCurves::tr("position"),
                   .whole = true};
    plot.up = {{.least = -1.08 * limit,
                .most = 1.08 * limit,
                .title = table.isScore      ? PositionCurves::tr("score")
                         : table.byDistance ? PositionCurves::tr("addition to the score")
                                            : PositionCurves::tr("value")}};
    return plot;
}

/// The values of these rows at a position, after its name.
QString valuesInWords(const Plot& plot, int column, std::size_t from, std::size_t to, bool byDistance) {
    const QString place = plot.columns[column];
    QStringList words{byDistance ? PositionCurves::tr("Distance %1:").arg(place)
                                 : PositionCurves::tr("Position %1:").arg(place)};
    for (std::size_t row = from; row < to; ++row)
        words += PositionCurves::tr("%1 = %2").arg(plot.rows[row].name,
                                                   numberText(plot.rows[row].points[column].y()));
    return words.join(QStringLiteral("  "));
}

} // namespace

/// Eight colours and four dash patterns, so that no two curves share both.
Qt::PenStyle PositionCurves::dashOf(std::size_t curve) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return dashes.at(curve % dashes.size());
}

PositionCurves::PositionCurves(QWidget* parent)
    : QWidget(parent), shown_(new ReadablePlot(tr("Curves of positional dimensions"), this)),
      values_(new QLabel(this)) {
    shown_->installEventFilter(this);
    values_->setTextFormat(Qt::PlainText);
    values_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(shown_, 1);
    column->addWidget(values_);
    setFocusProxy(shown_);
    connect(shown_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        const auto position = mark ? std::optional(mark->column) : std::nullopt;
        if (position == pointed_)
            return;
        pointed_ = position;
        showPlot();
        Q_EMIT positionHovered(position);
    });
    connect(shown_, &ReadablePlot::markChosen, this,
            [this](MapCell mark) { Q_EMIT positionClicked(mark.column); });
    showPlot();
}

/// A plot that is destroyed reports that the pointer left it.
PositionCurves::~PositionCurves() {
    shown_->disconnect(this);
}

void PositionCurves::show(const PositionTable& table, const std::vector<int>& dimensions, int positions,
                          std::vector<QString> names) {
    byDistance_ = table.byDistance;
    isScore_ = table.isScore;
    names_ = std::move(names);
    if (!table.all || dimensions.empty())
        return;
    const Plot before = std::exchange(plot_, curvesPlot(table, dimensions, positions));
    plot_.words = [plot = plot_, byDistance = byDistance_](MapCell mark) {
        const std::size_t row = mark.row;
        return valuesInWords(plot, mark.column, row, row + 1, byDistance);
    };
    if (!before.series.empty() && (before.across != plot_.across || before.up != plot_.up))
        zoom_.clear();
    showPlot();
}

void PositionCurves::setZoom(const std::vector<double>& ends) {
    const bool isPart = ends.size() == 4 && ends[0] < ends[1] && ends[2] < ends[3];
    zoom_ = isPart ? ends : std::vector<double>();
    showPlot();
}

Plot PositionCurves::zoomed() const {
    Plot plot = plot_;
    if (!zoom_.empty() && !plot.up.empty()) {
        std::tie(plot.across.least, plot.across.most) = std::pair(zoom_[0], zoom_[1]);
        std::tie(plot.up[0].least, plot.up[0].most) = std::pair(zoom_[2], zoom_[3]);
    }
    return plot;
}

QString PositionCurves::partInWords() const {
    if (plot_.series.empty() || zoom_.empty())
        return {};
    const auto first = std::ceil(std::max(zoom_[0], plot_.across.least + 1));
    const auto last = std::floor(std::min(zoom_[1], plot_.across.most - 1));
    const QString part = byDistance_ ? tr("Visible: distances %1 to %2, values %3 to %4.")
                                     : tr("Visible: positions %1 to %2, values %3 to %4.");
    return part.arg(first).arg(last).arg(numberText(zoom_[2]), numberText(zoom_[3]));
}

void PositionCurves::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    DrawnPlot(zoomed()).draw(painter, area, font(), theme);
}

void PositionCurves::setLit(std::optional<int> position) {
    if (position == lit_)
        return;
    lit_ = position;
    showPlot();
}

void PositionCurves::showPlot() {
    const int position = pointed_.value_or(lit_.value_or(-1));
    Plot plot = zoomed();
    QString line = tr("Hover the curves or use the arrow keys to read values. Click: pin. Drag, wheel: pan, "
                      "zoom.");
    QString tip = line + QChar('\n') + tr("Double-click the curves to show all of them.");
    const auto isNamed = [](const QString& name) { return !name.isEmpty(); };
    if (const auto first = std::ranges::find_if(names_, isNamed); first != names_.end()) {
        const auto last = std::ranges::find_if(names_.rbegin(), names_.rend(), isNamed);
        plot.bands.push_back({.from = static_cast<double>(first - names_.begin()) - 0.5,
                              .to = static_cast<double>(names_.rend() - last) - 0.5});
    }
    if (!plot_.rows.empty() && !isScore_)
        for (PlotSeries& series : plot.series)
            series.name.clear(); // the pills name them
    std::vector<double> values;
    if (position >= 0 && position < plot_.columns.size()) {
        const std::size_t column = position;
        const QString name = column < names_.size() ? names_[column] : QString();
        plot.lines = {{.at = plot.rows.front().points[column].x(),
                       .ink = &Theme::focus,
                       .words = name.isEmpty() ? QString() : tr("%1 %2").arg(position).arg(name)}};
        tip = line = valuesInWords(plot_, position, 0, plot_.rows.size(), byDistance_);
        for (const PlotRow& row : plot_.rows)
            values.push_back(row.points[column].y());
    }
    Q_EMIT valuesMarked(values);
    // Always one line, so that the plot does not jump while the pointer moves.
    values_->setText(values_->fontMetrics().elidedText(line, Qt::ElideRight, std::max(200, width())));
    values_->setToolTip(plainToolTip(tip));
    shown_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
}

void PositionCurves::resizeEvent(QResizeEvent*) {
    showPlot();
}

void PositionCurves::zoomBy(double factor, QPointF around, QPointF by) {
    const Plot plot = zoomed();
    if (plot.series.empty())
        return;
    const QRectF panel = DrawnPlot(plot).panel(0, shown_->area(), shown_->font());
    const auto& across = plot.across;
    const auto& up = plot.up.front();
    const double wide = across.most - across.least, high = up.most - up.least;
    const double x = across.least + (around.x() - panel.left()) / panel.width() * wide;
    const double y = up.most - (around.y() - panel.top()) / panel.height() * high;
    const QPointF moved(-by.x() / panel.width() * wide, by.y() / panel.height() * high);
    setZoom({x + factor * (across.least - x) + moved.x(), x + factor * (across.most - x) + moved.x(),
             y + factor * (up.least - y) + moved.y(), y + factor * (up.most - y) + moved.y()});
}

/// A drag moves the visible part; a press without one is a click.
bool PositionCurves::eventFilter(QObject* watched, QEvent* event) {
    if (watched != shown_)
        return QWidget::eventFilter(watched, event);
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (mouse->button() != Qt::LeftButton)
            return false;
        pressedAt_ = mouse->position();
        dragging_ = false;
        // The first click of a double click pinned a position; the coming release unpins it.
        if (event->type() == QEvent::MouseButtonDblClick)
            setZoom({});
        return true;
    case QEvent::MouseMove: {
        const QPointF by = pressedAt_ ? mouse->position() - *pressedAt_ : QPointF();
        dragging_ |= by.manhattanLength() >= QApplication::startDragDistance();
        if (!pressedAt_ || !dragging_)
            return false;
        pressedAt_ = mouse->position();
        zoomBy(1, mouse->position(), by);
        return true;
    }
    case QEvent::MouseButtonRelease:
        if (std::exchange(pressedAt_, std::nullopt) && !dragging_ && pointed_)
            Q_EMIT positionClicked(*pointed_);
        return false;
    case QEvent::Wheel: {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        zoomBy(std::pow(0.85, wheel->angleDelta().y() / 120.0), wheel->position(), {});
        return true;
    }
    default:
        return false;
    }
}

Plot marksPlot(const std::vector<PositionMarks>& rows, const QString& across, const QString& up) {
    constexpr std::array marks{PlotMark::Disc, PlotMark::Square};
    Plot plot;
    std::vector<double> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& [name, values, isHollow] = rows[row];
        PlotRow read{.name = name};
        std::array<PlotSeries, 2> drawn; // filled and hollow marks
        drawn.fill({.ink = static_cast<int>(row), .line = 0, .mark = marks.at(row)});
        drawn[1].hollow = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool isKnown = values[i] > 0 && std::isfinite(values[i]);
            read.points.emplace_back(static_cast<double>(i),
                                     isKnown ? values[i] : std::numeric_limits<double>::quiet_NaN());
            drawn.at(isHollow[i] ? 1 : 0).points.push_back(read.points.back());
        }
        if (rows.size() > 1)
            drawn[0].name = name;
        for (PlotSeries& series : drawn)
            if (!series.points.empty())
                plot.series.push_back(std::move(series));
        plot.rows.push_back(std::move(read));
        all.insert(all.end(), values.begin(), values.end());
    }
    for (std::size_t i = 0; i < plot.rows.front().points.size(); ++i)
        plot.columns += QString::number(i);
    plot.across = {.least = -0.5,
                   .most = std::max(1.0, static_cast<double>(plot.columns.size())) - 0.5,
                   .title = across,
                   .whole = true};
    plot.up = {decadesAround(all, up)};
    return plot;
}

} // namespace headscope::widgets
