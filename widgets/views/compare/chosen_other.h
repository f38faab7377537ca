#pragma once

#include "widgets/view_context.h"
#include "widgets/views/compare/compare_bar.h"
#include "widgets/views/compare/compare_words.h"

#include <optional>
#include <utility>
#include <variant>

namespace headscope::widgets {

/// What B is, as a person chose it; or why there is none.
struct ChosenOther {
    using Question =
        std::variant<std::monostate, OtherRun, OtherBranch, analysis::ChangeEffectWhat>; ///< for its run

    Question question;
    std::optional<std::pair<std::size_t, std::size_t>> steps; ///< A and B, of the shown run
    PairNames names;
    QString doing; ///< as long as the question is not answered
    // Without question and steps: what is so, and what a person does about it in the window.
    QString why;
    QString wayOut;
};

/// Null as long as it is not known.
std::shared_ptr<const trace::Run> runOf(const ChosenOther::Question& question,
                                        const trace::KnownAnswers& known);
/// The same question; empty for none.
std::optional<trace::Wanted> wanted(const ChosenOther::Question& question);

/// `step`: the shown one. The shown run is complete.
ChosenOther chosenOther(const DocumentState& document, int step);

CompareBar::With shownWith(const DocumentState& document);
/// Path of B; of the chosen one and the shown one another where they are the same. -1: there is none.
int shownBranch(const DocumentState& document);
/// Step of B; where none is chosen and steps are compared, the one before the shown one. -1: there is none.
int shownOtherStep(const DocumentState& document, int step);

/// Requests for A and for B, both reading what A said, with whole distributions; empty where B's cannot be
/// held against A's.
std::optional<std::pair<OtherRun, OtherRun>> bothReading(const DocumentState& document,
                                                         const trace::Run& other);

/// Ways to compare the run, as options of `render`.
QString waysToCompare(const trace::Run& run);

} // namespace headscope::widgets
