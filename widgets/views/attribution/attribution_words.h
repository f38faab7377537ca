#pragma once

#include <QString>

#include "model/trace/lens.h"
#include "model/trace/model_summary.h"
#include "model/trace/run.h"

#include <optional>

namespace headscope::widgets {

/// Returns the head of a part; nullopt if the part is not a head.
std::optional<trace::HeadAddress> headOf(const trace::LogitPart& part);

/// "cross.2.5" for a head, "bias" for an attention, "decoder-ff.1", "embedding". Addresses count from 0.
QString partName(const trace::LogitPart& part);
/// The part in full, for example "Embedding of the input token". Layers count from 0.
QString partInWords(const trace::LogitPart& part, const trace::ModelSummary* model);

/// "Logit of “Hund” compared with “Katze”"
QString logitTitle(const trace::LogitAttribution& attribution);
/// Sentences that describe what is split and how, with step, output length and model.
QString attributionCaption(const trace::LogitAttribution& attribution, const trace::Run& run,
                           const trace::Lens& lens, int step);
/// "sum of the parts 7.1234 = logit 7.1234"
QString attributionSum(const trace::LogitAttribution& attribution);

} // namespace headscope::widgets
