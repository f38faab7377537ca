#pragma once

#include "model/analysis/score_spread.h"
#include "model/analysis/softmax_temperature.h"
#include "model/trace/long_work.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Whose scores are counted together.
enum class ScoreScope { Head, Layer, Model };

/// What is counted: of long maps, where it takes long, what is in sight alone.
enum class ScaleCounts { All, Scores, Spreads };

/// What the view of the scale needs to know. Somebody else answers it, off the window's thread.
struct ScaleQuestion {
    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    ScoreScope scope = ScoreScope::Head;
    ScaleCounts counts = ScaleCounts::All;
    friend bool operator==(const ScaleQuestion&, const ScaleQuestion&) = default;
};

struct ScaleAnswer {
    ScaleQuestion question;
    analysis::ScoresOnOneAxis scores;
    std::vector<analysis::HeadSpread> spreads; ///< of every head
    analysis::EntropyCurve curve;              ///< of the question's head
};

/// Counts every cell of the model, unless the spreads of the run's heads are known: not for the window's
/// thread. Throws trace::Cancelled when it is stopped.
ScaleAnswer answerOf(const ScaleQuestion& question, std::vector<analysis::HeadSpread> knownSpreads = {},
                     const trace::LongWork& work = {});

} // namespace headscope::widgets
