#include "widgets/views/compare/change_columns.h"

#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

TableContent ChangeColumns::content(const std::vector<analysis::HeadChange>& changes, bool nearest) {
    using analysis::HeadChange;
    const QString widest = QStringLiteral("encoder.00.00");
    TableColumn head{
        .title = tr("Head"), .toolTip = tr("The head of A"), .smallestFirst = true, .sample = widest};
    TableColumn other{.title = tr("Nearest in B"),
                      .toolTip = tr("The head of B with the smallest mean divergence from it"),
                      .smallestFirst = true,
                      .hidden = !nearest,
                      .sample = widest};
    for (const HeadChange& change : changes) {
        const auto& [site, number] = change.other;
        head.order.emplace_back(head.texts.size());
        head.texts += address(change.head);
        other.order.emplace_back((static_cast<int>(site.kind) * 1000 + site.layer) * 1000.0 + number);
        other.texts += address(change.other);
    }
    const auto numbers = [&](const QString& title, const QString& toolTip, auto&& value,
                             QString (*write)(double)) {
        TableColumn column{.title = title, .toolTip = toolTip, .write = write};
        for (const HeadChange& change : changes) {
            column.numbers.emplace_back(value(change));
            column.order.emplace_back(std::abs(value(change))); // by size, whatever the sign
        }
        return column;
    };
    const bool anyUnmatched = std::ranges::any_of(changes, [](const HeadChange& change) {
        return change.firstOutside > 0 || change.secondOutside > 0;
    });
    TableContent content;
    content.columns = {
        head,
        other,
        numbers(
            tr("Divergence"),
            tr("Mean Jensen-Shannon divergence of the aligned rows, base 2, 0 to 1. A row's weight on "
               "all unmatched keys counts as one key."),
            [](const HeadChange& change) { return change.divergence; }, preciseText),
        numbers(
            tr("Largest change"), tr("The cell that changed most: weight in B minus weight in A"),
            [](const HeadChange& change) { return change.largest; }, signedNumberText),
        numbers(
            tr("Entropy change"),
            tr("Mean change of a row's entropy in bits, over all of its own keys. Above 0: B is more spread "
               "out."),
            [](const HeadChange& change) { return change.entropyChange; }, signedNumberText),
        numbers(
            tr("Unmatched in A"), tr("Mean weight of A's rows on unmatched keys"),
            [](const HeadChange& change) { return change.firstOutside; }, preciseText),
        numbers(
            tr("Unmatched in B"), tr("Mean weight of B's rows on unmatched keys"),
            [](const HeadChange& change) { return change.secondOutside; }, preciseText),
        numbers(
            tr("Rows"), tr("Compared pairs of rows, except rows with a single allowed key"),
            [](const HeadChange& change) { return static_cast<double>(change.rows); }, wholeText)};
    for (const Column column : {FirstUnmatched, SecondUnmatched})
        content.columns[column].hidden = !anyUnmatched;
    for (int column = Largest; column <= Rows; ++column)
        content.columns[static_cast<std::size_t>(column)].dropped = column; // from the right
    for (const HeadChange& change : changes)
        content.heads.push_back(change.head);
    return content;
}

} // namespace headscope::widgets
