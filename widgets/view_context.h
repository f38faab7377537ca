#pragma once

#include "model/trace/known_answers.h"
#include "model/trace/model_summary.h"
#include "model/trace/run.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::widgets {

class Selection;

/// What a window or a picture shows, as plain values. What is computed about it is in trace::KnownAnswers.
struct DocumentState {
    std::shared_ptr<const trace::ModelSummary> model; ///< null: none is open
    std::shared_ptr<const trace::Run> run;            ///< null: nothing is decoded; grows while decoding goes on
    /// What questions about `run` are asked with; empty unless it is complete. The shown path is the last one.
    std::optional<trace::Request> request;
    trace::Decoding decoding;
    int newTokens = 0;
    bool isDecoding = false;
};

/// All that a view may know: where the person looks, what is shown, and what is known of it.
struct ViewContext {
    Selection* selection = nullptr;
    const DocumentState* document = nullptr;
    const trace::KnownAnswers* known = trace::NothingKnown::instance();
};

} // namespace headscope::widgets
