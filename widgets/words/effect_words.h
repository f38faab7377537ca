#pragma once

#include <QString>

#include "model/analysis/maps/weights_and_effect.h"
#include "model/trace/causal_row.h"
#include "model/trace/run.h"

#include <memory>

namespace headscope::widgets {

/// What a step's token loses without each source token, as far as it is known.
struct ShownCause {
    std::shared_ptr<const trace::CausalRow> everywhere; ///< closed in all cross-attention; null: not there
    std::shared_ptr<const trace::CausalRow> here;       ///< in one cell of the head; null: not there
    bool isAwaited = false;
    QString progress; ///< of what is awaited: a sentence, where that takes long
    QString whyNot;   ///< it will not come
    friend bool operator==(const ShownCause&, const ShownCause&) = default;
};

/// Whether what a head looked at in a row and what it added there agree, with the numbers.
/// `row` is its name: "Row 3".
QString effectInWords(const trace::Run& run, trace::AttentionKind kind, const QString& row,
                      const analysis::WeightsAndEffect& compared);

/// Whether what a cross-attention head looked at in a step and what the step's token needs agree, with the
/// numbers: a line of the largest ones, then one of the correlations. Empty where there is nothing to say.
/// What is known of another head or step is left out.
QString causeInWords(const trace::Run& run, const trace::HeadAddress& head, std::size_t step,
                     const ShownCause& cause);

/// "Without this token, the log-probability of “gab” at step 4 falls by 2.31; masked in this head alone, it
/// falls by 0.05." Empty where nothing is known.
QString lossInWords(const ShownCause& cause, std::size_t key);

} // namespace headscope::widgets
