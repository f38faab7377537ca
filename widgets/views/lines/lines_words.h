#pragma once

#include <QString>

#include "model/trace/run.h"
#include "widgets/map/shown_map.h"
#include "widgets/views/lines/attention_lines.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// "after “seiner”, choosing “Tochter”: attends to “daughter” 0.61, “his” 0.2": the strongest of `lines`,
/// which all end at `query` or else at `key`. Lists several heads separately.
QString tokenInWords(const trace::Run& run, const ShownMap& axes, std::optional<int> query,
                     std::optional<int> key, const std::vector<AttentionLine>& lines,
                     const std::vector<int>& heads);

/// "Weights below 0.05 hidden: 97 of 132 lines, 12.3 % of the weight in all." On screen, adds how to see the
/// hidden lines.
QString leftOutInWords(const StrongLines& lines, bool isPage);

} // namespace headscope::widgets
