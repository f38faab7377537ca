#pragma once

#include "model/trace/figure_data.h"

#include <string>
#include <string_view>

namespace headscope::files {

/// Returns a field of RFC 4180, quoted where necessary. A text that a spreadsheet would take for a formula
/// (it begins with = + - @, a tab or a line break) is prefixed with an apostrophe, the convention of
/// spreadsheets themselves.
std::string csvField(std::string_view text);
/// Uses a decimal point in every locale and the fewest digits that identify the number. Empty for NaN.
std::string csvField(double number);

/// Two axes: a matrix with row and column labels. Otherwise: one line per value, with its label on each axis.
std::string csvText(const trace::DataArray& array);
std::string csvText(const trace::DataTable& table);

} // namespace headscope::files
