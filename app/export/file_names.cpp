#include "app/export/file_names.h"

#include "app/export/shown_picture.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/scale/scale_view.h"

#include <QStringList>

namespace headscope::app {

namespace {

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

/// Of a random twin, which one.
void addTwin(QStringList& parts, const widgets::FigureSource& figure) {
    const auto* map = dynamic_cast<const widgets::HeatmapView*>(&figure);
    if (map && map->run() && map->run()->request.randomTwin)
        parts += QStringLiteral("twin-%1").arg(*map->run()->request.randomTwin);
}

/// Whose scores are counted; of the variances, those of all.
QString ofScale(const widgets::ScaleView& view, const trace::HeadAddress& head) {
    if (view.page() == widgets::ScaleView::Page::Variance || view.scope() == widgets::ScoreScope::Model)
        return {};
    return text(view.scope() == widgets::ScoreScope::Head ? trace::toString(head)
                                                          : trace::toString(head.site));
}

/// The heads or the site that it is of.
QStringList headsOf(const widgets::FigureSource& figure, const trace::HeadAddress& head) {
    const auto* compared = dynamic_cast<const widgets::ComparedHeads*>(&figure);
    if (compared && !compared->heads().empty()) {
        QStringList all;
        for (const auto& each : compared->heads())
            all += text(trace::toString(each));
        return all;
    }
    if (const auto* scale = dynamic_cast<const widgets::ScaleView*>(&figure))
        return {ofScale(*scale, head)};
    if (dynamic_cast<const widgets::CompareView*>(&figure))
        return {text(trace::toString(head))};
    return figure.figureText().head.split(QStringLiteral(", "));
}

/// One of them, as the window counts them.
QString stepOf(const widgets::FigureSource& figure, int step) {
    const auto* candidates = dynamic_cast<const widgets::CandidatesView*>(&figure);
    const bool isOfStep =
        (candidates && !candidates->hasClasses()) || dynamic_cast<const widgets::AttributionView*>(&figure);
    return isOfStep ? QStringLiteral("step-%1").arg(step + 1) : QString();
}

} // namespace

QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection) {
    const auto shown = seenView(figure, selection);
    if (!shown)
        return figure.figureText().title;
    QStringList parts{text(shown->view), text(shown->page)};
    if (shown->view == "heatmap" && shown->quantity != PictureOptions().quantity)
        parts += text(shown->quantity);
    parts += headsOf(figure, selection.head());
    addTwin(parts, figure);
    if (shown->view == "arithmetic" && shown->cell)
        parts += QStringLiteral("%1-%2").arg(shown->cell->first).arg(shown->cell->second);
    parts += stepOf(figure, selection.step());
    for (const auto& [choice, value] : shown->choices) // such as what was trained
        parts += text(choiceText(value));
    parts.removeAll(QString());
    return parts.join('-');
}

} // namespace headscope::app
