#include "widgets/tables/head_table_model.h"

#include "model/analysis/maps/recomputed_map.h"
#include "widgets/words/captions.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/statistic_words.h"

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

using analysis::Statistic;

constexpr int importanceDecimals = 4;
constexpr std::array columns{Statistic::Entropy,     Statistic::Confidence, Statistic::Distance,
                             Statistic::Diagonal,    Statistic::Previous,   Statistic::Next,
                             Statistic::First,       Statistic::Last,       Statistic::End,
                             Statistic::Punctuation, Statistic::Monotony};

} // namespace

std::optional<Statistic> HeadTableModel::statisticAt(int column) {
    const int place = column - FirstStatistic;
    return place >= 0 && place < int(columns.size()) ? std::optional(columns[static_cast<std::size_t>(place)])
                                                     : std::nullopt;
}

void HeadTableModel::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    refresh();
}

void HeadTableModel::setStatistics(std::vector<analysis::HeadStatistics> heads) {
    const bool isSame = std::ranges::equal(heads, heads_, {}, &analysis::HeadStatistics::head,
                                           &analysis::HeadStatistics::head);
    if (!isSame)
        beginResetModel();
    heads_ = std::move(heads);
    roles_.clear();
    for (const auto& head : heads_)
        roles_.push_back(rolesText(head));
    if (isSame)
        refresh();
    else
        endResetModel();
}

void HeadTableModel::setTwin(const std::vector<analysis::HeadStatistics>& heads) {
    twin_.clear();
    for (const auto& head : heads)
        twin_.emplace(head.head, head);
    refresh();
}

void HeadTableModel::setImportance(const std::vector<analysis::HeadScore>& scores) {
    importance_.clear();
    for (const auto& score : scores)
        importance_[score.head] = score.importance;
    refresh();
}

void HeadTableModel::setCell(std::optional<WatchedCell> cell) {
    cell_ = cell;
    refresh();
}

void HeadTableModel::setConditions(std::vector<HeadCondition> conditions) {
    if (conditions == conditions_)
        return;
    conditions_ = std::move(conditions);
    refresh();
}

/// The heads are the same, their numbers are others: what is selected and where one has scrolled to stays.
void HeadTableModel::refresh() {
    if (!heads_.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const analysis::HeadStatistics* HeadTableModel::of(const trace::HeadAddress& head) const {
    const auto row = rowOf(head);
    return row ? &heads_[static_cast<std::size_t>(*row)] : nullptr;
}

const analysis::HeadStatistics* HeadTableModel::twinOf(const trace::HeadAddress& head) const {
    const auto found = twin_.find(head);
    return found == twin_.end() ? nullptr : &found->second;
}

std::optional<double> HeadTableModel::importanceOf(const trace::HeadAddress& head) const {
    const auto found = importance_.find(head);
    return found == importance_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> HeadTableModel::weightAtCell(const trace::HeadAddress& head) const {
    if (!cell_ || !run_ || head.site.kind != cell_->kind || cell_->query < 0 || cell_->key < 0)
        return std::nullopt;
    const auto* record = run_->record(head.site);
    const auto query = static_cast<std::size_t>(cell_->query);
    const auto key = static_cast<std::size_t>(cell_->key);
    if (!record || query >= record->queries() || key >= record->keys() || !record->isOpen(query, key))
        return std::nullopt;
    return analysis::weightAt(*record, static_cast<std::size_t>(head.head), query, key);
}

std::optional<int> HeadTableModel::rowOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(heads_, head, &analysis::HeadStatistics::head);
    return found == heads_.end() ? std::nullopt : std::optional(static_cast<int>(found - heads_.begin()));
}

int HeadTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(heads_.size());
}

int HeadTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FirstStatistic + static_cast<int>(columns.size());
}

std::optional<double> HeadTableModel::number(int row, int column) const {
    if (column == Head)
        return row; // they stand by address
    if (column == Here)
        return weightAtCell(head(row));
    if (column == Importance)
        return importanceOf(head(row));
    const auto statistic = statisticAt(column);
    return statistic ? heads_[static_cast<std::size_t>(row)].values[*statistic] : std::nullopt;
}

QString HeadTableModel::text(int row, int column) const {
    if (column == Head)
        return QString::fromStdString(trace::toString(head(row)));
    if (column == Role)
        return roles_[static_cast<std::size_t>(row)];
    const auto value = number(row, column);
    return value ? numberText(*value, column) : statisticText(value);
}

QString HeadTableModel::numberText(double value, int column) const {
    const auto statistic = statisticAt(column);
    if (!statistic && column != Importance)
        return statisticText(value);
    const int fewest = statistic ? statisticDecimals : importanceDecimals;
    int decimals = fewest;
    for (const auto& condition : conditions_)
        if (condition.statistic == statistic)
            decimals = std::max(decimals, condition.decimalsFor(value, fewest));
    if (statistic)
        return statisticText(value, decimals);
    return decimals == fewest
               ? signedNumberText(value)
               : (value > 0 ? QStringLiteral("+") : QString()) + statisticText(value, decimals);
}

QString HeadTableModel::tip(int row, int column) const {
    const auto& statistics = heads_[static_cast<std::size_t>(row)];
    const auto* twin = twinOf(statistics.head);
    QString words = text(row, Head);
    if (run_ && run_->model)
        words += '\n' + headTitle(*run_->model, statistics.head);
    if (const auto statistic = statisticAt(column)) {
        words += tr("\n%1: %2").arg(statisticTip(*statistic), text(row, column));
        if (const auto& even = statistics.uniform[*statistic])
            words += tr("\nUniform attention: %1").arg(statisticText(even));
        if (twin)
            words += tr("\nRandom twin: %1").arg(statisticText(twin->values[*statistic]));
        return words;
    }
    for (const auto& role : analysis::rolesOf(statistics))
        words += '\n' + roleInWords(role, twin);
    if (const QString breadth = breadthInWords(statistics, twin); !breadth.isEmpty())
        words += '\n' + breadth;
    return words + tr("\n%1 rows, %2").arg(statistics.rows).arg(scopeText(statistics));
}

QVariant HeadTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(tip(row, index.column()));
    case Qt::TextAlignmentRole:
        return int((index.column() <= Role ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole: {
        if (index.column() == Role)
            return text(row, Role).isEmpty() ? QVariant() : text(row, Role);
        const auto value = number(row, index.column());
        return value ? QVariant(*value) : QVariant();
    }
    case SearchRole:
        return QString("%1 %2 %3").arg(text(row, Head), kindTitle(head(row).site.kind), text(row, Role));
    case KindRole:
        return static_cast<int>(head(row).site.kind);
    default:
        return {};
    }
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto statistic = statisticAt(section);
    switch (role) {
    case Qt::DisplayRole:
        return statistic               ? statisticTitle(*statistic)
               : section == Head       ? tr("Head")
               : section == Role       ? tr("Role")
               : section == Importance ? tr("Importance")
                                       : tr("Weight");
    case Qt::ToolTipRole:
        return tr("%1; click to sort")
            .arg(statistic               ? statisticTip(*statistic)
                 : section == Head       ? tr("Kind, layer and head, counted from 0")
                 : section == Role       ? tr("Role of the head with its number. %1").arg(rolesInGeneral())
                 : section == Importance ? tr("Log-probability lost when the head is removed, nats")
                                         : tr("Attention weight of the chosen cell"));
    case Qt::TextAlignmentRole:
        return int((section <= Role ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::InitialSortOrderRole: // the largest first
        return int(section <= Role ? Qt::AscendingOrder : Qt::DescendingOrder);
    default:
        return {};
    }
}

} // namespace headscope::widgets
