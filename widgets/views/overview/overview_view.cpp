#include "widgets/views/overview/overview_view.h"

#include "model/analysis/scores/score_spread.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/statistic_words.h"

#include <QFontMetrics>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

/// Returns null if the head is in no group.
const analysis::HeadGroup* groupOf(const HeadGrouping& grouping, const trace::HeadAddress& head) {
    const auto kind = grouping.kinds.find(head.site.kind);
    if (kind == grouping.kinds.end())
        return nullptr;
    for (const auto& group : kind->second.alike)
        if (std::ranges::find(group.heads, head) != group.heads.end())
            return &group;
    return nullptr;
}

/// The place of every head within its kind; for heads in order, the number that decides it; for groups, the
/// index among those of the kind and the mean divergence, NaN for heads in no group.
trace::DataTable orderTable(const std::vector<TileBlock>& blocks, const HeadTint* rank,
                            const HeadGrouping* grouping) {
    QStringList heads;
    std::vector<double> places, ranked, groups, divergences;
    for (const auto& block : blocks) {
        int place = 0;
        for (const auto& cluster : block.clusters)
            for (const auto& head : cluster.heads) {
                heads += address(head);
                places.push_back(place++);
                const auto* number = rank ? rank->of(head) : nullptr;
                ranked.push_back(number ? number->number : noNumber);
                groups.push_back(noNumber);
                divergences.push_back(noNumber);
                if (const auto* group = grouping ? groupOf(*grouping, head) : nullptr) {
                    groups.back() = static_cast<double>(group - grouping->kinds.at(block.kind).alike.data());
                    divergences.back() = group->divergence;
                }
            }
    }
    trace::DataTable table{.name = "order",
                           .columns = {dataColumn("head", heads), dataColumn("place", places)}};
    if (rank)
        table.columns.push_back(dataColumn(rank->name().toStdString(), ranked));
    if (grouping) {
        table.columns.push_back(dataColumn("group", groups));
        table.columns.push_back(dataColumn("mean_divergence", divergences));
    }
    return table;
}

} // namespace

OverviewView::OverviewView(Selection* selection, QWidget* parent) : TileGrid(selection, parent) {
    setAccessibleName(tr("Grid of all heads"));
}

void OverviewView::setOrder(Order order) {
    order_ = order;
    arrange();
}

void OverviewView::orderAsInTheModel() {
    setOrder(Order::Model);
}

void OverviewView::orderBy(HeadTint tint) {
    rank_ = std::move(tint);
    setOrder(Order::Ranked);
}

void OverviewView::orderByGroups(std::optional<HeadGrouping> grouping) {
    grouping_ = std::move(grouping);
    setOrder(Order::Grouped);
}

void OverviewView::setComparing(std::optional<double> progress) {
    comparing_ = progress;
    if (order_ == Order::Grouped)
        arrange();
}

void OverviewView::setRoles(std::map<trace::HeadAddress, QString> roles) {
    roles_ = std::move(roles);
    describe();
}

TileArrangement OverviewView::arranged() const {
    const auto heads = analysis::headsOf(*run());
    TileArrangement all{.blocks = showsGroups()             ? blocksInGroups(heads, *grouping_)
                                  : order_ == Order::Ranked ? blocksInOrder(heads, rank_)
                                                            : blocksAsInTheModel(run()->model.get(), heads),
                        .named = order_ != Order::Model};
    if (comparing_) // the groups are those of another run
        for (auto& block : all.blocks)
            for (auto& cluster : block.clusters)
                cluster.captions.clear();
    return all;
}

void OverviewView::describe() {
    TileGrid::describe();
    const auto head = headLookedAt();
    Q_EMIT headDescribed(head ? headInALine(*head) : QString());
}

trace::FigureData OverviewView::figureData() const {
    auto data = TileGrid::figureData();
    if (hasFigure() && (order_ == Order::Ranked || showsGroups()))
        data.tables.push_back(orderTable(arrangement().blocks, order_ == Order::Ranked ? &rank_ : nullptr,
                                         showsGroups() ? &*grouping_ : nullptr));
    return data;
}

QSize OverviewView::figureSize() const {
    constexpr QSize whole(1120, 800);
    return whole - QSize(0, heightSaved(whole.width()));
}

/// As low as pictures of some lines of words are, or the largest of so narrow a page. Groups are named above
/// their pictures, which takes the room of the page.
QSize OverviewView::narrowFigure(int width) const {
    constexpr double lines = 2.5;
    const QSize usual = figureSize();
    if (!hasFigure() || showsGroups() || width >= usual.width())
        return usual;
    const QFontMetrics metrics(font());
    int side = static_cast<int>(lines * metrics.height());
    if (order_ != Order::Model) // each is named below its picture
        for (const auto& head : tileLayout().heads())
            side = std::max(side, metrics.horizontalAdvance(shortAddress(head)));
    return lowestFigure(width, side);
}

QString OverviewView::purpose() const {
    return tr("Shows every head of the model as a small map, by kind.");
}

