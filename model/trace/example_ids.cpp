#include "model/trace/example_ids.h"

#include <algorithm>

namespace headscope::trace {

SourceIds exampleIds(const ModelSummary& model) {
    constexpr std::int64_t most = 8;
    const auto vocabulary = model.sourceVocabulary;
    SourceIds source;
    for (std::int64_t i = 0; i < std::min(most, vocabulary); ++i)
        source.ids.push_back((vocabulary / 2 + i) % vocabulary);
    source.ids.insert(source.ids.end(), model.special.sourceSuffix.begin(), model.special.sourceSuffix.end());
    return source;
}

} // namespace headscope::trace
