#pragma once

#include <QString>

#include "model/trace/model_summary.h"
#include "model/trace/request.h"

#include <optional>

namespace headscope::widgets {

/// Converts typed text to the encoder's input: a sentence or, if the model has no tokenizer, ids such as "5 6
/// 7" or "5,6,7". Empty if ids are required and something else was typed. `language` is the code of the
/// target language, which is put before the sentence as ">>fra<<" unless that begins with a code of its own;
/// empty for none.
std::optional<trace::Source> typedSource(const QString& text, const trace::ModelSummary& model,
                                         const QString& language = {});

/// Returns the code of the target language at the beginning of a sentence; empty if there is none.
std::string languageCode(const trace::Source& source);

/// The inverse of typedSource(): a sentence, or ids as typed; empty for vectors.
QString typedText(const trace::Source& source);

/// Returns a few example ids, as typed, for a model without a tokenizer.
QString exampleIdsText(const trace::ModelSummary& model);

} // namespace headscope::widgets
