#include "widgets/views/importance/importance_model.h"

#include "widgets/words/captions.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/plain_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::widgets {

namespace {

/// A comparison with NaN would be no order: below all others, like what is not known.
double comparable(std::optional<double> value) {
    return !value || std::isnan(*value) ? -std::numeric_limits<double>::infinity() : *value;
}

} // namespace

void ImportanceModel::setScores(std::vector<analysis::HeadScore> scores, std::size_t tokens) {
    beginResetModel();
    scores_ = std::move(scores);
    tokens_ = tokens;
    analysis::rankByImportance(scores_);
    limit_ = std::max(analysis::largestImportance(scores_), analysis::leastImportance);
    fillRows();
    endResetModel();
}

void ImportanceModel::setTwinScores(const std::optional<std::vector<analysis::HeadScore>>& scores) {
    if (!scores && !hasTwin_)
        return;
    beginResetModel();
    hasTwin_ = scores.has_value();
    twin_.clear();
    if (scores)
        for (const auto& score : *scores)
            twin_[score.head] = score.importance;
    fillRows();
    endResetModel();
}

std::optional<double> ImportanceModel::twinOf(const trace::HeadAddress& head) const {
    const auto found = twin_.find(head);
    return found == twin_.end() ? std::nullopt : std::optional(found->second);
}

void ImportanceModel::setKind(std::optional<trace::AttentionKind> kind) {
    beginResetModel();
    kind_ = kind;
    fillRows();
    endResetModel();
}

void ImportanceModel::sort(int column, Qt::SortOrder order) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList kept = persistentIndexList();
    std::vector<std::size_t> places;
    for (const QModelIndex& index : kept)
        places.push_back(rows_[static_cast<std::size_t>(index.row())]);
    sortColumn_ = column;
    sortOrder_ = order;
    fillRows();
    for (qsizetype i = 0; i < kept.size(); ++i) {
        const auto row = std::ranges::find(rows_, places[static_cast<std::size_t>(i)]) - rows_.begin();
        changePersistentIndex(kept[i], index(static_cast<int>(row), kept[i].column()));
    }
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void ImportanceModel::fillRows() {
    rows_.clear();
    for (std::size_t place = 0; place < scores_.size(); ++place)
        if (!kind_ || scores_[place].head.site.kind == *kind_)
            rows_.push_back(place);
    const auto before = [&](std::size_t one, std::size_t other) {
        switch (sortColumn_) {
        case Head:
            return scores_[one].head < scores_[other].head;
        case Divergence:
            return comparable(scores_[one].divergence) < comparable(scores_[other].divergence);
        case Twin:
            return comparable(twinOf(scores_[one].head)) < comparable(twinOf(scores_[other].head));
        case Rank:
            return one < other;
        default: // by importance, of which the rank is the falling order
            return one > other;
        }
    };
    std::ranges::stable_sort(rows_, [&](std::size_t one, std::size_t other) {
        return sortOrder_ == Qt::AscendingOrder ? before(one, other) : before(other, one);
    });
}

std::optional<int> ImportanceModel::rowOf(const trace::HeadAddress& head) const {
    const auto row =
        std::ranges::find_if(rows_, [&](std::size_t place) { return scores_[place].head == head; });
    return row == rows_.end() ? std::nullopt : std::optional(static_cast<int>(row - rows_.begin()));
}

int ImportanceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ImportanceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString ImportanceModel::text(int row, int column) const {
    const auto& score = scoreOf(row);
    switch (column) {
    case Rank:
        return QString::number(rows_[static_cast<std::size_t>(row)] + 1);
    case Head:
        return QString::fromStdString(trace::toString(score.head));
    case Importance:
        return signedNumberText(score.importance);
    case Twin: {
        const auto twin = twinOf(score.head);
        return twin ? signedNumberText(*twin) : QStringLiteral("\u2013");
    }
    case Divergence:
        return numberText(score.divergence);
    default:
        return {};
    }
}

QString ImportanceModel::words(int row) const {
    const auto& score = scoreOf(row);
    const QString own = scoreInWords(score, static_cast<int>(rows_[static_cast<std::size_t>(row)]) + 1);
    const auto twin = twinOf(score.head);
    return twin ? tr("%1; in the random twin %2 nats").arg(own, signedNumberText(*twin)) : own;
}

QVariant ImportanceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    const auto& score = scoreOf(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() == Head ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return words(row);
    case Qt::ToolTipRole: {
        QString tip = words(row);
        if (model_)
            tip += '\n' + headTitle(*model_, score.head);
        if (tokens_ > 1)
            tip += tr("\n%1 nats per token")
                       .arg(signedNumberText(score.importance / static_cast<double>(tokens_)));
        return plainToolTip(tip + tr("\nDouble click: switch it off or on"));
    }
    case ValueRole:
        return score.importance;
    case LimitRole:
        return limit_;
    default:
        return {};
    }
}

QVariant ImportanceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    struct Title {
        QString name;
        QString tip;
    };
    const auto title = [section]() -> Title {
        switch (section) {
        case Rank:
            return {tr("#", "rank"), tr("Rank by importance among all heads; click to sort")};
        case Head:
            return {tr("Head"), tr("Kind, layer and head; click to sort")};
        case Bar:
            return {tr("hurts | helps"), tr("Importance: right of 0 the head helps, left of 0 it hurts")};
        case Importance:
            return {tr("Nats"), tr("Log-probability lost when the head is removed; click to sort")};
        case Twin:
            return {tr("Twin"), tr("The same in a random twin that reads the same output; click to sort")};
        default:
            return {tr("KL"), tr("Divergence of the distribution without the head from the original one, "
                                 "KL(original || head off), nats; click to sort")};
        }
    };
    if (orientation != Qt::Horizontal)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return title().name;
    case Qt::ToolTipRole:
        return title().tip;
    case Qt::TextAlignmentRole:
        return int((section == Head  ? Qt::AlignLeft
                    : section == Bar ? Qt::AlignHCenter
                                     : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::InitialSortOrderRole: // the largest first
        return int(section == Rank || section == Head ? Qt::AscendingOrder : Qt::DescendingOrder);
    default:
        return {};
    }
}

} // namespace headscope::widgets
