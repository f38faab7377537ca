#pragma once

#include <QString>

#include "model/trace/run.h"

namespace headscope::widgets {

/// "This model translates English to German."
QString taskInWords(const trace::ModelSummary& model);

/// As in "3 + 3 layers".
QString layersInWords(const trace::ModelSummary& model);
/// "marian, 6 + 6 layers, 8 heads per layer"
QString sizeInWords(const trace::ModelSummary& model);

/// "3 of 12 unknown"; empty if the model knows all tokens of the source.
QString unknownInShort(const trace::Run& run);
/// "3 of 12 tokens are unknown to the model: ..."; empty as above.
QString unknownInWords(const trace::Run& run);

} // namespace headscope::widgets
