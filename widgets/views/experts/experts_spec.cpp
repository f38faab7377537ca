#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

std::optional<Lack> lacksExperts(const DocumentState& document) {
    if (!document.model || !document.model->property("experts").empty())
        return std::nullopt;
    return Lack{QT_TRANSLATE_NOOP("ViewSpec",
                                  "This model has no experts: one feed-forward network serves all tokens.")};
}

/// The page of all layers follows the step.
StaticReason staticReason(const PictureOptions& options) {
    return isChosen(options, "page", std::string("layers")) ? StaticReason::None : StaticReason::OfWholePage;
}

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.hasExperts;
}

} // namespace

ViewSpec views::experts() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"tokens", "layers", "load"};
    return {
        .key = "experts",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Experts"),
        .actions = {{.menu = "&View/&Canvas",
                     .order = 9,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Experts"),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Which experts each token uses, and how much each expert is used"),
                     .synonyms = QT_TRANSLATE_NOOP("Actions", "router, routing, mixture of experts, MoE")}},
        .pages = pages,
        .choices = {{"experts", "page", Kind::Text, asWords(pages)}, {"experts", "layer", Kind::Whole}},
        .drawn = {{"page"}, {"layer"}},
        .staticReason = staticReason,
        .needs = "a model with a mixture of experts, and a run",
        .lacks = lacksExperts,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
