#include "widgets/head_table_filter.h"

#include "widgets/captions.h"
#include "widgets/head_table_model.h"
#include "widgets/statistic_words.h"
#include "widgets/token_label.h"

#include <QRegularExpression>

#include <algorithm>

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

} // namespace

HeadTableFilter::HeadTableFilter(HeadTableModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(model);
    setSortRole(HeadTableModel::SortRole);
    setDynamicSortFilter(true);
}

void HeadTableFilter::setKind(std::optional<trace::AttentionKind> kind) {
    kind_ = kind;
    invalidateFilter();
}

void HeadTableFilter::setWords(const QString& words) {
    search_ = headSearch(words);
    words_ = search_.words.join(' ');
    invalidateFilter();
    model_->setConditions(search_.conditions);
}

void HeadTableFilter::setLeastWeight(double weight) {
    leastWeight_ = weight;
    invalidateFilter();
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
        return tr("What heads are worth was not measured yet: Analyse, Measure All Heads.");
    const QString wanted = search_.said.join(tr(" and "));
    return words_.isEmpty() ? tr("No head has %1.", "entropy < 1").arg(wanted)
                            : tr("No head that is “%1” has %2.").arg(isolated(words_), wanted);
}

QString HeadTableFilter::whyNoWords() const {
    if (!addressParts(words_).isEmpty())
        return tr("No head of this model has the address “%1”. Layers and heads count from 0.").arg(words_);
    QStringList ofRole, unknown;
    for (const QString& word : words_.split(' ', Qt::SkipEmptyParts)) {
        bool namesKind = false;
        for (const auto kind : trace::attentionKinds)
            namesKind = namesKind || kindTitle(kind).contains(word, Qt::CaseInsensitive);
        if (roleLike({word}).isEmpty() && !namesKind)
            unknown += word;
        else if (!namesKind)
            ofRole += word;
    }
    if (!unknown.isEmpty() && isStatisticName(unknown.join(' ')))
        return tr("Hold “%1” against a number: %1 < 0.5, or %1 > 0.5.").arg(unknown.join(' '));
    if (!unknown.isEmpty())
        return tr("No role or head is called “%1”.").arg(isolated(unknown.join(' ')));
    const QString role = roleLike(ofRole);
    return role.isEmpty()               ? tr("No head is “%1”.").arg(words_)
           : ofRole.join(' ') == words_ ? tr("No head has the role “%1” here.").arg(role)
                                        : tr("No head of this kind has the role “%1” here.").arg(role);
}

bool HeadTableFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const auto head = model_->head(row);
    if (kind_ && head.site.kind != *kind_)
        return false;
    if (model_->cell()) {
        const auto weight = model_->weightAtCell(head);
        if (!weight || *weight < leastWeight_)
            return false;
    }
    return meetsConditions(head) && matchesWords(model_->index(row, HeadTableModel::Head));
}

bool HeadTableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant one = left.data(HeadTableModel::SortRole);
    const QVariant other = right.data(HeadTableModel::SortRole);
    if (one.isValid() != other.isValid())
        return sortOrder() == Qt::AscendingOrder ? one.isValid() : other.isValid();
    if (one == other) // by address whichever way it is sorted
        return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace headscope::widgets
