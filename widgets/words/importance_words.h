#pragma once

#include <QString>

#include "model/analysis/heads/head_ranking.h"
#include "model/trace/run.h"

#include <optional>

class QWidget;

namespace headscope::widgets {

/// One step of the output, or all of it.
using ImportanceScope = std::optional<std::size_t>;

/// What the scores are of, exactly: "Change of the log-probability of “Tochter” (step 6 of 12) when a head's
/// output is removed, undisturbed output forced; example-en-de, 72 heads. Above 0 the head helped, below 0 it
/// hurt." `run` is the run that was measured.
QString importanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                          ImportanceScope scope);

/// Its beginning, for where there is no room: "Change of the log-probability of “Tochter” (step 6 of 12)."
QString shortImportanceCaption(const trace::HeadImportance& measured, const trace::Run& run,
                               ImportanceScope scope);

/// "Head importance at step 6", for titles.
QString importanceTitle(const trace::HeadImportance& measured, ImportanceScope scope);

/// Four decimals and always a sign: "+0.1234"; what rounds to zero has none.
QString signedNumberText(double value);

/// "rank 3: cross.2.5, helps, +0.1234 nats, KL 0.0456 nats"
QString scoreInWords(const analysis::HeadScore& score, int rank);

/// Why nothing can be measured; empty where it can. `run` may be null.
QString whyNotMeasured(const trace::Run* run, const QWidget& view);

} // namespace headscope::widgets
