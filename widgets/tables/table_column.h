#pragma once

#include <QString>
#include <QStringList>
#include <Qt>

#include "widgets/drawing/token_label.h"

#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// A column of a table, in the window, in figures and in copied text.
struct TableColumn {
    enum class Bars {
        None,
        Under,         ///< a thin bar under each number
        Alone,         ///< a bar instead of the number
        UnderIfNoRoom, ///< Under if a column of Alone does not fit
    };

    QString title;
    QString subtitle = {}; ///< a second line of the title, in the window
    QString toolTip = {};
    // The cells, one per row; only one of the three is filled.
    std::vector<TokenLabel> tokens = {};
    QStringList texts = {};
    std::vector<std::optional<double>> numbers = {};

    /// Writes a number; empty: with four decimals, or with five if the column needs them.
    std::function<QString(double)> write = {};
    bool atRight = false; ///< texts that are numbers
    Bars bars = Bars::None;
    bool fromLeft = false; ///< bars begin at the left edge, not in the middle
    /// A second value of each bar from the left, which is drawn thinner below it; empty: none.
    std::vector<std::optional<double>> second = {};
    /// A value to compare each bar with, marked on it; empty: none.
    std::vector<std::optional<double>> ticks = {};
    bool ticksAreOriginal = false; ///< of the model before it was changed
    bool isOriginal = false; ///< of the model before it was changed: its numbers have the colour of changes
    bool tracked = false;    ///< bars from the left stand on a strip as long as a full one
    double longest = 0;      ///< the number of a full bar; 0: the column's largest magnitude
    bool takesRest = false;  ///< instead of tokens, takes its share of the room that is left
    /// Sort keys, one per row; empty: numbers or texts. Missing keys are last.
    std::vector<std::optional<double>> order = {};
    bool smallestFirst = false; ///< numbers are sorted from the smallest first
    bool hidden = false;        ///< not shown, drawn or copied; keeps its place among the columns
    /// In a table that does not scroll sideways, the columns with the highest value are dropped first if
    /// there is too little room; those with 0 stay.
    int dropped = 0;
    QString sample = {}; ///< the column is at least as wide as this text

    int rows() const;
    bool isNumeric() const { return !numbers.empty(); }
    /// Alignment of cells and title.
    Qt::Alignment alignment() const;
};

/// Returns `column` with a cell per item: the result of `of`, which is a token, a text, a number or nothing.
template <class Items, class Of>
TableColumn filled(TableColumn column, const Items& items, const Of& of) {
    using Cell = std::remove_cvref_t<std::invoke_result_t<const Of&, decltype(*std::begin(items))>>;
    for (const auto& item : items)
        if constexpr (std::is_same_v<Cell, TokenLabel>)
            column.tokens.push_back(std::invoke(of, item));
        else if constexpr (std::is_same_v<Cell, QString>)
            column.texts += std::invoke(of, item);
        else
            column.numbers.push_back(std::invoke(of, item));
    return column;
}

/// Returns `column` with `write` and `longest` set.
TableColumn prepared(TableColumn column);

/// Returns nothing if the cell has no number.
std::optional<double> numberAt(const TableColumn& column, int row);
/// Returns the displayed text of a prepared column; a dash if there is no number.
QString textAt(const TableColumn& column, int row);
/// Returns numbers with nine digits and complete tokens.
QString copiedText(const TableColumn& column, int row);

/// Returns `rows` sorted by the column. Rows without a value are last in both orders; equal rows keep their
/// order.
std::vector<int> sorted(std::vector<int> rows, const TableColumn& column, bool descending);

/// Writes whole numbers, for TableColumn::write.
QString wholeText(double value);
/// Writes four decimals, or three digits if the value is nearly zero: "0.6142", "0.000894", "1.2e−07".
QString preciseText(double value);

} // namespace headscope::widgets
