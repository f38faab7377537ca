#pragma once

#include "model/analysis/scores/heads_at_temperature.h"
#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/question.h"

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

struct ScaleAnswer;

/// What the scale view needs to know. Every cell of the model may be visited.
struct ScaleQuestion {
    using Value = ScaleAnswer;
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;
    ScoreScope scope = ScoreScope::Head;
    ScaleCounts counts = ScaleCounts::All;
    double temperature = 1; ///< of the rows of the heads, and of the divided scores
    /// An answer whose parts need not be computed again where they are the same; no part of the question.
    std::shared_ptr<const ScaleAnswer> before = nullptr;

    ScaleAnswer count(const trace::Task& work) const;
    friend bool operator==(const ScaleQuestion& a, const ScaleQuestion& b) {
        return a.run == b.run && a.head == b.head && a.scope == b.scope && a.counts == b.counts &&
               a.temperature == b.temperature;
    }
};

/// The spreads of the random twin of a run.
struct TwinSpreads {
    using Value = std::vector<analysis::HeadSpread>;
    static constexpr bool takesLong = true;

    trace::Request request; ///< of the twin, which reads what the run read and said

    Value ask(trace::Answers& model, const trace::Task& work) const;
    friend bool operator==(const TwinSpreads&, const TwinSpreads&) = default;
};

struct ScaleAnswer {
    ScaleQuestion question; ///< without its `before`
    analysis::ScoresOnOneAxis scores;
    std::vector<analysis::HeadSpread> spreads;      ///< of all heads of the run
    analysis::EntropyCurve curve;                   ///< for the question's head
    std::vector<analysis::HeadAtTemperature> heads; ///< for ScaleCounts::Heads
    std::vector<analysis::HeadCurve> curves;        ///< for ScaleCounts::Heads
};

/// Returns the heads in scope, in model order.
std::vector<trace::HeadAddress> headsOf(const ScaleQuestion& question);

/// Computes what `question` asks for and `before` does not contain. Not for the GUI thread. Throws
/// trace::Cancelled if stopped.
ScaleAnswer answerOf(const ScaleQuestion& question, const trace::Task& work = {});

} // namespace headscope::widgets
