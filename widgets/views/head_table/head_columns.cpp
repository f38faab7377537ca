#include "widgets/views/head_table/head_columns.h"

#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/statistic_words.h"

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

using analysis::Statistic;

constexpr int importanceDecimals = 4;
constexpr std::array listedStatistics{Statistic::Entropy,
                                      Statistic::Confidence,
                                      Statistic::Distance,
                                      Statistic::Diagonal,
                                      Statistic::Previous,
                                      Statistic::Next,
                                      Statistic::First,
                                      Statistic::Last,
                                      Statistic::End,
                                      Statistic::Punctuation,
                                      Statistic::Monotony,
                                      Statistic::DuplicateToken,
                                      Statistic::Induction,
                                      Statistic::FirstReadsSecond,
                                      Statistic::SecondReadsFirst};

/// Nothing: importance.
QString numberWords(double value, std::optional<Statistic> statistic,
                    const std::vector<HeadCondition>& conditions) {
    const int fewest = statistic ? statisticDecimals : importanceDecimals;
    int decimals = fewest;
    for (const auto& condition : conditions)
        if (condition.statistic == statistic)
            decimals = std::max(decimals, condition.decimalsFor(value, fewest));
    if (statistic)
        return statisticText(value, decimals);
    return decimals == fewest
               ? signedNumberText(value)
               : (value > 0 ? QStringLiteral("+") : QString()) + statisticText(value, decimals);
}

bool isEmpty(const TableColumn& column, const std::vector<int>& listed) {
    return std::ranges::none_of(listed, [&](int row) { return numberAt(column, row).has_value(); });
}

} // namespace

TableColumn HeadColumns::numberColumn(const KnownHeads& known, const std::vector<HeadCondition>& conditions,
                                      std::optional<Statistic> statistic) {
    TableColumn column{
        .title = statistic ? statisticTitle(*statistic) : tr("Importance"),
        .toolTip = statistic ? statisticTip(*statistic)
                   : known.run() && known.run()->answerKind() == trace::AnswerKind::Numbers
                       ? tr("What the predicted number loses when the head is removed")
                       : tr("Log-probability lost when the head is removed, nats"),
        .write = [statistic, conditions](double value) { return numberWords(value, statistic, conditions); }};
    for (const auto& head : known.statistics())
        column.numbers.push_back(statistic ? head.values[*statistic] : known.importanceOf(head.head));
    return column;
}

TableContent HeadColumns::content(const KnownHeads& known, const HeadFilter::Listed& listed,
                                  const std::vector<HeadCondition>& conditions) {
    TableContent content{.listed = listed.places, .isOwnOrder = listed.areNearest};
    TableColumn head{.title = tr("Head"),
                     .toolTip = tr("Kind, layer and head, counted from 0"),
                     .smallestFirst = true,
                     .sample = QStringLiteral("encoder.00.00")};
    TableColumn role{.title = tr("Role"),
                     .toolTip = tr("Role of the head with its number. %1").arg(rolesInGeneral())};
    TableColumn here{.title = tr("Weight"),
                     .toolTip = tr("Attention weight of the chosen cell"),
                     .write = [](double value) { return statisticText(value); }};
    for (int place = 0; place < known.count(); ++place) {
        content.heads.push_back(known.head(place));
        head.texts += address(known.head(place));
        head.order.emplace_back(place); // statistics are by address
        role.texts += known.roles(place);
        here.numbers.push_back(known.weightAtCell(known.head(place)));
    }
    content.columns = {head, role, here, numberColumn(known, conditions, std::nullopt)};
    for (const Statistic statistic : listedStatistics)
        content.columns.push_back(numberColumn(known, conditions, statistic));
    for (std::size_t column = 0; column < content.columns.size(); ++column) {
        auto& each = content.columns[column];
        each.hidden = column >= Here && isEmpty(each, listed.places);
        each.toolTip = tr("%1; click to sort").arg(each.toolTip);
    }
    content.toolTip = [&known](int row, int column) { return tip(known, row, column); };
    return content;
}

QString HeadColumns::tip(const KnownHeads& known, int place, int column) {
    const auto& statistics = known.statistics().at(static_cast<std::size_t>(place));
    const auto* twin = known.twinOf(statistics.head);
    QString words = address(statistics.head);
    if (known.run() && known.run()->model)
        words += '\n' + headTitle(*known.run()->model, statistics.head);
    if (column >= FirstStatistic) {
        const Statistic statistic = listedStatistics.at(static_cast<std::size_t>(column - FirstStatistic));
        words += tr("\n%1: %2").arg(statisticTip(statistic), statisticText(statistics.values[statistic]));
        if (const auto& even = statistics.uniform[statistic])
            words += tr("\nUniform attention: %1").arg(statisticText(even));
        if (twin)
            words += tr("\nRandom twin: %1").arg(statisticText(twin->values[statistic]));
        return words;
    }
    for (const auto& role : analysis::rolesOf(statistics))
        words += '\n' + roleInWords(role, twin);
    if (const QString breadth = breadthInWords(statistics, twin); !breadth.isEmpty())
        words += '\n' + breadth;
    return words + tr("\n%1 rows, %2").arg(statistics.rows).arg(scopeText(statistics));
}

} // namespace headscope::widgets
