#pragma once

#include "tests/model/engine/engines.h"

#include <initializer_list>

/// Requests with changes in the model.
namespace engines {

/// The changes as on the command line: {"--disable-head", "cross.0.1", "--no-mask"}.
inline std::vector<trace::Intervention> changes(const std::vector<std::string>& words) {
    std::vector<trace::Intervention> changes;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool isFlag = words[i] == "--no-mask" || words[i] == "--no-scaling";
        changes.push_back({trace::parseChange({words[i], isFlag ? "" : words.at(i + 1)})});
        i += isFlag ? 0 : 1;
    }
    return changes;
}

inline trace::Request changed(trace::Request request, const std::vector<std::string>& words) {
    request.interventions = changes(words);
    return request;
}

/// The request with everything recorded.
inline trace::Request recorded(trace::Request request) {
    request.recording = {
        .projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true};
    return request;
}

/// Another forced target of the tiny model, with everything recorded.
inline const std::vector<std::int64_t> otherTarget{2, 14, 6, 11, 8};
inline trace::Request forcedOther() {
    return recorded(forced(source, otherTarget));
}

} // namespace engines
