#pragma once

#include "model/trace/run.h"
#include "widgets/choice.h"
#include "widgets/picture_options.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::trace {
struct ClassifierReading;
struct HeadImportance;
struct Lens;
struct QuantityMaps;
} // namespace headscope::trace

// Plain C++, so that the command line knows all views without Qt.
namespace headscope::widgets {

/// Why there is no film of a picture, whatever is decoded: what is missing from every step, and the way out.
enum class StaticReason {
    None,
    ComparesWithStep, ///< which has nothing to show at that step
    OfWhole,          ///< of the decoding as a whole: all frames would be alike
    OfWholeOutput,    ///< the same, and it can be had of one step: `of`
    OfWholePage,      ///< the same of this page, and another follows the steps
    OfEncoder,        ///< the same of its heads, which read the whole sentence
    OfPinnedRow,      ///< the same of what is said of one row, unless it is that of the step
};

/// What is known of a run beside what it holds; null: not known.
struct KnownResults {
    const trace::Lens* lens = nullptr;
    const trace::HeadImportance* importance = nullptr; ///< complete
    const trace::ClassifierReading* classifier = nullptr;
    std::vector<std::shared_ptr<const trace::QuantityMaps>> maps;
};

/// A choice as `render --choose` names it, and the one that it is: of this view, unless it says another.
struct DrawnChoice {
    const char* name;
    const char* view = nullptr;
    const char* choice = nullptr;
};

/// All that the program knows of a view without drawing it.
struct ViewSpec {
    const char* key; ///< "logit-lens": --view, session files, gallery; never changes
    /// Of its tab or panel, marked for translation.
    const char* title = "";
    /// Of --page; the first is shown where none is named.
    std::vector<const char*> pages = {};
    /// What sessions keep and undo goes through.
    std::vector<ChoiceSpec> choices = {};
    /// The view of session files that it shares its choices with; null: its own key.
    const char* choicesOf = nullptr;
    /// What of it, and of other views, a picture shows.
    std::vector<DrawnChoice> drawn = {};
    /// What else can be chosen for a picture, and no session has to say: it has all branches, and measures
    /// nothing by itself.
    std::vector<ChoiceSpec> pictureChoices = {};
    /// Options of `render` that it uses and not every view does, but for those that say where a person looks.
    std::vector<const char*> options = {};
    bool looksSomewhere = true; ///< at a head, a step, a cell; else it is of the whole decoding, or of no run
    /// Null: there is a film of any picture.
    StaticReason (*staticReason)(const PictureOptions&) = nullptr;
    /// What `render` needs to draw it, for whoever has it not.
    const char* needs = "a run with such a head";
    /// Whether its model can have it. Null: any.
    bool (*canBeOf)(const trace::Run&) = nullptr;
    /// What to do where a trace holds too little for it.
    const char* ofTrace = "";
    /// Whether a recorded run, and what is kept beside it, are enough. Null: any run is.
    bool (*isHeld)(const trace::Run&, const KnownResults&, const std::stop_token&) = nullptr;
};

/// Every view, in the order in which they are listed.
const std::vector<ViewSpec>& viewSpecs();
/// Null where there is no such view.
const ViewSpec* viewSpec(const std::string& key);

/// All that can be chosen: what several views follow, what a view has alone, what is the window's.
const std::vector<ChoiceSpec>& choiceSpecs();
/// Null for one that nobody can choose.
const ChoiceSpec* choiceSpec(const std::string& view, const std::string& name);
/// As a picture's options call it; null for a choice that no picture of the view shows.
const ChoiceSpec* pictureChoice(const std::string& view, const std::string& choice);

/// The number of a page in its view, and its name; the first one, which has an empty name, where there is no
/// such page.
int pageNumber(const PictureOptions& options);
std::string pageName(const std::string& view, int page);

// What specs are made of.

/// Options of whatever draws a map of attention.
inline const std::vector<const char*> mapOptionNames{"--quantity", "--without-special", "--words",
                                                     "--scale",    "--per-row",         "--transposed",
                                                     "--numbers",  "--received",        "--losses"};
std::vector<std::string> asWords(const std::vector<const char*>& names);

/// All frames would be alike.
StaticReason ofWhole(const PictureOptions& options);
/// Of a head of the encoder, which is the same at every step.
StaticReason ofEncoder(const PictureOptions& options);
/// The same of one that is no gradient of a step's logit.
StaticReason ofEncoderMap(const PictureOptions& options);
/// Of a row in words and numbers that is not that of the step.
bool isOfPinnedRow(const PictureOptions& options);

// A trace may hold tokens without the maps of all kinds: its model had what they stand for.
bool decodes(const trace::Run& run);
bool classifies(const trace::Run& run);
bool decodesOrClassifies(const trace::Run& run);
bool translates(const trace::Run& run);
/// Its scores and how they are scaled are known.
bool knowsScale(const trace::Run& run, const std::stop_token& stop);

} // namespace headscope::widgets
