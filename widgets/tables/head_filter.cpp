#include "widgets/tables/head_filter.h"

#include "widgets/drawing/token_label.h"
#include "widgets/tables/known_heads.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QRegularExpression>

#include <algorithm>
#include <functional>
#include <utility>

namespace headscope::widgets {

namespace {

const QRegularExpression& separators() {
    static const QRegularExpression separators(QStringLiteral("[\\s.]+"));
    return separators;
}

/// "cross 2" as {"cross", "2"}; empty if the words are not the beginning of an address.
QStringList addressParts(const QString& words) {
    static const QRegularExpression address(
        QStringLiteral("^(encoder|decoder|cross)([\\s.]+\\d+){0,2}[\\s.]*$"));
    return address.match(words).hasMatch() ? words.split(separators(), Qt::SkipEmptyParts) : QStringList();
}

bool namesKind(const QString& word) {
    return std::ranges::any_of(trace::attentionKinds, [&](const trace::AttentionKind kind) {
        return kindTitle(kind).contains(word, Qt::CaseInsensitive);
    });
}

} // namespace

void HeadFilter::setWords(const QString& words) {
    search_ = headSearch(words);
    search_.words.replaceInStrings(QStringLiteral("aligning"), QStringLiteral("aligns")); // as it was called
    words_ = search_.words.join(' ');
}

HeadFilter::Listed HeadFilter::listed(const KnownHeads& heads) const {
    Listed listed;
    for (int place = 0; place < heads.count(); ++place)
        if (isOffered(heads, place) && meetsConditions(heads, place) && matchesWords(heads, place))
            listed.places.push_back(place);
    // If no head has the role, the nearest heads are listed.
    const auto near = listed.places.empty() ? nearest(heads) : std::vector<Nearest>();
    listed.whyNone = whyNone(heads, near);
    listed.areNearest = !near.empty();
    for (const Nearest& head : near)
        listed.places.push_back(head.place);
    return listed;
}

/// Returns the heads nearest to the searched role; empty if no role is searched.
std::vector<HeadFilter::Nearest> HeadFilter::nearest(const KnownHeads& heads) const {
    const auto wanted = wantedRole();
    if (!wanted)
        return {};
    constexpr std::size_t most = 5;
    std::vector<Nearest> near;
    for (int place = 0; place < heads.count(); ++place) {
        const QString kind = kindTitle(heads.head(place).site.kind);
        const bool isOfKinds = std::ranges::all_of(
            wanted->kinds, [&](const QString& word) { return kind.contains(word, Qt::CaseInsensitive); });
        const auto nearness = wanted->role.nearness(heads.statistics()[place]);
        if (nearness && isOfKinds && isOffered(heads, place) && meetsConditions(heads, place))
            near.push_back({.nearness = *nearness, .place = place});
    }
    std::ranges::stable_sort(near, std::greater(), &Nearest::nearness);
    near.resize(std::min(near.size(), most));
    return near;
}

bool HeadFilter::matchesWords(const KnownHeads& heads, int place) const {
    const QString name = address(heads.head(place));
    if (const QStringList wanted = addressParts(words_); !wanted.isEmpty()) {
        const auto has = name.split('.');
        return std::equal(wanted.begin(), wanted.end(), has.begin());
    }
    const QString said =
        QString("%1 %2 %3").arg(name, kindTitle(heads.head(place).site.kind), heads.roles(place)).toLower();
    return std::ranges::all_of(words_.split(' ', Qt::SkipEmptyParts),
                               [&](const QString& word) { return said.contains(word); });
}

bool HeadFilter::meetsConditions(const KnownHeads& heads, int place) const {
    const auto& known = heads.statistics()[place];
    const auto number = [&](const HeadCondition& condition) {
        return condition.statistic ? known.values[*condition.statistic] : heads.importanceOf(known.head);
    };
    return search_.mistake.isEmpty() &&
           std::ranges::all_of(search_.conditions, [&](const HeadCondition& condition) {
               return condition.holdsFor(number(condition));
           });
}

QString HeadFilter::whyNone(const KnownHeads& heads, const std::vector<Nearest>& nearest) const {
    if (!search_.mistake.isEmpty())
        return search_.mistake;
    bool anyIsCalledSo = false;
    bool anyImportance = false;
    for (int place = 0; place < heads.count(); ++place) {
        if (kind_ && heads.head(place).site.kind != *kind_)
            continue;
        const bool isCalledSo = matchesWords(heads, place);
        if (isCalledSo && meetsConditions(heads, place))
            return {};
        anyIsCalledSo = anyIsCalledSo || isCalledSo;
        anyImportance = anyImportance || heads.importanceOf(heads.head(place));
    }
    if (!anyIsCalledSo)
        return whyNoWords(heads, nearest);
    const bool asksImportance = !std::ranges::all_of(
        search_.conditions, [](const HeadCondition& condition) { return condition.statistic.has_value(); });
    if (asksImportance && !anyImportance)
        return tr("Head importance has not been measured yet: choose Analyse, Measure Head Importance.");
    const QString wanted = search_.conditionTexts.join(tr(" and "));
    return words_.isEmpty() ? tr("No head has %1.", "entropy < 1").arg(wanted)
                            : tr("No “%1” head has %2.").arg(isolated(words_), wanted);
}

QString HeadFilter::whyNoWords(const KnownHeads& heads, const std::vector<Nearest>& nearest) const {
    if (!addressParts(words_).isEmpty())
        return tr("No head of this model has the address “%1”. Layers and heads count from 0.").arg(words_);
    QStringList unknown;
    for (const QString& word : words_.split(' ', Qt::SkipEmptyParts))
        if (!roleLike({word}) && !namesKind(word))
            unknown += word;
    if (!unknown.isEmpty() && isStatisticName(unknown.join(' ')))
        return tr("Compare “%1” with a number: %1 < 0.5, or %1 > 0.5.").arg(unknown.join(' '));
    if (!unknown.isEmpty())
        return tr("No role or head is called “%1”.").arg(isolated(unknown.join(' ')));
    const auto wanted = wantedRole();
    if (!wanted)
        return tr("No head is “%1”.").arg(words_);
    const QString needs =
        tr("The role “%1” needs %2.", "sink, at least 50 %").arg(wanted->role.name, wanted->role.needs);
    if (!nearest.empty()) {
        QStringList near;
        for (const Nearest& head : nearest)
            near +=
                tr("%1 has %2", "encoder.1.7 has 58 %")
                    .arg(address(heads.head(head.place)), wanted->role.has(heads.statistics()[head.place]));
        return tr("No head has this role; the nearest: %1. %2").arg(near.join(QStringLiteral(", ")), needs);
    }
    return heads.cell()
               ? tr("%1 Only heads of the chosen cell are searched: “All Heads” searches the others.")
                     .arg(needs)
               : tr("%1 None of the searched heads can have this role.").arg(needs);
}

std::optional<HeadFilter::WantedRole> HeadFilter::wantedRole() const {
    QStringList ofRole, kinds;
    for (const QString& word : words_.split(' ', Qt::SkipEmptyParts))
        (namesKind(word) ? kinds : ofRole) += word;
    const auto role = search_.mistake.isEmpty() ? roleLike(ofRole) : std::nullopt;
    return role ? std::optional(WantedRole{.role = *role, .kinds = kinds}) : std::nullopt;
}

/// Ignores the search words.
bool HeadFilter::isOffered(const KnownHeads& heads, int place) const {
    const auto head = heads.head(place);
    if (kind_ && head.site.kind != *kind_)
        return false;
    const auto weight = heads.cell() ? heads.weightAtCell(head) : std::nullopt;
    return !heads.cell() || (weight && *weight >= leastWeight_);
}

} // namespace headscope::widgets
