#pragma once

#include "model/trace/model_summary.h"
#include "model/trace/request.h"

namespace headscope::trace {

/// Returns token ids to try a model without a tokenizer on: up to eight from the middle of the source
/// vocabulary, away from special tokens, followed by the source suffix. Without a vocabulary, only the
/// suffix.
SourceIds exampleIds(const ModelSummary& model);

} // namespace headscope::trace
