// The page of the temperature where it shows many heads, or some rows of one whose map is long.
#include "widgets/counts_later.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/scale/heads_temperature_pictures.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/words/captions.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

bool ScaleView::showsHeads() const {
    return page() == Page::Temperature && (scope() != ScoreScope::Head || isLong());
}

/// Nothing blinks, as of the other pages.
const ScaleAnswer* ScaleView::knownHeads() const {
    return heads_ && run_ && heads_->question.run->model == run_->model ? &*heads_ : nullptr;
}

bool ScaleView::areHeadsChosen() const {
    if (!heads_)
        return false;
    auto asks = questionInSight();
    asks.temperature = heads_->question.temperature;
    return heads_->question == asks;
}

QWidget* ScaleView::headsPage() {
    auto* page = new QWidget(this);
    headsGrid_ = new QGridLayout(page);
    headsGrid_->setContentsMargins(0, 0, 0, 0);
    return page;
}

void ScaleView::connectHeads() {
    for (ReadablePlot* plot : {entropiesPlot_, hardPlot_})
        connect(plot, &ReadablePlot::markChosen, this, [this](MapCell mark) {
            if (const auto* answer = knownHeads())
                selection_->setHead(answer->heads[static_cast<std::size_t>(mark.column)].head);
        });
    connect(curvesPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto* answer = knownHeads();
        if (!answer)
            return;
        const auto& [head, curve] = answer->curves[static_cast<std::size_t>(mark.row)];
        const double chosen = curve.temperatures[static_cast<std::size_t>(mark.column)];
        selection_->setHead(head);
        setTemperature(chosen);
    });
}

void ScaleView::fitHeads(bool isNarrow) {
    headsGrid_->addWidget(entropiesPlot_, 0, 0);
    headsGrid_->addWidget(hardPlot_, 1, 0);
    headsGrid_->addWidget(curvesPlot_, isNarrow ? 2 : 0, isNarrow ? 0 : 1, isNarrow ? 1 : 2, 1);
    for (int row = 0; row < 3; ++row)
        headsGrid_->setRowStretch(row, row == 0 ? 3 : row == 1 ? 2 : isNarrow ? 3 : 0);
    headsGrid_->setColumnStretch(0, 3);
    headsGrid_->setColumnStretch(1, isNarrow ? 0 : 2);
}

/// While a slider is dragged the marks stay those of the temperature that is counted, and the words say so.
void ScaleView::showHeads() {
    const auto [entropies, hard, curves] = headsPictures(selection_->head());
    entropiesPlot_->setPicture(entropies);
    hardPlot_->setPicture(hard);
    curvesPlot_->setPicture(curves);
    caption_->setText(caption());
}

std::array<std::shared_ptr<const PlotPicture>, 3>
ScaleView::headsPictures(std::optional<trace::HeadAddress> chosen) const {
    const auto& answer = *knownHeads();
    using Shown = HeadsPicture::Shown;
    return {std::make_shared<HeadsPicture>(answer.heads, Shown::Entropy, chosen),
            std::make_shared<HeadsPicture>(answer.heads, Shown::Hard, chosen),
            std::make_shared<HeadCurvesPicture>(answer.curves, answer.question.temperature, chosen)};
}

void ScaleView::drawHeads(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const auto draw = [&](const PlotPicture& picture, const QRectF& part) {
        painter.save();
        painter.setFont(font());
        picture.draw(painter, part, font(), theme);
        painter.restore();
    };
    const auto [entropies, hard, curves] =
        headsPictures(figureParts().marks ? std::optional(selection_->head()) : std::nullopt);
    const QRectF left = area.adjusted(0, 0, -area.width() * 0.4 - 6, 0);
    draw(*entropies, left.adjusted(0, 0, 0, -area.height() * 0.4 - 6));
    draw(*hard, left.adjusted(0, area.height() * 0.6 + 6, 0, 0));
    draw(*curves, area.adjusted(area.width() * 0.6 + 6, 0, 0, 0));
}

QString ScaleView::headsCaption() const {
    const auto& answer = *knownHeads();
    const auto& question = answer.question;
    const auto& model = *question.run->model;
    const QString whose = question.scope == ScoreScope::Head ? headTitle(model, question.head)
                          : question.scope == ScoreScope::Layer
                              ? tr("%1, all heads").arg(layerTitle(model, question.head.site))
                              : tr("All %1 heads").arg(widgets::headsOf(question).size());
    QString words =
        tr("%1: softmax(score / %2). The entropy of each head's rows, from the least to the largest, with "
           "the "
           "mean as a mark and even attention as a stroke; below it the mean weight of the key that hard "
           "attention looks at, which is 1 where soft attention is as hard; beside them the mean entropy "
           "over "
           "the temperature.")
            .arg(ofModel(model, whose), axisNumber(question.temperature));
    const auto heads = widgets::headsOf(question);
    const auto rows = analysis::rowsLookedAt(*question.run, heads);
    if (std::ranges::any_of(answer.heads, [rows](const auto& head) { return head.allRows > rows; }))
        words += QChar(' ') + tr("Of a head with more than %1 rows, %1 that stand evenly among them, because "
                                 "all of them are too many to wait for.")
                                  .arg(rows);
    words += QChar(' ') + tr("Rows of padding and those with a single open key do not count. Each head by "
                             "itself: nothing after it is computed again.");
    if (isRefused())
        return words + QChar(' ') + refusal_;
    if (!areHeadsChosen())
        words += QChar(' ') + (question.run != run_ ? tr("Of the run before.") + QChar(' ') : QString()) +
                 tr("What is chosen now is being counted: %1.").arg(shareInWords(shareCounted_));
    else if (temperature_ != question.temperature)
        words += QChar(' ') + tr("Temperature %1 is being counted.").arg(axisNumber(temperature_));
    return words;
}

trace::FigureData ScaleView::headsData() const {
    const auto& answer = *knownHeads();
    const auto name = [](const trace::HeadAddress& head) {
        return QString::fromStdString(trace::toString(head));
    };
    QStringList heads;
    std::vector<double> rows, allRows, least, mean, most, even, hard;
    for (const auto& head : answer.heads) {
        heads += name(head.head);
        rows.push_back(static_cast<double>(head.rows));
        allRows.push_back(static_cast<double>(head.allRows));
        least.push_back(head.least);
        mean.push_back(head.mean);
        most.push_back(head.most);
        even.push_back(head.even);
        hard.push_back(head.hard);
    }
    QStringList curveHeads;
    std::vector<double> temperatures, bits;
    for (const auto& [head, curve] : answer.curves)
        for (std::size_t i = 0; i < curve.temperatures.size(); ++i) {
            curveHeads += name(head);
            temperatures.push_back(curve.temperatures[i]);
            bits.push_back(curve.entropies[i]);
        }
    const std::vector<double> at(answer.heads.size(), answer.question.temperature);
    return {.tables = {{.name = "heads",
                        .columns = {dataColumn("head", heads), dataColumn("temperature", at),
                                    dataColumn("rows", rows), dataColumn("all_rows", allRows),
                                    dataColumn("least_bits", least), dataColumn("mean_bits", mean),
                                    dataColumn("most_bits", most), dataColumn("even_bits", even),
                                    dataColumn("hard_key_weight", hard)}},
                       {.name = "entropy",
                        .columns = {dataColumn("head", curveHeads), dataColumn("temperature", temperatures),
                                    dataColumn("bits", bits)}}}};
}

} // namespace headscope::widgets
