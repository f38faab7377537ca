// What is said about the heads.
#include "widgets/map/change_marks.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/statistic_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QStringList>

#include <algorithm>

namespace headscope::widgets {

QString OverviewView::whyEmpty() const {
    if (!run_)
        return wayToARun(*this);
    return tr("Nothing of the model's attention has been computed yet: decode the sentence.");
}

QString OverviewView::caption() const {
    if (!run_ || blocks_.empty())
        return {};
    std::size_t count = 0;
    for (const auto& block : blocks_)
        count += block.count();
    QStringList sentences{
        run_->model ? tr("All %1 heads of %2.").arg(count).arg(QString::fromStdString(run_->model->name))
                    : tr("All %1 heads.").arg(count)};
    sentences += orderInWords();
    sentences +=
        tr("Each picture is a head's whole map, who looks down and what is looked at across: weights "
           "from 0 to 1, in a pixel the largest of its cells; closed cells are hatched.");
    for (const auto& block : blocks_)
        if (const QString colours = thumbnailColoursInWords(*run_, block.kind);
            !colours.isEmpty() && !sentences.contains(colours))
            sentences += colours;
    if (!tint_.isEmpty()) {
        QString name = tint_.name();
        name[0] = name[0].toUpper();
        sentences += tr("Bars: %1. %2").arg(name, tint_.caption());
    }
    if (isFilmed())
        sentences += ofWholeInWords();
    sentences.removeAll(QString());
    return sentences.join(' ');
}

/// What a film does not follow from step to step.
QString OverviewView::ofWholeInWords() const {
    QString words = tint_.ofWholeInWords();
    if (order_ == Order::Ranked && rank_.name() != tint_.name())
        words += rank_.ofWholeInWords();
    if (showsGroups())
        words += QChar(' ') + tr("Groups are those of the whole decoding, the same at every step.");
    return words.trimmed();
}

QString OverviewView::orderInWords() const {
    if (order_ == Order::Model)
        return tr("Layers down, heads across, counted from 0.");
    if (order_ == Order::Grouped)
        return groupsInWords();
    return rank_.isEmpty()
               ? tr("There is no %1 to order by yet.").arg(rank_.name())
               : tr("In order of %1 within each kind, the highest first; numbers at the left are ranks. %2")
                     .arg(rank_.name(), rank_.name() == tint_.name() ? QString() : rank_.caption())
                     .trimmed();
}

QString OverviewView::groupsInWords() const {
    if (comparing_)
        return (grouping_ ? tr("Comparing all heads with each other: %1 %; until then in the groups before.")
                          : tr("Comparing all heads with each other: %1 %."))
            .arg(static_cast<int>(*comparing_ * 100));
    if (!grouping_)
        return tr("The heads are compared once decoding has come to its end.");
    QStringList counts;
    for (const auto& [kind, groups] : grouping_->kinds)
        counts += tr("%1: groups %2, heads alone %3")
                      .arg(kindTitle(kind))
                      .arg(groups.alike.size())
                      .arg(groups.alone.size());
    return tr("Heads of one kind that look alike stand together: average linkage of the mean Jensen-Shannon "
              "divergence of rows (0 the same, 1 nothing in common) below %1. %2.")
               .arg(QString::number(grouping_->threshold, 'f', 2), counts.join(tr("; "))) +
           (grouping_->everyRow > 1
                ? ' ' + tr("Of maps this long one row in %1 is compared.").arg(grouping_->everyRow)
                : QString());
}

std::vector<QString> OverviewView::clusterCaptions(std::size_t block, std::size_t cluster) const {
    const auto& shown = blocks_[block];
    if (!showsGroups() || comparing_)
        return {};
    const auto& heads = shown.clusters[cluster].heads;
    if (const auto found = grouping_->kinds.find(shown.kind); found != grouping_->kinds.end())
        for (const auto& group : found->second.alike)
            if (group.heads == heads)
                return groupCaptions(group);
    return aloneCaptions(heads.size());
}

QString OverviewView::groupInWords(const trace::HeadAddress& head) const {
    if (!showsGroups() || comparing_)
        return {};
    const auto found = grouping_->kinds.find(head.site.kind);
    if (found == grouping_->kinds.end())
        return {};
    for (const auto& group : found->second.alike)
        if (std::ranges::find(group.heads, head) != group.heads.end())
            return tr("Of these %1").arg(groupCaptions(group).front());
    return tr("In no group of heads that look alike.");
}

/// Of the status bar.
QString OverviewView::headInALine(const trace::HeadAddress& head) const {
    QStringList parts{QString::fromStdString(trace::toString(head))};
    if (const auto role = roles_.find(head); role != roles_.end() && !role->second.isEmpty())
        parts += role->second;
    if (const auto* value = tint_.of(head))
        parts += value->words;
    if (const auto* value = rank_.of(head); value && order_ == Order::Ranked && rank_.name() != tint_.name())
        parts += value->words;
    return parts.join(QStringLiteral("   "));
}

QString OverviewView::headDescription(const trace::HeadAddress& head) const {
    QStringList lines{tr("%1 (counted from 0)").arg(QString::fromStdString(trace::toString(head))),
                      headCaption(*run_, head, Quantity::Weights) +
                          markInWords(headMark(run_->request.interventions, head))};
    if (const QString colours = thumbnailLimitInWords(thumbnailLimit(*run_, head, thumbnails_.tile(head)));
        !colours.isEmpty())
        lines += colours;
    if (const auto role = roles_.find(head); role != roles_.end() && !role->second.isEmpty())
        lines += tr("Role: %1. %2").arg(role->second, rolesInGeneral());
    if (const auto* value = tint_.of(head))
        lines += value->words;
    if (const auto* value = rank_.of(head); value && order_ == Order::Ranked && rank_.name() != tint_.name())
        lines += value->words;
    if (const QString group = groupInWords(head); !group.isEmpty())
        lines += group;
    if (const auto pin = selection_->pinOf(head))
        lines += tr("Pinned, as number %1.").arg(*pin);
    return lines.join('\n');
}

FigureText OverviewView::figureText() const {
    if (!hasFigure())
        return {};
    QStringList quantities{quantityName(Quantity::Weights), tint_.isEmpty() ? QString() : tint_.name()};
    quantities.removeAll(QString());
    return {.title = tr("Overview"),
            .caption = caption(),
            .provenance = provenance(*run_),
            .quantity = quantities.join(QStringLiteral(", "))};
}

} // namespace headscope::widgets
