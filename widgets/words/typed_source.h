#pragma once

#include <QString>

#include "model/trace/model_summary.h"
#include "model/trace/request.h"

#include <optional>

namespace headscope::widgets {

/// What a person typed as what the encoder is fed: a sentence, or where the model has no tokenizer ids such
/// as "5 6 7" or "5,6,7". Nothing where ids were needed and something else was typed.
/// `language` is the code of the language to translate into, which stands before a sentence as ">>fra<<"
/// unless that begins with a code of its own; empty for none.
std::optional<trace::Source> typedSource(const QString& text, const trace::ModelSummary& model,
                                         const QString& language = {});

/// Of the language that a sentence is translated into, where it begins with such a code; else empty.
std::string languageCode(const trace::Source& source);

/// The reverse: a sentence, or ids as they are typed; empty for vectors.
QString typedText(const trace::Source& source);

/// A few ids that a model without a tokenizer can be tried with, as a person would type them.
QString exampleIdsText(const trace::ModelSummary& model);

} // namespace headscope::widgets