QString OverviewView::whyEmpty() const {
    return tr("No attention has been computed yet: decode the sentence.");
}

QString OverviewView::caption() const {
    if (!hasFigure())
        return {};
    const auto count = tileLayout().tiles.size();
    QStringList sentences{
        run()->model ? tr("All %1 heads of %2.").arg(count).arg(QString::fromStdString(run()->model->name))
                     : tr("All %1 heads.").arg(count)};
    sentences += orderInWords();
    sentences += tr("Each small map shows a whole head, queries down and keys across: weights from 0 to 1, "
                    "the largest cell per pixel; masked cells are hatched.");
    for (const auto& block : arrangement().blocks)
        if (const QString colours = thumbnailColoursInWords(*run(), block.kind);
            !colours.isEmpty() && !sentences.contains(colours))
            sentences += colours;
    sentences += sharingInWords();
    if (!tint().isEmpty())
        sentences += tr("Bars: %1. %2").arg(capitalised(tint().name()), tint().caption());
    if (isAnimated())
        sentences += ofWholeInWords();
    sentences.removeAll(QString());
    return sentences.join(' ');
}

/// What an animation does not follow from step to step.
QString OverviewView::ofWholeInWords() const {
    QString words = tint().ofWholeInWords();
    if (order_ == Order::Ranked && rank_.name() != tint().name())
        words += rank_.ofWholeInWords();
    if (showsGroups())
        words +=
            QChar(' ') + tr("The groups are based on the whole decoding and are the same at every step.");
    return words.trimmed();
}

QString OverviewView::orderInWords() const {
    if (order_ == Order::Model)
        return tr("Layers down, heads across.");
    if (order_ == Order::Grouped)
        return groupsInWords();
    return rank_.isEmpty()
               ? tr("The chosen order is not available yet.")
               : tr("Sorted by %1 within each kind, highest first; numbers at the left are ranks. %2")
                     .arg(rank_.name(), rank_.name() == tint().name() ? QString() : rank_.caption())
                     .trimmed();
}

QString OverviewView::groupsInWords() const {
    if (comparing_)
        return (grouping_ ? tr("Comparing all heads: %1 %. The previous groups are shown until then.")
                          : tr("Comparing all heads: %1 %."))
            .arg(static_cast<int>(*comparing_ * 100));
    if (!grouping_)
        return tr("The heads are compared when decoding is complete.");
    QStringList counts;
    for (const auto& [kind, groups] : grouping_->kinds)
        counts += tr("%1: groups %2, heads alone %3")
                      .arg(kindTitle(kind))
                      .arg(groups.alike.size())
                      .arg(groups.alone.size());
    return tr("Similar heads of one kind are grouped: average linkage of the mean Jensen-Shannon divergence "
              "of rows (0 the same, 1 nothing in common) below %1. %2.")
               .arg(QString::number(grouping_->threshold, 'f', 2), counts.join(tr("; "))) +
           (grouping_->everyRow > 1
                ? ' ' + tr("In maps this long, one row in %1 is compared.").arg(grouping_->everyRow)
                : QString());
}

QString OverviewView::groupInWords(const trace::HeadAddress& head) const {
    if (!showsGroups() || comparing_ || !grouping_->kinds.contains(head.site.kind))
        return {};
    const auto* group = groupOf(*grouping_, head);
    return group ? tr("One of %1").arg(groupCaptions(*group).front()) : tr("In no group of similar heads.");
}

QString OverviewView::roleOf(const trace::HeadAddress& head) const {
    const auto role = roles_.find(head);
    return role == roles_.end() ? QString() : role->second;
}

QString OverviewView::rankInWords(const trace::HeadAddress& head) const {
    const auto* value = rank_.of(head);
    return value && order_ == Order::Ranked && rank_.name() != tint().name() ? value->words : QString();
}

/// For the status bar.
QString OverviewView::headInALine(const trace::HeadAddress& head) const {
    const auto* value = tint().of(head);
    QStringList parts{address(head), roleOf(head), value ? value->words : QString(), rankInWords(head)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("   "));
}

QStringList OverviewView::headInWords(const trace::HeadAddress& head) const {
    const auto* value = tint().of(head);
    const QString role = roleOf(head);
    QStringList lines = TileGrid::headInWords(head);
    lines += {role.isEmpty() ? QString() : tr("Role: %1. %2").arg(role, rolesInGeneral()),
              value ? value->words : QString(), rankInWords(head), groupInWords(head)};
    lines.removeAll(QString());
    return lines;
}

FigureText OverviewView::figureText() const {
    return figureTextOf(tr("Grid of all heads"));
}

std::optional<PictureOptions> OverviewView::picture(PictureOptions options) const {
    return ofView(std::move(options), "overview");
}

bool OverviewView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    const ChoiceValue importance = std::string("importance");
    if (!isChosen(chosen, "overview", "tint", importance) &&
        !isChosen(chosen, "overview", "order", importance))
        for (const char* choice : {"importance-of", "ablation", "ablation-sentence"})
            picture.choices.erase(choice);
    return true;
}

} // namespace headscope::widgets
