#pragma once

#include "model/analysis/scores/heads_at_temperature.h"
#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/task.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Whose scores are counted together.
enum class ScoreScope { Head, Layer, Model };

/// What is counted: of long maps, where it takes long, what is in sight alone.
enum class ScaleCounts {
    All,
    Scores,
    Spreads,
    Heads, ///< the rows of all heads that are meant, at a temperature
};

/// What the view of the scale needs to know. Somebody else answers it, off the window's thread.
struct ScaleQuestion {
    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    ScoreScope scope = ScoreScope::Head;
    ScaleCounts counts = ScaleCounts::All;
    double temperature = 1; ///< of the heads' rows, and of the scores beside those that it does not divide
    friend bool operator==(const ScaleQuestion&, const ScaleQuestion&) = default;
};

struct ScaleAnswer {
    ScaleQuestion question;
    analysis::ScoresOnOneAxis scores;
    std::vector<analysis::HeadSpread> spreads;      ///< of every head
    analysis::EntropyCurve curve;                   ///< of the question's head
    std::vector<analysis::HeadAtTemperature> heads; ///< of ScaleCounts::Heads
    std::vector<analysis::HeadCurve> curves;        ///< of the same
};

/// What is known already and is not counted again.
struct ScaleKnown {
    std::vector<analysis::HeadSpread> spreads; ///< of every head of the run
    std::vector<analysis::HeadCurve> curves;   ///< of the heads that are meant
    analysis::ScoresOnOneAxis scores;          ///< of the same, at whatever temperature
    analysis::EntropyCurve curve;              ///< of the question's head
};

/// The heads that are meant, in order.
std::vector<trace::HeadAddress> headsOf(const ScaleQuestion& question);

/// Counts every cell of the model, unless what it asks for is known: not for the window's thread. Throws
/// trace::Cancelled when it is stopped.
ScaleAnswer answerOf(const ScaleQuestion& question, ScaleKnown known = {}, const trace::Task& work = {});

} // namespace headscope::widgets
