#include "model/analysis/statistic.h"

namespace headscope::analysis {

std::string_view name(Statistic statistic) {
    constexpr std::array<std::string_view, statisticCount> names{"entropy",
                                                                 "normalised_entropy",
                                                                 "effective_keys",
                                                                 "confidence",
                                                                 "distance",
                                                                 "offset",
                                                                 "diagonal",
                                                                 "previous",
                                                                 "next",
                                                                 "first",
                                                                 "last",
                                                                 "end",
                                                                 "start",
                                                                 "punctuation",
                                                                 "sink",
                                                                 "same_token",
                                                                 "scaled_diagonal",
                                                                 "monotony"};
    return names[static_cast<std::size_t>(statistic)];
}

} // namespace headscope::analysis
