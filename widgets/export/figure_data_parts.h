#pragma once

#include <QStringList>

#include "model/trace/figure_data.h"
#include "model/trace/matrix.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/quantity.h"

#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// Marks cells without a number.
inline constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

/// Returns the name of a quantity's array, which does not depend on the language.
std::string dataName(Quantity quantity);

trace::DataAxis dataAxis(std::string name, const std::vector<TokenLabel>& labels);
/// Masked cells are NaN; with a null `mask` all cells are allowed.
trace::DataArray dataArray(std::string name, trace::MatrixView values, const trace::MaskMatrix* mask,
                           trace::DataAxis rows, trace::DataAxis columns);
/// A one-dimensional array.
trace::DataArray dataArray(std::string name, std::vector<double> values, trace::DataAxis axis);
/// Heads of one site, [heads, queries, keys].
trace::DataArray dataArray(std::string name, const trace::HeadStack& heads, const trace::MaskMatrix& mask,
                           trace::DataAxis queries, trace::DataAxis keys);
/// Weights of all heads of a site, named as in "cross.2.weights".
trace::DataArray headsOfSite(const trace::Run& run, const trace::AttentionRecord& record);

trace::DataColumn dataColumn(std::string title, std::vector<double> values);
trace::DataColumn dataColumn(std::string title, const QStringList& texts);

inline double numberIn(double value) {
    return value;
}
inline double numberIn(const std::optional<double>& value) {
    return value.value_or(noNumber);
}
/// What `of` says of each item: a text, a number, or no number.
template <class Items, class Of>
trace::DataColumn dataColumn(std::string title, const Items& items, const Of& of) {
    using Said = std::remove_cvref_t<std::invoke_result_t<const Of&, decltype(*std::begin(items))>>;
    std::conditional_t<std::is_same_v<Said, QString>, QStringList, std::vector<double>> cells;
    for (const auto& item : items)
        if constexpr (std::is_same_v<Said, QString>)
            cells += std::invoke(of, item);
        else
            cells.push_back(numberIn(std::invoke(of, item)));
    return dataColumn(std::move(title), cells);
}

} // namespace headscope::widgets
