#pragma once

#include "model/trace/lens.h"
#include "model/trace/model_summary.h"
#include "widgets/plots/plot.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::widgets {

/// A logit, or a difference of two, as the sum of all that contributes to it: each bar begins where the one
/// before ended, and the last one is the sum.
struct Waterfall {
    struct Step {
        QString name; ///< short, for the axis
        QString words;
        double value = 0;
        std::optional<trace::HeadAddress> head;        ///< of a bar that is one head's
        std::optional<trace::SublayerAddress> unfolds; ///< of a bar that stands for several parts
    };
    std::vector<Step> steps; ///< in the order of the residual stream
    double sum = 0;
    std::vector<double> twin; ///< what the same steps are in the random twin; empty: not compared

    Plot plot() const;
};

/// One step a sublayer, but one a part for those that are unfolded; `flat` unfolds all, and joins the
/// smallest parts, so that few bars remain.
Waterfall waterfall(const trace::LogitAttribution& attribution,
                    const std::set<trace::SublayerAddress>& unfolded, bool flat,
                    const trace::ModelSummary* model);

} // namespace headscope::widgets
