#pragma once

#include <QString>

#include "model/analysis/maps/weights_and_effect.h"
#include "model/trace/causal_row.h"
#include "model/trace/run.h"

#include <memory>

namespace headscope::widgets {

/// Knock-out losses of a step's token per source token, as far as they are known.
struct ShownCause {
    std::shared_ptr<const trace::CausalRow> everywhere; ///< masked in all cross-attention; null: not known
    std::shared_ptr<const trace::CausalRow> here;       ///< masked in one cell of the head; null: not known
    bool isAwaited = false;
    QString progress; ///< a sentence about the awaited measurement, if that takes long
    QString whyNot;   ///< why there will be no result
    friend bool operator==(const ShownCause&, const ShownCause&) = default;
};

/// Says whether weights and contributions of a head agree in a row, with numbers. `row` is its name: "Row 3".
QString effectInWords(const trace::Run& run, trace::AttentionKind kind, const QString& row,
                      const analysis::WeightsAndEffect& compared);

/// Says whether the weights of a cross-attention head at a step agree with the knock-out losses, with
/// numbers: a line with the largest ones, then one with the correlations. Empty if nothing is known. Results
/// for another head or step are ignored.
QString causeInWords(const trace::Run& run, const trace::HeadAddress& head, std::size_t step,
                     const ShownCause& cause);

/// "Without this token, the log-probability of “gab” at step 4 falls by 2.3100; masked in this head alone, it
/// falls by 0.0500." With a contrast token "... of “gab” compared with “schenkte” at ...". Empty if nothing
/// is known.
QString lossInWords(const ShownCause& cause, std::size_t key);

} // namespace headscope::widgets
