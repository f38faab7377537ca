#pragma once

#include <QString>

#include "model/trace/classifier_reading.h"
#include "model/trace/decode_tree.h"
#include "model/trace/lens.h"
#include "widgets/view_context.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::widgets {

/// Why this token rather than that one? A step of a decoder, a mask, or a classifier's classes.
struct Explained {
    std::size_t step = 0;                       ///< of the output; of masks their order
    trace::Token chosen;                        ///< a class is the token of its index, with its label
    std::optional<double> chosenLogProbability; ///< empty: not among the candidates
    /// What it is compared with, if it is among the candidates, as those of other names are known to the
    /// model alone; likewise its log-probability.
    std::optional<trace::Token> other;
    std::optional<double> otherLogProbability;
    std::string rather;     ///< trace::Request::ratherThan; empty: the token alone
    trace::Request request; ///< asks about the shown path with `rather`

    /// How far the token is ahead in logits, if both are known.
    std::optional<double> lead() const;
};

/// Place among trace::Run::answers() of the step that a person looks at. An encoder has no steps: masks in
/// their order, or one answer.
trace::TokenIndex answerAt(const trace::Run& run, trace::TokenIndex step);

/// Compared with the token of the document; while a person has named none, with the second choice of the
/// step or, in a trace and as chosen ("why", "unnamed"), with nothing. Empty as long as the output is not
/// complete, and for models that choose nothing.
std::optional<Explained> explained(const DocumentState& document, trace::TokenIndex step);

/// What could have been chosen instead, the most probable first.
std::vector<trace::Candidate> alternatives(const DocumentState& document, trace::TokenIndex step);

/// Names a token for trace::Request::ratherThan, whatever its letters are: "#1234".
std::string numberOf(const trace::Token& token);

/// The answer of a classifier taken apart, and the class that a person looks at.
struct ReadAnswer {
    std::shared_ptr<const trace::ClassifierReading> reading; ///< null: not known
    std::size_t chosen = 0;
};
/// Empty as long as the run is not complete, and of models that do not classify.
std::optional<trace::Question> answerQuestion(const DocumentState& document);
ReadAnswer shownAnswer(const ViewContext& context);
/// What each source token adds to that class; empty: not known. And what these numbers are.
std::vector<float> shownContributions(const ViewContext& context);
QString contributionsInWords(const ViewContext& context);

/// Layers and parts of it.
trace::Question explainedLens(const Explained& of);
/// The parts of the twin, which reads the same output. Empty unless isBesideTwin().
std::optional<trace::Question> twinsParts(const DocumentState& document, const Explained& of);
/// The layers of the twin; its other token is what the model chose, as an encoder has no output to read.
/// Empty unless isBesideTwin().
std::optional<trace::Question> twinsLayers(const DocumentState& document, const Explained& of);
/// Log-probability of what the model chose after a stage of the twin, an answer to twinsLayers().
double twinsLogProbability(const trace::LensReading& reading);
/// Whether the twin is the baseline, and reads the token that is explained: at the end of a reference each
/// model has a token of its own.
bool isBesideTwin(const DocumentState& document, const Explained& of);
/// A request about the shown output, to the twin.
trace::Request toTwin(const DocumentState& document, trace::Request request);

/// The importance of every head for it.
trace::Question explainedImportance(const DocumentState& document, const Explained& of);

} // namespace headscope::widgets
