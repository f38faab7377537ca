#pragma once

#include "model/trace/model_summary.h"
#include "model/trace/request.h"

namespace headscope::trace {

/// Ids to try a model with that has no tokenizer: up to eight from the middle of its vocabulary, away from
/// the special ones, and what ends a source. Empty where the model has no vocabulary.
SourceIds exampleIds(const ModelSummary& model);

} // namespace headscope::trace
