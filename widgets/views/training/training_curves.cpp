#include "widgets/views/training/training_curves.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/views/places.h"
#include "widgets/views/training/training_plots.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

using trace::TrainingPoint;

View* views::makers::training(Selection*, QWidget* parent) {
    return new TrainingCurves(parent);
}

TrainingCurves::TrainingCurves(QWidget* parent) : View(parent), caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Curves of the training"));
    setMinimumWidth(280);
    caption_->setAlignment(Qt::AlignTop);
    for (const QString& name : {tr("Losses over the steps"), tr("Accuracy and BLEU over the steps"),
                                tr("Entropies over the steps")}) {
        auto* plot = new ReadablePlot(name, this);
        connect(plot, &ReadablePlot::markDescribed, this, &View::cellDescribed);
        plots_.push_back(plot);
    }
    refresh();
}

void TrainingCurves::showPicture(const PictureOptions& options) {
    if (const auto name = options.choices.find("name"); name != options.choices.end())
        training_.name = std::get<std::string>(name->second);
}

void TrainingCurves::refresh() {
    training_ = context().document->training.value_or(trace::TrainingLog());
    auto plots = trainingPlots(training_.points);
    for (std::size_t i = 0; i < plots_.size(); ++i) {
        plots_[i]->setPicture(std::make_shared<DrawnPlot>(std::move(plots[i])));
        plots_[i]->setVisible(hasFigure());
    }
    caption_->setText(caption());
    caption_->setVisible(hasFigure());
    place();
    update();
}

QString TrainingCurves::caption() const {
    if (!hasFigure())
        return {};
    const bool hasLoss = std::ranges::any_of(
        training_.points, [](const TrainingPoint& point) { return std::isfinite(point.loss); });
    const QString words =
        tr("Accuracy: share of tokens, or texts, predicted correctly. BLEU: 13a, greedy. Entropy: mean over "
           "rows of weights, heads and layers, in the first 20 validation examples.");
    return !hasLoss ? words
                    : tr("Loss per target token, or per text. Training: with dropout and smoothed labels, "
                         "mean since the previous line of the log. Validation: without them. %1")
                          .arg(words);
}

/// Minimum width of a chart with its legend and numbers.
double TrainingCurves::leastWidth() const {
    return std::max(230.0, 14.0 * fontMetrics().height());
}

/// Side by side if there is room, else below each other.
std::vector<QRectF> TrainingCurves::areas(const QRectF& whole) const {
    constexpr double gap = 8;
    const auto n = static_cast<double>(plots_.size());
    const bool beside = whole.width() >= n * leastWidth() && whole.width() > 1.5 * whole.height();
    std::vector<QRectF> areas;
    for (double i = 0; i < n; ++i) {
        const double wide = (whole.width() - (n - 1) * gap) / n;
        const double high = (whole.height() - (n - 1) * gap) / n;
        areas.push_back(beside ? QRectF(whole.left() + i * (wide + gap), whole.top(), wide, whole.height())
                               : QRectF(whole.left(), whole.top() + i * (high + gap), whole.width(), high));
    }
    return areas;
}

void TrainingCurves::place() {
    const int below = hasFigure() ? caption_->heightForWidth(width() - 8) + 8 : 0;
    const auto n = static_cast<int>(plots_.size());
    const int lines = width() >= n * leastWidth() ? 12 : 9 * n; // the parent scrolls if this is too high
    setMinimumHeight(hasFigure() ? lines * fontMetrics().height() + below : 0);
    const auto places = areas(QRectF(rect()).adjusted(0, 0, 0, -below));
    for (std::size_t i = 0; i < plots_.size(); ++i)
        plots_[i]->setGeometry(places[i].toRect());
    caption_->setGeometry(4, height() - below + 4, width() - 8, std::max(0, below - 4));
}

void TrainingCurves::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void TrainingCurves::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        place();
}

void TrainingCurves::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (hasFigure())
        return;
    painter.setFont(font());
    if (training_.name.empty())
        drawEmptyState(painter, rect(),
                       tr("Shows loss, accuracy, BLEU and attention entropy during training."),
                       tr("Choose a task and press Train."), theme);
    else
        drawEmptyState(painter, rect(), tr("No step of this training is logged."), {}, theme);
}

std::optional<FigureBlocks> TrainingCurves::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    constexpr double usual = 976;
    const double least = leastWidth(), low = std::max(396.0, 16.0 * fontMetrics().height());
    std::vector<FigureBlock> columns, rows;
    for (auto& plot : trainingPlots(training_.points)) {
        const auto picture = std::make_shared<DrawnPlot>(std::move(plot));
        columns.push_back(plotBlock(picture, font(), [=](double width) { return QSizeF(width, low); }));
        rows.push_back(plotBlock(picture, font(), shaped(plotShape, least)));
    }
    return FigureBlocks{.picture = eitherOf(beside(columns, {1, 1, 1}), stacked(rows)),
                        .font = font(),
                        .width = std::max(usual, 3 * least + 24)};
}

FigureText TrainingCurves::figureText() const {
    return {.title = tr("Training of %1").arg(QString::fromStdString(training_.name)),
            .caption = caption(),
            .provenance = QString::fromStdString(training_.name),
            .head = {},
            .quantity = {}};
}

trace::FigureData TrainingCurves::figureData() const {
    if (!hasFigure())
        return {};
    trace::DataTable table{.name = "training", .columns = {}};
    const auto add = [&](const char* title, auto&& number) {
        std::vector<double> values;
        for (const auto& point : training_.points)
            values.push_back(static_cast<double>(number(point)));
        table.columns.push_back({.title = title, .values = std::move(values)});
    };
    add("step", [](const TrainingPoint& point) { return point.step; });
    for (const auto& [title, member] : trace::trainingColumns)
        add(title, [member = member](const TrainingPoint& point) { return point.*member; });
    return {.arrays = {}, .tables = {std::move(table)}};
}

std::optional<PictureOptions> TrainingCurves::picture(PictureOptions) const {
    auto picture = ofTheWhole("training-curves");
    if (training_.name != trace::trainingName(training_.path)) // else it follows from the path of the log
        picture.choices["name"] = training_.name;
    return picture;
}

bool TrainingCurves::exportChoices(PictureOptions&, const Choices&) const {
    return !training_.path.empty();
}

} // namespace headscope::widgets
