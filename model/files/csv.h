#pragma once

#include "model/trace/figure_data.h"

#include <string>
#include <string_view>

namespace headscope::files {

/// A field of RFC 4180, quoted where it has to be. A text that a spreadsheet would take for a formula (it
/// begins with = + - @, a tab or a line break) gets an apostrophe in front, as spreadsheets write it
/// themselves.
std::string csvField(std::string_view text);
/// With a decimal point, whatever the language; the shortest digits that are read back as the same number.
/// Empty for NaN.
std::string csvField(double number);

/// One side of the array down, the other across, with their names; a value a line where there are more sides.
std::string csvText(const trace::DataArray& array);
std::string csvText(const trace::DataTable& table);

} // namespace headscope::files
