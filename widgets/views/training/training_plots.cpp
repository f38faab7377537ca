#include "widgets/views/training/training_plots.h"

#include "widgets/words/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

using trace::TrainingPoint;

namespace {

struct TrainingPlotsWords {
    Q_DECLARE_TR_FUNCTIONS(TrainingPlots)
};

struct TrainingCurve {
    QString name;
    double TrainingPoint::*member;
    double factor = 1;
    bool marked = true;
};

/// `most`: upper limit of the vertical axis; 0: none. `whatFor` is shown while there are no curves.
Plot plotOf(const std::vector<TrainingPoint>& points, const QString& title, const QString& whatFor,
            double most, const std::vector<TrainingCurve>& curves) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    constexpr std::array marks{PlotMark::Disc, PlotMark::Square, PlotMark::Triangle};
    Plot plot{.nothing = whatFor, .whyNothing = TrainingPlotsWords::tr("Nothing is measured yet.")};
    std::vector<const TrainingPoint*> kept;
    for (const auto& point : points)
        if (std::ranges::any_of(
                curves, [&](const TrainingCurve& curve) { return std::isfinite(point.*curve.member); })) {
            kept.push_back(&point);
            plot.columns += QString::number(point.step);
        }
    double largest = 0;
    for (std::size_t style = 0; style < curves.size(); ++style) {
        const auto& curve = curves[style];
        PlotSeries series{.name = curve.name,
                          .ink = static_cast<int>(style),
                          .line = 1.8,
                          .dash = dashes.at(style),
                          .mark = curve.marked ? marks.at(style) : PlotMark::None,
                          .radius = 3.5};
        PlotRow row{.name = curve.name};
        for (const auto* point : kept) {
            row.points.emplace_back(static_cast<double>(point->step), curve.factor * point->*curve.member);
            if (std::isfinite(row.points.back().y())) // values are connected across steps without one
                series.points.push_back(row.points.back());
        }
        if (series.points.empty())
            continue;
        for (const QPointF& point : series.points)
            largest = std::max(largest, point.y());
        plot.series.push_back(std::move(series));
        plot.rows.push_back(std::move(row));
    }
    largest = largest > 0 ? largest * 1.05 : 1;
    plot.across = {.most = points.empty() ? 1 : std::max(1.0, static_cast<double>(points.back().step)),
                   .title = TrainingPlotsWords::tr("step")};
    plot.up = {{.most = most > 0 ? std::min(largest, most) : largest, .title = title}};
    plot.inColumns = false;
    plot.words = [rows = plot.rows, steps = plot.columns](MapCell mark) {
        const auto& row = rows[static_cast<std::size_t>(mark.row)];
        const double value = row.points[static_cast<std::size_t>(mark.column)].y();
        const QString of = TrainingPlotsWords::tr("Step %1: %2").arg(steps[mark.column], row.name);
        return std::isfinite(value) ? TrainingPlotsWords::tr("%1 %2").arg(of, numberText(value))
                                    : TrainingPlotsWords::tr("%1 not measured").arg(of);
    };
    return plot;
}

} // namespace

std::vector<Plot> trainingPlots(const std::vector<TrainingPoint>& points) {
    return {plotOf(points, TrainingPlotsWords::tr("loss, nats"),
                   TrainingPlotsWords::tr("Training and validation loss"), 0,
                   {{.name = TrainingPlotsWords::tr("training loss"),
                     .member = &TrainingPoint::loss,
                     .marked = false},
                    {.name = TrainingPlotsWords::tr("validation loss"),
                     .member = &TrainingPoint::validationLoss}}),
            plotOf(points, TrainingPlotsWords::tr("of 100"),
                   TrainingPlotsWords::tr("BLEU and accuracy of validations"), 100,
                   {{.name = TrainingPlotsWords::tr("accuracy, %"),
                     .member = &TrainingPoint::accuracy,
                     .factor = 100},
                    {.name = TrainingPlotsWords::tr("BLEU"), .member = &TrainingPoint::bleu}}),
            plotOf(points, TrainingPlotsWords::tr("entropy, bits"),
                   TrainingPlotsWords::tr("Entropy of attention at validations"), 0,
                   {{.name = TrainingPlotsWords::tr("encoder"), .member = &TrainingPoint::encoderEntropy},
                    {.name = TrainingPlotsWords::tr("decoder"), .member = &TrainingPoint::decoderEntropy},
                    {.name = TrainingPlotsWords::tr("cross"), .member = &TrainingPoint::crossEntropy}})};
}

} // namespace headscope::widgets
