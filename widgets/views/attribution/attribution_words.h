#pragma once

#include <QString>

#include "model/trace/lens.h"
#include "model/trace/model_summary.h"
#include "model/trace/run.h"

#include <optional>

namespace headscope::widgets {

/// The head of a part; nothing for what is no head.
std::optional<trace::HeadAddress> headOf(const trace::LogitPart& part);

/// "cross.2.5" of a head, "bias" of an attention, "decoder-ff.1", "embedding". Addresses count from 0.
QString partName(const trace::LogitPart& part);
/// "Cross-attention, layer 2", "Decoder feed-forward, layer 1", "Embedding of the fed token". Counts from 0.
QString partInWords(const trace::LogitPart& part, const trace::ModelSummary* model);

/// "Logit of “Hund” compared with “Katze”"
QString logitTitle(const trace::LogitAttribution& attribution);
/// What is split and how, as sentences, naming the step (from 0) and the model.
QString attributionCaption(const trace::LogitAttribution& attribution, const trace::Run& run,
                           const trace::Lens& lens, int step);
/// "sum of the parts 7.1234 = logit 7.1234"
QString attributionSum(const trace::LogitAttribution& attribution);

} // namespace headscope::widgets
