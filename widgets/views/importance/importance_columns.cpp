#include "widgets/views/importance/importance_columns.h"

#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"

#include <algorithm>

namespace headscope::widgets {

double ImportanceRows::limit() const {
    return std::max(analysis::largestImportance(scores), analysis::leastImportance);
}

TableContent ImportanceColumns::content(const ImportanceRows& rows) {
    using Bars = TableColumn::Bars;
    const QString widest = QStringLiteral("+00.0000");
    TableColumn rank{.title = tr("#", "rank"),
                     .toolTip = tr("Rank by importance among all heads; click to sort"),
                     .write = wholeText,
                     .smallestFirst = true};
    TableColumn head{.title = tr("Head"),
                     .toolTip = tr("Kind, layer and head; click to sort"),
                     .sample = QStringLiteral("cross.0.0")};
    TableColumn importance{
        .title = rows.areNumbers ? tr("Number") : tr("Nats"),
        .toolTip = rows.areNumbers ? tr("What the prediction loses when the head is removed; click to sort")
                                   : tr("Log-probability lost when the head is removed; click to sort"),
        .write = signedNumberText,
        .bars = Bars::UnderIfNoRoom,
        .longest = rows.limit(),
        .sample = widest};
    TableColumn twin{.title = tr("Twin"),
                     .toolTip =
                         tr("The same loss in a random twin that reads the same output; click to sort"),
                     .write = signedNumberText,
                     .hidden = !rows.twin.has_value(),
                     .sample = widest};
    TableColumn divergence{.title = tr("KL"),
                           .toolTip = tr("Divergence of the distribution without the head from the original "
                                         "one, KL(original || head off), nats; click to sort"),
                           .write = [](double value) { return numberText(value); },
                           .hidden = rows.areNumbers,
                           .dropped = 1,
                           .sample = widest};
    std::vector<int> listed;
    for (const auto& score : rows.scores) {
        const int place = head.rows();
        if (!rows.kind || score.head.site.kind == *rows.kind)
            listed.push_back(place);
        rank.numbers.emplace_back(place + 1);
        head.texts += address(score.head);
        importance.numbers.emplace_back(score.importance);
        divergence.numbers.emplace_back(score.divergence);
        twin.numbers.emplace_back();
        if (!rows.twin)
            continue;
        const auto same = std::ranges::find(*rows.twin, score.head, &analysis::HeadScore::head);
        if (same != rows.twin->end())
            twin.numbers.back() = same->importance;
    }
    TableContent content{.listed = listed};
    for (const auto& score : rows.scores)
        content.heads.push_back(score.head);
    auto byAddress = content.heads;
    std::ranges::sort(byAddress);
    for (const auto& each : content.heads)
        head.order.emplace_back(std::ranges::lower_bound(byAddress, each) - byAddress.begin());
    TableColumn bar = importance;
    bar.title = rows.areNumbers ? tr("lowers | raises") : tr("hurts | helps");
    bar.toolTip = rows.areNumbers
                      ? tr("Importance: right of 0 the head raises the prediction, left of 0 it lowers it")
                      : tr("Importance: right of 0 the head helps, left of 0 it hurts");
    bar.bars = Bars::Alone;
    bar.dropped = 2;
    bar.sample.clear();
    content.words = [scores = rows.scores, numbers = twin.numbers, areNumbers = rows.areNumbers](int row) {
        const auto place = static_cast<std::size_t>(row);
        const QString own = scoreInWords(scores[place], row + 1, areNumbers);
        const QString beside =
            areNumbers ? tr("%1; in the random twin %2") : tr("%1; in the random twin %2 nats");
        return numbers[place] ? beside.arg(own, signedNumberText(*numbers[place])) : own;
    };
    content.toolTip = [words = content.words, rows](int row, int) {
        const auto& score = rows.scores[static_cast<std::size_t>(row)];
        QString tip = words(row);
        if (rows.model)
            tip += '\n' + headTitle(*rows.model, score.head);
        if (rows.tokens > 1 && !rows.areNumbers)
            tip += tr("\n%1 nats per token")
                       .arg(signedNumberText(score.importance / static_cast<double>(rows.tokens)));
        return tip + tr("\nDouble-click: switch it off or on");
    };
    content.columns = {rank, head, bar, importance, twin, divergence};
    return content;
}

} // namespace headscope::widgets
