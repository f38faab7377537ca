#include "widgets/views/candidates/candidate_columns.h"

#include "widgets/words/captions.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::widgets {

double CandidateRows::sum(std::size_t row) const {
    return before + static_cast<double>(candidates.at(row).logProbability);
}

bool CandidateRows::areOnePosition() const {
    return !areReplaced && std::ranges::adjacent_find(positions, std::not_equal_to()) == positions.end();
}

std::optional<int> CandidateRows::chosenRow() const {
    for (int row = 0; row < count(); ++row)
        if (candidates[row].token.id == chosen)
            return row;
    return std::nullopt;
}

QString CandidateColumns::certainty(double labelSmoothing) {
    if (labelSmoothing <= 0)
        return {};
    return tr("Trained with label smoothing %1: the training target was a probability of about %2.")
        .arg(labelSmoothing)
        .arg(1 - labelSmoothing);
}

TableContent CandidateColumns::content(const CandidateRows& rows) {
    const auto number = [](double value) { return numberText(value); };
    TableColumn rank{
        .title = tr("Rank"), .atRight = true, .dropped = 1, .sample = QStringLiteral("\u25CF 10")};
    rank.hidden = rows.areReplaced;
    TableColumn token{.title = rows.areClasses ? tr("Class") : tr("Token")};
    TableColumn probability{.title = rows.areReplaced ? tr("Replaced") : tr("Probability"),
                            .toolTip = rows.areReplaced ? tr("Probability that the token was replaced")
                                                        : certainty(rows.labelSmoothing),
                            .write = number};
    TableColumn sum{.title = tr("\u03a3 log-prob."),
                    .toolTip = tr("Log-probability of the target so far with this token"),
                    .write = number,
                    .hidden = !rows.areOfStep(),
                    .dropped = 2};
    TableColumn bar{.bars = TableColumn::Bars::Alone,
                    .fromLeft = true,
                    .longest = 1,
                    .dropped = 3,
                    .sample = QStringLiteral("xxxxxx")};
    std::vector<TokenLabel> labels;
    for (const auto& candidate : rows.candidates)
        labels.push_back(tokenLabel(candidate.token));
    const auto chosen = rows.chosenRow();
    TableColumn position{.title = tr("Position"),
                         .toolTip = tr("Index of the token in the text, from 0"),
                         .atRight = true,
                         .hidden = rows.areOnePosition()};
    int first = 0; // row of the best token of a mask
    for (int row = 0; row < rows.count(); ++row) {
        const std::size_t place = row;
        if (!rows.positions.empty()) {
            position.texts += QString::number(rows.positions[place]);
            if (rows.positions[place] != rows.positions[first])
                first = row;
        }
        const int number = row - first + 1;
        rank.texts += row == chosen ? QStringLiteral("\u25CF %1").arg(number) : QString::number(number);
        // Tokens that differ in their space alone are told apart.
        TokenLabel label = labels[place];
        label.isMarkNeeded = std::ranges::any_of(labels, [&](const TokenLabel& other) {
            return other.text == label.text && other.mark != label.mark;
        });
        token.tokens.push_back(std::move(label));
        probability.numbers.emplace_back(
            std::exp(static_cast<double>(rows.candidates[place].logProbability)));
        sum.numbers.emplace_back(rows.sum(place));
    }
    bar.numbers = probability.numbers;
    TableContent content{.columns = {rank, token, probability, sum, bar}};
    if (!rows.positions.empty())
        content.columns.insert(content.columns.begin(), position);
    content.toolTip = [rows, labels, chosen](int row, int) {
        const auto& candidate = rows.candidates[row];
        if (rows.areReplaced)
            return tr("%1, id %2").arg(exactly(labels[row])).arg(candidate.token.id);
        return tr("%1, id %2, log-probability %3%4")
            .arg(exactly(labels[row]), QString::number(candidate.token.id),
                 numberText(candidate.logProbability), row == chosen ? tr("; chosen") : QString());
    };
    content.words = [labels, chosen, rows, ranks = rank.texts, numbers = probability.numbers](int row) {
        const std::size_t place = row;
        if (rows.areReplaced)
            return tr("position %1: %2, replaced with probability %3")
                .arg(rows.positions[place])
                .arg(quoted(labels[place]), numberText(*numbers[place]));
        if (!rows.positions.empty())
            return tr("position %1, rank %2: %3, probability %4")
                .arg(rows.positions[place])
                .arg(ranks[row], quoted(labels[place]), numberText(*numbers[place]));
        return tr("rank %1: %2, probability %3%4")
            .arg(row + 1)
            .arg(quoted(labels[place]), numberText(*numbers[place]),
                 row == chosen ? tr(", chosen") : QString());
    };
    return content;
}

} // namespace headscope::widgets
