#pragma once

#include <QString>

#include "model/analysis/heads/head_ranking.h"
#include "model/trace/run.h"

#include <optional>

class QWidget;

namespace headscope::widgets {

/// One step of the output; empty: all of it.
using ImportanceScope = std::optional<std::size_t>;

/// Full caption of the scores: "Loss in the log-probability of “Tochter” (step 6 of 12) without each head,
/// with the original output forced; example-en-de, 72 heads. Above 0: the head helps. Below 0: the head
/// hurts." `run` is the measured run.
QString importanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                          ImportanceScope scope);

/// Short form: "Loss in the log-probability of “Tochter” (step 6 of 12)."
QString shortImportanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                               ImportanceScope scope);

/// How the heads of a list were removed: "head off", "head set to its mean", "head resampled"; and "one head
/// off".
QString headRemoved(trace::Ablation::Kind kind);
QString oneHeadRemoved(trace::Ablation::Kind kind);

/// "Head importance at step 6", for titles; of an encoder alone, which has no steps, "Head importance".
QString importanceTitle(const trace::HeadImportance& measured, const trace::Run& run, ImportanceScope scope);

/// Four decimals and always a sign: "+0.1234"; values that round to zero have none.
QString signedNumberText(double value);

/// "rank 3: cross.2.5, helps, +0.1234 nats, KL 0.0456 nats", or "rank 3: encoder.2.5 raises the prediction
/// by 0.1234"
QString scoreInWords(const analysis::HeadScore& score, int rank, bool isOfNumber);

/// Why importance cannot be measured; empty if it can. `run` may be null.
QString whyNotMeasured(const trace::Run* run, const QWidget& view);

} // namespace headscope::widgets
