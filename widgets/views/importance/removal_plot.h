#pragma once

#include "model/analysis/heads/removal_orders.h"
#include "model/trace/head_importance.h"
#include "widgets/plots/plot.h"
#include "widgets/words/importance_words.h"

#include <QString>

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Curves of one run and one ablation, as far as they are known.
struct KnownRemovals {
    std::shared_ptr<const trace::RemovalCurve> byImportance; ///< null: nothing is known
    std::vector<std::shared_ptr<const trace::RemovalCurve>> random;
    friend bool operator==(const KnownRemovals&, const KnownRemovals&) = default;
};

/// Nothing if nothing is known.
analysis::RemovalComparison comparedRemovals(const KnownRemovals& known, ImportanceScope scope);

/// What is left of a step or of the whole output: heads removed in the order of importance, beside the mean,
/// minimum and maximum of the random orders. Empty without points.
Plot removalPlot(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve,
                 ImportanceScope scope);

/// The same of one step in little room: the random orders are an area, and the first point at which the token
/// of a comparison is behind has a ring.
Plot removalSketch(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve);
/// "6 off together: “wem” leads"; empty unless that is so.
QString removalVerdict(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve);

/// "Curve: log-probability while heads are removed, the most important first, beside 12 random orders (mean,
/// minimum, maximum; seed 1)."
QString removalCaption(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve);

} // namespace headscope::widgets
