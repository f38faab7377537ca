#pragma once

#include "model/analysis/compare/change_effect.h"
#include "model/trace/known_answers.h"
#include "model/trace/model_summary.h"
#include "model/trace/run.h"
#include "model/trace/training_log.h"
#include "widgets/picture_options.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::analysis {
struct CorpusReading;
}

namespace headscope::widgets {

class Selection;

/// What a window or a picture shows, as plain values. What is computed about it is in trace::KnownAnswers.
struct DocumentState {
    std::shared_ptr<const trace::ModelSummary> model; ///< null: none is open
    std::shared_ptr<const trace::Run> run; ///< null: nothing is decoded; grows while decoding goes on
    /// What questions about `run` are asked with; empty unless it is complete. The shown path is the last
    /// one.
    std::optional<trace::Request> request;
    std::vector<trace::Intervention> changes; ///< of the model, that a person wants; `run` follows
    /// Where the model is changed: the same sentence without the changes, if that was shown before.
    std::shared_ptr<const trace::Run> unchanged;
    /// The token that every chosen one is compared with (trace::Request::ratherThan).
    std::optional<std::string> ratherThan;
    trace::Decoding decoding;
    int newTokens = trace::ModelSummary().newTokens;
    bool isDecoding = false;
    /// A token of a lower probability counts as unsure.
    static constexpr double usualUnsure = 0.8;
    double unsureBelow = usualUnsure;
    /// A token counts as replaced that more probably was than not.
    static constexpr double replacedAbove = 0.5;

    /// To begin with.
    struct Samples {
        std::vector<std::string> sentences;
        std::string language; ///< its code
    };
    Samples samples;

    /// Opened beside the shown model, to be compared with it.
    struct SecondModel {
        std::string name; ///< as a bundled one's name or its path; empty: none is open or being opened
        std::shared_ptr<const trace::ModelSummary> model; ///< null: not open (yet)
        std::optional<trace::RefusalText> refused;        ///< why it cannot be opened
        bool isOpening() const { return !name.empty() && !model && !refused; }
    };
    SecondModel second;

    std::optional<trace::TrainingLog> training; ///< where one is shown instead of a run

    std::uint64_t twinSeed = 1; ///< of its weights, also where there is none

    /// The paths of the last run that was complete; none without a run.
    struct Branches {
        std::shared_ptr<const trace::Run> run;
        std::vector<std::string> names; ///< of each path
        std::vector<std::string> given; ///< by a person; empty for the others
        friend bool operator==(const Branches&, const Branches&) = default;
    };
    Branches branches;

    std::optional<std::size_t> chosenClass; ///< that gradients are of; empty: the likeliest of each run

    bool measures = false;         ///< a person wants to know what each head of `request` is worth
    bool stoppedMeasuring = false; ///< and wanted no more of it
    /// Whose heads were measured last.
    struct Measured {
        std::shared_ptr<const trace::Run> run;
        trace::Request request;
    };
    std::optional<Measured> measured;

    /// Many sentences whose heads a person wants to know.
    struct ManySentences {
        std::shared_ptr<const analysis::CorpusReading> underWay; ///< null: none are read
        std::shared_ptr<const analysis::CorpusReading> read;     ///< the last that were; null: none
        std::size_t refused = 0;                                 ///< of those read last, by the model
        bool areListed = false; ///< statistics of heads are over `read`, not of the shown run
    };
    ManySentences corpus;

    Choices
        choices; ///< of choiceSpecs(), where they are not the usual ones, and no view holds the value itself
};

/// Nothing is open.
const DocumentState& emptyDocument();

/// All that a view may know: where the person looks, what is shown, and what is known of it.
struct ViewContext {
    Selection* selection = nullptr;
    const DocumentState* document = &emptyDocument();
    const trace::KnownAnswers* known = trace::NothingKnown::instance();
};

/// The value of a choice that the document keeps; the index of a chosen word, 0 where no view has the choice;
/// and whether a flag is on.
ChoiceValue chosenValue(const DocumentState& document, const ChoiceSpec& choice);
int chosenWord(const DocumentState& document, const char* view, const char* name);
bool chosenFlag(const DocumentState& document, const char* view, const char* name);
/// Another choice that the document keeps; `usual` where nobody chose.
template <class Value>
Value chosenOr(const DocumentState& document, const char* view, const char* name, Value usual) {
    const auto value = chosenValue(document.choices, view, name);
    return value ? std::get<Value>(*value) : usual;
}

/// The same network with random weights stands beside the model.
bool hasTwin(const DocumentState& document);
/// The choice that turns the twin on.
Choices withTwin();

/// The twin's run beside the shown one: its last path reads the shown output, its first is its own. Empty
/// where there is no twin, or nothing that it could read.
std::optional<trace::Question> twinRunQuestion(const DocumentState& document);
/// The seed of a twin that can be asked more; a trace may hold its run, and nothing else of it.
std::optional<std::uint64_t> seedOfReadingTwin(const DocumentState& document);
/// The twin reading what the shown run says, for the same question as the model's.
std::optional<trace::Request> twinReading(const DocumentState& document);

/// What an explanation is compared with: uniform attention or probability, or the random twin.
enum class Baseline { None, Uniform, Twin };
/// As chosen ("why", "baseline"); none where the twin was chosen and a recording is shown, which has none to
/// ask.
Baseline baselineOf(const DocumentState& document);

/// What the changes of the model do to the shown output; empty if nothing is changed, or as long as it is not
/// complete.
std::optional<analysis::ChangeEffectWhat> changeEffectQuestion(const DocumentState& document);
/// The run without the changes of the shown one, as far as it is known; null if nothing is changed.
std::shared_ptr<const trace::Run> originalRun(const ViewContext& context);

/// How heads are removed to measure what each is worth.
trace::Ablation ablationOf(const DocumentState& document);
/// What each head is worth to the shown output; empty as long as it is not complete.
std::optional<trace::Question> importanceQuestion(const DocumentState& document);
/// It is under way.
bool isMeasured(const DocumentState& document, const trace::KnownAnswers& known);
/// The same question of the twin.
std::optional<trace::Question> twinImportanceQuestion(const DocumentState& document);

struct ShownImportance {
    std::shared_ptr<const trace::Run> run;                   ///< the shown one, or that it was measured of
    std::shared_ptr<const trace::HeadImportance> importance; ///< null: not measured; not complete while it is
    /// Of the same sentence before the model was changed: for who switches heads off one after the other by a
    /// list.
    bool isEarlier = false;
};
ShownImportance shownImportance(const ViewContext& context);

} // namespace headscope::widgets
