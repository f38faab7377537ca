#pragma once

#include "model/analysis/scores/heads_at_temperature.h"
#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/task.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// The heads whose scores are counted together.
enum class ScoreScope { Head, Layer, Model };

/// What is computed. Long maps take long, so only what is visible is computed for them.
enum class ScaleCounts {
    All,
    Scores,
    Spreads,
    Heads, ///< the rows of all heads in scope, at a temperature
};

/// A computation that the scale view needs; it runs off the GUI thread.
struct ScaleQuestion {
    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    ScoreScope scope = ScoreScope::Head;
    ScaleCounts counts = ScaleCounts::All;
    double temperature = 1; ///< of the rows of the heads, and of the divided scores
    friend bool operator==(const ScaleQuestion&, const ScaleQuestion&) = default;
};

struct ScaleAnswer {
    ScaleQuestion question;
    analysis::ScoresOnOneAxis scores;
    std::vector<analysis::HeadSpread> spreads;      ///< of all heads of the run
    analysis::EntropyCurve curve;                   ///< for the question's head
    std::vector<analysis::HeadAtTemperature> heads; ///< for ScaleCounts::Heads
    std::vector<analysis::HeadCurve> curves;        ///< for ScaleCounts::Heads
};

/// Known results that need not be computed again.
struct ScaleKnown {
    std::vector<analysis::HeadSpread> spreads; ///< of all heads of the run
    std::vector<analysis::HeadCurve> curves;   ///< of the heads in scope
    analysis::ScoresOnOneAxis scores;          ///< of the heads in scope, at any temperature
    analysis::EntropyCurve curve;              ///< for the question's head
};

/// Returns the heads in scope, in model order.
std::vector<trace::HeadAddress> headsOf(const ScaleQuestion& question);

/// Computes what `question` asks for and `known` does not contain. Visits every cell of the model: not for
/// the GUI thread. Throws trace::Cancelled if stopped.
ScaleAnswer answerOf(const ScaleQuestion& question, ScaleKnown known = {}, const trace::Task& work = {});

} // namespace headscope::widgets
