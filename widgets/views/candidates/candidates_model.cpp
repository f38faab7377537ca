#include "widgets/drawing/token_label.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

void CandidatesModel::setCandidates(std::vector<trace::Candidate> candidates,
                                    std::optional<std::int64_t> chosen, double before) {
    beginResetModel();
    before_ = before;
    candidates_ = std::move(candidates);
    chosen_ = chosen;
    endResetModel();
}

int CandidatesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(candidates_.size());
}

int CandidatesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double CandidatesModel::sum(std::size_t row) const {
    return before_ + static_cast<double>(candidates_.at(row).logProbability);
}

QString CandidatesModel::text(std::size_t row, int column) const {
    const trace::Candidate& candidate = candidates_[row];
    switch (column) {
    case Rank:
        return candidate.token.id == chosen_ ? QStringLiteral("\u25CF %1").arg(row + 1)
                                             : QString::number(row + 1);
    case Piece:
        return tokenLabel(candidate.token).full();
    case Probability:
        return numberText(std::exp(static_cast<double>(candidate.logProbability)));
    case Sum:
        return numberText(sum(row));
    default:
        return {};
    }
}

TokenLabel CandidatesModel::label(std::size_t row) const {
    TokenLabel label = tokenLabel(candidates_[row].token);
    label.isMarkNeeded = std::ranges::any_of(candidates_, [&](const trace::Candidate& other) {
        const TokenLabel its = tokenLabel(other.token);
        return its.text == label.text && its.mark != label.mark;
    });
    return label;
}

QVariant CandidatesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const trace::Candidate& candidate = candidates_[row];
    const bool chosen = candidate.token.id == chosen_;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Piece ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                       : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return plainToolTip(
            tr("%1, id %2, log-probability %3%4")
                .arg(exactly(tokenLabel(candidate.token)), QString::number(candidate.token.id),
                     numberText(candidate.logProbability), chosen ? tr("; chosen") : QString()));
    case Qt::AccessibleTextRole:
        return tr("rank %1: %2, probability %3%4")
            .arg(row + 1)
            .arg(quoted(tokenLabel(candidate.token)), text(row, Probability),
                 chosen ? tr(", chosen") : QString());
    case ProbabilityRole:
        return std::exp(static_cast<double>(candidate.logProbability));
    case ChosenRole:
        return chosen;
    case TokenIdRole:
        return QVariant::fromValue<qint64>(candidate.token.id);
    case TokenDelegate::labelRole:
        return index.column() == Piece ? QVariant::fromValue(label(row)) : QVariant();
    default:
        return {};
    }
}

QVariant CandidatesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section != Piece)
        return int(Qt::AlignRight | Qt::AlignVCenter); // as its numbers
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole)
        return section == Probability ? certaintyInWords(labelSmoothing_)
               : section == Sum       ? tr("Log-probability of the target so far with this token")
                                      : QString();
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Rank:
        return tr("Rank");
    case Piece:
        return areClasses_ ? tr("Class") : tr("Token");
    case Probability:
        return tr("Probability");
    case Sum:
        return tr("\u03a3 log-prob.");
    default:
        return QString();
    }
}

QString certaintyInWords(double labelSmoothing) {
    if (labelSmoothing <= 0)
        return {};
    return CandidatesModel::tr(
               "Trained with label smoothing %1: the training target was a probability of about %2.")
        .arg(labelSmoothing)
        .arg(1 - labelSmoothing);
}

} // namespace headscope::widgets
