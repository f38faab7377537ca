#pragma once

#include "app/traces/trace_fields.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/head_importance.h"
#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

// Head importance in a trace file: resources/manual/traces.md.

/// Metadata of the head importance.
struct ImportanceWords {
    std::vector<std::string> heads;   ///< addresses
    std::vector<trace::Token> tokens; ///< of the output
    std::optional<trace::Token> contrast;
};
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<ImportanceWords>& words) {
    visitor.required("heads", words.heads);
    visitor.required("tokens", words.tokens);
    visitor.ifAny("contrast", words.contrast);
}

ImportanceWords wordsOf(const trace::HeadImportance& importance);
std::vector<files::NamedArray> importanceArrays(const trace::HeadImportance& importance);
/// `run` is from the same file. Returns null if an array is missing. Inconsistent arrays become findings.
std::shared_ptr<const trace::HeadImportance>
readImportance(TraceTensors& tensors, const ImportanceWords& words, const trace::Run& run);

} // namespace headscope::app
