#include "widgets/tables/head_table_filter.h"

#include "widgets/drawing/token_label.h"
#include "widgets/tables/head_table_model.h"
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

/// "cross 2" as {"cross", "2"}; empty where the words are no beginning of an address.
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

HeadTableFilter::HeadTableFilter(HeadTableModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(model);
    setSortRole(HeadTableModel::SortRole);
    setDynamicSortFilter(true);
    connect(model, &QAbstractItemModel::modelReset, this, &HeadTableFilter::refilter);
    connect(model, &QAbstractItemModel::dataChanged, this, &HeadTableFilter::refilter);
}

/// No search for a role ends with nothing to look at.
void HeadTableFilter::refilter() {
    std::vector<trace::HeadAddress> nearest;
    nearness_.clear();
    for (const auto& [nearness, head] : nearestHeads()) {
        nearness_.push_back(nearness);
        nearest.push_back(head);
    }
    if (std::exchange(nearest_, nearest) != nearest)
        invalidate(); // they stand in an order of their own
    else
        invalidateFilter();
}

/// To the role that is searched; empty where none is, or heads have it.
std::vector<std::pair<double, trace::HeadAddress>> HeadTableFilter::nearestHeads() const {
    const auto wanted = wantedRole();
    if (!wanted)
        return {};
    for (int row = 0; row < model_->rowCount(); ++row)
        if (isHit(row))
            return {};
    constexpr std::size_t most = 5;
    std::vector<std::pair<double, trace::HeadAddress>> near;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const auto head = model_->head(row);
        const QString kind = kindTitle(head.site.kind);
        const bool isOfKinds = std::ranges::all_of(
            wanted->kinds, [&](const QString& word) { return kind.contains(word, Qt::CaseInsensitive); });
        const auto nearness = wanted->role.nearness(*model_->of(head));
        if (nearness && isOfKinds && isOffered(head) && meetsConditions(head))
            near.emplace_back(*nearness, head);
    }
    std::ranges::stable_sort(near, std::greater(), &std::pair<double, trace::HeadAddress>::first);
    near.resize(std::min(near.size(), most));
    return near;
}

void HeadTableFilter::setKind(std::optional<trace::AttentionKind> kind) {
    kind_ = kind;
    refilter();
}

void HeadTableFilter::setWords(const QString& words) {
    search_ = headSearch(words);
    words_ = search_.words.join(' ');
    refilter();
    model_->setConditions(search_.conditions);
}

void HeadTableFilter::setLeastWeight(double weight) {
    leastWeight_ = weight;
    refilter();
}

bool HeadTableFilter::matchesWords(const QModelIndex& index) const {
    if (const QStringList wanted = addressParts(words_); !wanted.isEmpty()) {
        const auto has = index.data(Qt::DisplayRole).toString().split('.');
        return std::equal(wanted.begin(), wanted.end(), has.begin());
    }
    const QString said = index.data(HeadTableModel::SearchRole).toString().toLower();
    return std::ranges::all_of(words_.split(' ', Qt::SkipEmptyParts),
                               [&](const QString& word) { return said.contains(word); });
}

bool HeadTableFilter::meetsConditions(const trace::HeadAddress& head) const {
    const auto* known = model_->of(head);
    const auto number = [&](const HeadCondition& condition) {
        return condition.statistic ? known->values[*condition.statistic] : model_->importanceOf(head);
    };
    return search_.mistake.isEmpty() && known &&
           std::ranges::all_of(search_.conditions, [&](const HeadCondition& condition) {
               return condition.holdsFor(number(condition));
           });
}

QString HeadTableFilter::whyNone() const {
    if (!search_.mistake.isEmpty())
        return search_.mistake;
    bool anyIsCalledSo = false;
    bool anyImportance = false;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (kind_ && model_->head(row).site.kind != *kind_)
            continue;
        const bool isCalledSo = matchesWords(model_->index(row, HeadTableModel::Head));
        if (isCalledSo && meetsConditions(model_->head(row)))
            return {};
        anyIsCalledSo = anyIsCalledSo || isCalledSo;
        anyImportance = anyImportance || model_->importanceOf(model_->head(row));
    }
    if (!anyIsCalledSo)
        return whyNoWords();
    const bool asksImportance = !std::ranges::all_of(
        search_.conditions, [](const HeadCondition& condition) { return condition.statistic.has_value(); });
    if (asksImportance && !anyImportance)
        return tr("Head importance was not measured yet: Analyse, Measure Head Importance.");
    const QString wanted = search_.said.join(tr(" and "));
    return words_.isEmpty() ? tr("No head has %1.", "entropy < 1").arg(wanted)
                            : tr("No “%1” head has %2.").arg(isolated(words_), wanted);
}

QString HeadTableFilter::whyNoWords() const {
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
    if (!nearest_.empty()) {
        QStringList heads;
        for (std::size_t i = 0; i < nearest_.size(); ++i)
            heads += tr("%1 %2", "encoder.1.7 58 %").arg(address(nearest_[i]), shareInWords(nearness_[i]));
        return tr("%1 No head meets this condition. Nearest, as a share of it: %2.")
            .arg(needs, heads.join(QStringLiteral(", ")));
    }
    return model_->cell()
               ? tr("%1 Only heads of the chosen cell are searched: “All Heads” searches the others.")
                     .arg(needs)
               : tr("%1 None of the heads searched can have that role.").arg(needs);
}

std::optional<HeadTableFilter::WantedRole> HeadTableFilter::wantedRole() const {
    QStringList ofRole, kinds;
    for (const QString& word : words_.split(' ', Qt::SkipEmptyParts))
        (namesKind(word) ? kinds : ofRole) += word;
    const auto role = search_.mistake.isEmpty() ? roleLike(ofRole) : std::nullopt;
    return role ? std::optional(WantedRole{.role = *role, .kinds = kinds}) : std::nullopt;
}

/// Whatever is searched by words.
bool HeadTableFilter::isOffered(const trace::HeadAddress& head) const {
    if (kind_ && head.site.kind != *kind_)
        return false;
    const auto weight = model_->cell() ? model_->weightAtCell(head) : std::nullopt;
    return !model_->cell() || (weight && *weight >= leastWeight_);
}

bool HeadTableFilter::isHit(int row) const {
    const auto head = model_->head(row);
    return isOffered(head) && meetsConditions(head) && matchesWords(model_->index(row, HeadTableModel::Head));
}

bool HeadTableFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    return nearest_.empty() ? isHit(row) : std::ranges::find(nearest_, model_->head(row)) != nearest_.end();
}

bool HeadTableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (!nearest_.empty() && sortColumn() == HeadTableModel::Head && sortOrder() == Qt::AscendingOrder) {
        const auto place = [this](const QModelIndex& index) {
            return std::ranges::find(nearest_, model_->head(index.row()));
        };
        return place(left) < place(right);
    }
    const QVariant one = left.data(HeadTableModel::SortRole);
    const QVariant other = right.data(HeadTableModel::SortRole);
    if (one.isValid() != other.isValid())
        return sortOrder() == Qt::AscendingOrder ? one.isValid() : other.isValid();
    if (one == other) // by address whichever way it is sorted
        return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace headscope::widgets
