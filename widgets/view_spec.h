#pragma once

#include "model/trace/run.h"
#include "widgets/choice.h"
#include "widgets/intent.h"
#include "widgets/picture_options.h"
#include "widgets/view_context.h"

#include <memory>
#include <optional>
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
    bool hasKnockOut = false; ///< what steps lose without a token
    bool hasExperts = false;  ///< which experts each token uses
};

/// A choice as named by `render --choose`, and the choice it stands for: by default the one of that name in
/// this view.
struct DrawnChoice {
    const char* name;
    const char* view = nullptr;
    const char* choice = nullptr;
};

/// Why a view can show nothing, whatever is decoded.
struct Lack {
    const char* why; ///< marked for translation
};

/// An action of the window that a view brings with it. Text, summary and synonyms are marked for translation.
struct ActionSpec {
    enum class Does {
        Open,        ///< shows the view and gives it the keys; where the action has a name, View::act()
        OpenOrClose, ///< the same; closes it if it has the keys, and returns from it to the selected head's
                     ///< map
        Show,        ///< opens the view with the flag `choice`, and closes it without
        Choose,      ///< on as long as the flag `choice` is chosen
        Act,         ///< View::act() alone
    };
    const char* name = ""; ///< tells it from others of the view; empty: the one that opens the view
    Does does = Does::Open;
    const char* menu;
    int order; ///< in the menu, among actions of other views
    const char* text;
    const char* shortcut = ""; ///< portable text; alternatives are separated by "; ", the first one is shown
    const char* summary = "";  ///< the tooltip
    const char* synonyms = ""; ///< search words that no action's name contains, separated by commas
    const char* formerKeys = "";  ///< in the previous version, as `shortcut`
    const char* formerNames = ""; ///< the same, separated by "; "
    bool separatorBefore = false;
    const char* choice = nullptr; ///< flag among `choices`, by which sessions restore it
    bool isOfHead = false;        ///< in the menu of a head, too, which is selected first
    /// What it does with the pinned cell, for a button beside a cell; marked for translation. Empty: nothing.
    const char* ofCell = "";
    /// What it does with a token of the output, for the menu of that token, whose step is gone to first; as
    /// `ofCell`.
    const char* ofToken = "";
    /// What the model lacks for it, even if it has all that the view needs. Null: nothing.
    std::optional<Lack> (*lacks)(const DocumentState&) = nullptr;
    /// Message, with a button for the action, that is shown when a model is opened that has all that the
    /// action needs; as `ofCell`.
    const char* ofModel = "";
    Intent (*intent)() = nullptr; ///< carried out, too
};

/// All that the program knows about a view without drawing it.
struct ViewSpec {
    const char* key; ///< as in "logit-lens": used by --view, session files and the gallery; never changes
    /// Title of the tab or panel, marked for translation.
    const char* title = "";
    const char* menu = ""; ///< of the menu bar, that has the view's own menu if it has one
    /// Of its panel for models built like this, marked for translation. Null: always the title above.
    const char* (*titleOf)(const trace::ModelSummary&) = nullptr;
    /// What it shows and what that is good for, in two sentences, for the "?" of its card in the inspector;
    /// marked for translation.
    const char* help = "";
    const char* synonyms = ""; ///< of its panel, as those of ActionSpec
    std::vector<ActionSpec> actions = {};
    /// Its tab is the first one where nothing else opens in front, and shows a head that is opened.
    bool showsHead = false;
    /// Its tab comes to the front when a model is opened that it can show.
    bool opensWithModel = false;
    /// Opens the view in the menu of a cell, which it explains; marked for translation. Empty: it explains
    /// none.
    const char* ofCell = "";
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
    bool showsPins = false;     ///< shows the maps of pinned heads, too
    bool decodesOthers = false; ///< shows other sentences beside the decoded one
    /// Has a column for each token of the output, with the token above it: no other row of them is needed.
    bool showsTarget = false;
    bool looksSomewhere = true; ///< depends on head, step or cell; else shows the whole decoding, or no run
    bool isOfTraining = false;  ///< shows the log of a training, and no run
    /// Why a picture cannot be animated. Null: any picture can.
    StaticReason (*staticReason)(const PictureOptions&) = nullptr;
    /// What `render` needs to draw the view, for error messages.
    const char* needs = "a run with such a head";
    /// What the model lacks; the run may be null. Null: any model can be shown.
    std::optional<Lack> (*lacks)(const DocumentState&) = nullptr;
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

/// Name of an action of a view among all actions of the window.
std::string actionKey(const ViewSpec& view, const ActionSpec& action);

/// The name of a page by its index; empty for the first one, and if there is no such page.
std::string pageName(const std::string& view, int page);

// Building blocks of specs.

/// Choices of all views that draw attention maps.
std::vector<DrawnChoice> drawnMapChoices();
std::vector<std::string> asWords(const std::vector<const char*>& names);

/// For views that show the model or the twin, or the twin as the baseline of the model.
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

/// The views of this document's model need what the model lacks. A trace may have tokens without the maps of
/// all kinds.
std::optional<Lack> lacksDecoder(const DocumentState& document);
std::optional<Lack> lacksClasses(const DocumentState& document);
/// No tokens are chosen, no class, no labels of tokens, and no tokens in place of masked ones.
std::optional<Lack> lacksOutput(const DocumentState& document);
/// Why such a model has no choice to explain, to be translated as of "ViewSpec".
const char* noChoice();
/// It neither decodes, nor is it an encoder with a head.
std::optional<Lack> lacksPrediction(const DocumentState& document);
/// It does not read a source and write a target.
std::optional<Lack> lacksTranslation(const DocumentState& document);
/// The answer of a view for this document.
std::optional<Lack> lackOf(const ViewSpec& view, const DocumentState& document);
/// True if the scores and their scale factor are known.
bool knowsScale(const trace::Run& run, const std::stop_token& stop);

} // namespace headscope::widgets
