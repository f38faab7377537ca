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

// Plain C++, so that the command line can list all views without Qt.
namespace headscope::widgets {

/// Why a picture cannot be animated, whatever is decoded.
enum class StaticReason {
    None,
    ComparesWithStep, ///< it compares with a step, at which there is nothing to show
    OfWhole,          ///< it shows the decoding as a whole: all frames would be equal
    OfWholeOutput,    ///< the same, but it can also show one step: `of`
    OfWholePage,      ///< the same for this page; another page follows the steps
    OfEncoder,        ///< the same for heads of the encoder, which read the whole sentence
    OfPinnedRow,      ///< the same for details of a pinned row; without a pin they follow the step
};

/// Results known about a run, beyond what it contains; null: not known.
struct KnownResults {
    const trace::Lens* lens = nullptr;
    const trace::HeadImportance* importance = nullptr; ///< complete
    const trace::ClassifierReading* classifier = nullptr;
    std::vector<std::shared_ptr<const trace::QuantityMaps>> maps;
};

/// A choice as named by `render --choose`, and the choice it stands for: by default the one of that name in
/// this view.
struct DrawnChoice {
    const char* name;
    const char* view = nullptr;
    const char* choice = nullptr;
};

/// All that the program knows about a view without drawing it.
struct ViewSpec {
    const char* key; ///< as in "logit-lens": used by --view, session files and the gallery; never changes
    /// Title of the tab or panel, marked for translation.
    const char* title = "";
    const char* menu = ""; ///< of the menu bar, that has the view's own menu if it has one
    /// Names of the pages for --page; the first is the default.
    std::vector<const char*> pages = {};
    /// Choices that are saved in sessions and can be undone.
    std::vector<ChoiceSpec> choices = {};
    /// View in session files with which it shares its choices; null: its own key.
    const char* choicesOf = nullptr;
    /// Choices of this and other views that a picture shows.
    std::vector<DrawnChoice> drawn = {};
    /// Further choices for pictures only. Sessions need not contain them: they have all branches, and measure
    /// nothing by themselves.
    std::vector<ChoiceSpec> pictureChoices = {};
    /// Options of `render` that it uses and not every view does, except those for the selection.
    std::vector<const char*> options = {};
    bool looksSomewhere = true; ///< depends on head, step or cell; else shows the whole decoding, or no run
    bool isOfTraining = false;  ///< shows the log of a training, and no run
    /// Why a picture cannot be animated. Null: any picture can.
    StaticReason (*staticReason)(const PictureOptions&) = nullptr;
    /// What `render` needs to draw the view, for error messages.
    const char* needs = "a run with such a head";
    /// Whether a model built like this can be shown. Null: any can.
    bool (*canBeOf)(const trace::Run&) = nullptr;
    /// What to do if a trace lacks data for the view.
    const char* ofTrace = "";
    /// Whether a picture needs the random twin beside the model. Null: none does.
    bool (*needsTwin)(const PictureOptions&) = nullptr;
    /// Whether a picture needs the importance of every head. Null: none does.
    bool (*needsImportance)(const PictureOptions&) = nullptr;
    /// Whether a trace's run and its stored results are enough to draw the view. Null: always.
    bool (*isHeld)(const trace::Run&, const KnownResults&, const std::stop_token&) = nullptr;
};

/// All views, in the order in which they are listed.
const std::vector<ViewSpec>& viewSpecs();
/// Null if there is no such view.
const ViewSpec* viewSpec(const std::string& key);

/// All choices: those that several views follow, those of single views, and those of the window.
const std::vector<ChoiceSpec>& choiceSpecs();
/// Null if there is no such choice.
const ChoiceSpec* choiceSpec(const std::string& view, const std::string& name);
/// Looks up a choice by its name in picture options; null if no picture of the view shows it.
const ChoiceSpec* pictureChoice(const std::string& view, const std::string& choice);

/// Convert between the index and the name of a page; the first page, whose name is empty, if there is no such
/// page.
int pageNumber(const PictureOptions& options);
std::string pageName(const std::string& view, int page);

// Building blocks of specs.

/// Options of all views that draw attention maps.
inline const std::vector<const char*> mapOptionNames{
    "--quantity",
    "--scale",
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) "--" NAME,
#include "widgets/map_flags.def"
#undef MAP_FLAG
};
std::vector<std::string> asWords(const std::vector<const char*>& names);

/// For views of layers, which show those of the model or of the twin.
bool isOfTwin(const PictureOptions& options);
/// For views of heads, which may show the importance, and the twin.
bool isWithImportance(const PictureOptions& options);
bool isWithTwin(const PictureOptions& options);
/// OfWhole for any options: all frames would be equal.
StaticReason ofWhole(const PictureOptions& options);
/// OfEncoder for heads of the encoder, whose maps are the same at every step.
StaticReason ofEncoder(const PictureOptions& options);
/// The same, except for gradients of a step's logit.
StaticReason ofEncoderMap(const PictureOptions& options);
/// True if the options pin a row, so that a view of one row does not follow the step.
bool isOfPinnedRow(const PictureOptions& options);

// What the run's model can do. A trace may have tokens without the maps of all kinds.
bool decodes(const trace::Run& run);
bool classifies(const trace::Run& run);
/// True if it chooses tokens, a class, or tokens in place of masked ones.
bool chooses(const trace::Run& run);
/// True if it decodes, or an encoder alone has a head.
bool decodesOrPredicts(const trace::Run& run);
bool translates(const trace::Run& run);
/// True if the scores and their scale factor are known.
bool knowsScale(const trace::Run& run, const std::stop_token& stop);

} // namespace headscope::widgets
