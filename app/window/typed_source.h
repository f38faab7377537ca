#pragma once

#include <QString>

#include "model/trace/model_summary.h"
#include "model/trace/request.h"

#include <optional>

namespace headscope::app {

/// What a person typed as what the encoder is fed: a sentence, or where the model has no tokenizer ids such
/// as "5 6 7" or "5,6,7". Nothing where ids were needed and something else was typed.
std::optional<trace::Source> typedSource(const QString& text, const trace::ModelSummary& model);

/// A few ids that a model without a tokenizer can be tried with, as a person would type them.
QString exampleIds(const trace::ModelSummary& model);

} // namespace headscope::app
