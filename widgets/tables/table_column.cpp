#include "widgets/tables/table_column.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_words.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

double largestMagnitude(const std::vector<std::optional<double>>& numbers) {
    double largest = 0;
    for (const auto& number : numbers)
        if (number && std::isfinite(*number))
            largest = std::max(largest, std::abs(*number));
    return largest;
}

/// Equal for all numbers of a column, so that they can be compared.
int decimalsOf(const std::vector<std::optional<double>>& numbers) {
    constexpr double small = 0.001;
    constexpr double large = 10; // five decimals would exceed single precision
    const bool anySmall = std::ranges::any_of(
        numbers, [](const auto& number) { return number && *number != 0 && std::abs(*number) < small; });
    return anySmall && largestMagnitude(numbers) < large ? 5 : 4;
}

QString decimalText(double value, int decimals) {
    const bool isLost = std::abs(value) < 0.5 * std::pow(10, -decimals);
    if (!std::isfinite(value) || (isLost && value != 0))
        return numberText(value);
    return shownNumber(QString::number(value == 0 ? 0.0 : value, 'f', decimals));
}

std::optional<double> orderAt(const TableColumn& column, int row) {
    const std::size_t place = row;
    const auto value = column.order.empty() ? numberAt(column, row) : column.order.at(place);
    return value && std::isnan(*value) ? std::nullopt : value;
}

} // namespace

int TableColumn::rows() const {
    return std::max<qsizetype>({std::ssize(tokens), texts.size(), std::ssize(numbers)});
}

Qt::Alignment TableColumn::alignment() const {
    return (bars == Bars::Alone      ? fromLeft ? Qt::AlignLeft : Qt::AlignHCenter
            : isNumeric() || atRight ? Qt::AlignRight
                                     : Qt::AlignLeft) |
           Qt::AlignVCenter;
}

TableColumn prepared(TableColumn column) {
    if (column.isNumeric() && !column.write)
        column.write = [decimals = decimalsOf(column.numbers)](double value) {
            return decimalText(value, decimals);
        };
    if (column.longest <= 0)
        column.longest = std::max(largestMagnitude(column.numbers), largestMagnitude(column.ticks));
    return column;
}

std::optional<double> numberAt(const TableColumn& column, int row) {
    const std::size_t place = row;
    return place < column.numbers.size() ? column.numbers[place] : std::nullopt;
}

QString textAt(const TableColumn& column, int row) {
    if (!column.tokens.empty())
        return column.tokens.at(row).full();
    if (!column.texts.empty())
        return column.texts.value(row);
    if (column.bars == TableColumn::Bars::Alone)
        return {};
    const auto number = numberAt(column, row);
    return number ? column.write(*number) : QString(QChar(0x2013));
}

QString copiedText(const TableColumn& column, int row) {
    if (!column.isNumeric())
        return withoutIsolation(textAt(column, row));
    const auto number = numberAt(column, row);
    return number ? QString::number(*number, 'g', 9) : QString();
}

std::vector<int> sorted(std::vector<int> rows, const TableColumn& column, bool descending) {
    if (column.order.empty() && !column.isNumeric()) {
        const auto isLast = [&](int row) { return textAt(column, row).isEmpty(); };
        std::ranges::stable_sort(rows, [&](int one, int other) {
            if (isLast(one) || isLast(other))
                return !isLast(one) && isLast(other);
            const int order = QString::compare(textAt(column, one), textAt(column, other));
            return descending ? order > 0 : order < 0;
        });
        return rows;
    }
    std::ranges::stable_sort(rows, [&](int one, int other) {
        const auto first = orderAt(column, one), second = orderAt(column, other);
        if (!first || !second)
            return first.has_value() && !second;
        return descending ? *first > *second : *first < *second;
    });
    return rows;
}

QString wholeText(double value) {
    return QString::number(std::lround(value));
}

QString preciseText(double value) {
    const double size = std::abs(value);
    return size > 0 && size < 0.001 ? shownNumber(QString::number(value, 'g', 3)) : numberText(value);
}

} // namespace headscope::widgets
