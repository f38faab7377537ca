#include "model/analysis/heads/head_statistics.h"
#include "model/analysis/maps/recomputed_map.h"
#include "widgets/views/catalogue.h"

#include <algorithm>
#include <iterator>

namespace headscope::widgets {

namespace {

std::string viewOf(const ViewSpec& view, const DrawnChoice& drawn) {
    return drawn.view ? drawn.view : view.choicesOf ? view.choicesOf : view.key;
}

const ChoiceSpec* find(const std::vector<ChoiceSpec>& choices, const std::string& view,
                       const std::string& name) {
    const auto found = std::ranges::find_if(
        choices, [&](const ChoiceSpec& choice) { return choice.view == view && choice.name == name; });
    return found == choices.end() ? nullptr : &*found;
}

/// What is of no view.
std::vector<ChoiceSpec> windowChoices() {
    using Kind = ChoiceSpec::Kind;
    return {{.view = "window", .name = "space-marks", .kind = Kind::Flag, .isOnAtFirst = true},
            {"window", "same-output", Kind::Flag},
            {"window", "step-by-step", Kind::Flag},
            {"window", "language", Kind::Text},
            {"window", "rather-than", Kind::Text},
            {"branches", "names", Kind::Texts}, // of the paths, whichever view lists them
            // The last, as others open panels, too.
            {"window", "panels-aside", Kind::Texts, {}, 0, 0, true}, // of sessions of earlier versions
            {"window", "panels", Kind::Texts, {}, 0, 0, true}};
}

/// The picture of a view shows no choice of one that does not exist.
std::vector<ViewSpec> withoutMissing(std::vector<ViewSpec> all) {
    const auto isThere = [&all](const ViewSpec& view, const DrawnChoice& drawn) {
        const std::string name = drawn.choice ? drawn.choice : drawn.name;
        return std::ranges::find(view.pictureChoices, drawn.name, &ChoiceSpec::name) !=
                   view.pictureChoices.end() ||
               find(sharedChoices(), viewOf(view, drawn), name) ||
               find(windowChoices(), viewOf(view, drawn), name) ||
               std::ranges::any_of(
                   all, [&](const auto& other) { return find(other.choices, viewOf(view, drawn), name); });
    };
    for (auto& view : all)
        std::erase_if(view.drawn, [&](const auto& drawn) { return !isThere(view, drawn); });
    return all;
}

} // namespace

const std::vector<ViewSpec>& viewSpecs() {
    static const std::vector<ViewSpec> all = withoutMissing({
#define VIEW(folder) views::folder(),
#include "widgets/views/catalogue.def"
#undef VIEW
    });
    return all;
}

const ViewSpec* viewSpec(const std::string& key) {
    const auto& all = viewSpecs();
    const auto found = std::ranges::find_if(all, [&](const ViewSpec& view) { return view.key == key; });
    return found == all.end() ? nullptr : &*found;
}

const std::vector<ChoiceSpec>& choiceSpecs() {
    static const std::vector<ChoiceSpec> all = [] {
        auto choices = sharedChoices();
        for (const auto& view : viewSpecs())
            std::ranges::copy(view.choices, std::back_inserter(choices));
        std::ranges::move(windowChoices(), std::back_inserter(choices));
        return choices;
    }();
    return all;
}

const ChoiceSpec* choiceSpec(const std::string& view, const std::string& name) {
    return find(choiceSpecs(), view, name);
}

const ChoiceSpec* pictureChoice(const std::string& view, const std::string& choice) {
    const auto* spec = viewSpec(view);
    if (!spec)
        return nullptr;
    const auto drawn =
        std::ranges::find_if(spec->drawn, [&](const auto& each) { return each.name == choice; });
    if (drawn == spec->drawn.end())
        return nullptr;
    const auto own = std::ranges::find(spec->pictureChoices, choice, &ChoiceSpec::name);
    if (own != spec->pictureChoices.end())
        return &*own;
    return choiceSpec(viewOf(*spec, *drawn), drawn->choice ? drawn->choice : choice);
}

std::string actionKey(const ViewSpec& view, const ActionSpec& action) {
    return *action.name ? std::string(view.key) + "/" + action.name : view.key;
}

std::string pageName(const std::string& view, int page) {
    const auto* spec = viewSpec(view);
    const auto place = static_cast<std::size_t>(page);
    return spec && page > 0 && place < spec->pages.size() ? spec->pages[place] : "";
}

std::vector<DrawnChoice> drawnMapChoices() {
    std::vector<DrawnChoice> drawn;
    for (const auto& choice : sharedChoices())
        drawn.push_back({choice.name.c_str(), choice.view.c_str()});
    return drawn;
}

std::vector<std::string> asWords(const std::vector<const char*>& names) {
    return {names.begin(), names.end()};
}

bool isOfTwin(const PictureOptions& options) {
    return isChosen(options, "of", std::string("twin")) || isChosen(options, "baseline", std::string("twin"));
}

bool isWithImportance(const PictureOptions& options) {
    return isChosen(options, "importance", true);
}

bool isWithTwin(const PictureOptions& options) {
    return isChosen(options, "twin", true);
}

StaticReason ofWhole(const PictureOptions&) {
    return StaticReason::OfWhole;
}

namespace {

bool isEncoders(const trace::HeadAddress& head) {
    return head.site.kind == trace::AttentionKind::EncoderSelf;
}

} // namespace

StaticReason ofEncoder(const PictureOptions& options) {
    // Where none is named it is the best-aligning one, which is none of the encoder's.
    return options.head && isEncoders(*options.head) ? StaticReason::OfEncoder : StaticReason::None;
}

StaticReason ofEncoderMap(const PictureOptions& options) {
    const bool isOfStep = isChosen(options, "quantity", std::string("gradient")) ||
                          !std::ranges::all_of(options.pinned, isEncoders);
    return isOfStep ? StaticReason::None : ofEncoder(options);
}

bool isOfPinnedRow(const PictureOptions& options) {
    return options.cell || options.query;
}

namespace {

bool decodes(const DocumentState& document) {
    const auto& model = *document.model;
    return model.decoderLayers > 0 || (model.recorded && document.run && !document.run->target.empty());
}

} // namespace

const char* noChoice() {
    return QT_TRANSLATE_NOOP(
        "ViewSpec",
        "This model does not decode, classify or predict masked tokens, so there is no choice to explain.");
}

std::optional<Lack> lacksDecoder(const DocumentState& document) {
    if (!document.model || decodes(document))
        return std::nullopt;
    if (document.model->classes > 0)
        return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model classifies and does not decode.")};
    if (!document.model->otherHead.empty())
        return Lack{QT_TRANSLATE_NOOP(
            "ViewSpec",
            "This model was opened without its head, which is not supported: it predicts nothing.")};
    if (document.model->hasNoHead())
        return Lack{QT_TRANSLATE_NOOP("ViewSpec", "Encoder-only model: no output tokens.")};
    if (document.model->numbers > 0)
        return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model predicts a number and does not decode.")};
    return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model predicts tokens of the text and does not decode.")};
}

std::optional<Lack> lacksClasses(const DocumentState& document) {
    if (document.model && document.model->classes > 0)
        return std::nullopt;
    return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model has no classes: open a classifier.")};
}

std::optional<Lack> lacksOutput(const DocumentState& document) {
    if (!lacksDecoder(document) || document.model->hasAnswers())
        return std::nullopt;
    return Lack{noChoice()};
}

std::optional<Lack> lacksPrediction(const DocumentState& document) {
    return document.model && !document.model->hasNoHead() ? std::nullopt : lacksDecoder(document);
}

std::optional<Lack> lacksTranslation(const DocumentState& document) {
    if (const auto lack = lacksDecoder(document); lack || !document.model)
        return lack;
    const auto& model = *document.model;
    const bool reads =
        model.encoderLayers > 0 || (model.recorded && document.run && !document.run->source.empty());
    if (reads && !model.isDecoderAlone())
        return std::nullopt;
    return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model has a decoder only.")};
}

std::optional<Lack> lackOf(const ViewSpec& view, const DocumentState& document) {
    return view.lacks ? view.lacks(document) : std::nullopt;
}

bool knowsScale(const trace::Run& run, const std::stop_token& stop) {
    const auto* record = run.record(analysis::bestAligningHead(run, stop).site);
    return record && !analysis::lacksScores(*record) && !run.model->property("score_scale").empty();
}

} // namespace headscope::widgets
