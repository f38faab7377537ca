#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

/// The temperature page of one head can be animated: it shows the row of the step.
StaticReason staticReason(const PictureOptions& options) {
    const bool isOfHead =
        !options.choices.contains("scores-of") || isChosen(options, "scores-of", std::string("head"));
    if (!isChosen(options, "page", std::string("temperature")) || !isOfHead)
        return StaticReason::OfWholePage;
    if (const auto why = ofEncoder(options); why != StaticReason::None)
        return why;
    return isOfPinnedRow(options) ? StaticReason::OfPinnedRow : StaticReason::None;
}

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token& stop) {
    return knowsScale(run, stop);
}

} // namespace

ViewSpec views::scale() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"scores", "variance", "temperature"};
    return {
        .key = "scale",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Scaling"),
        .actions = {{.menu = "&View/&Canvas",
                     .order = 7,
                     .text = QT_TRANSLATE_NOOP("Actions", "S&caling"),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Effect of the factor of q k: scores, variance and a temperature slider"),
                     .formerKeys = "Ctrl+7",
                     .formerNames = QT_TRANSLATE_NOOP("Actions", "Scale")}},
        .pages = pages,
        .choices = {{"scale", "page", Kind::Text, asWords(pages)},
                    {"scale", "scores-of", Kind::Text, {"head", "layer", "model"}},
                    {"scale", "temperature", Kind::Number, {}, 1e-6, 1e6}},
        .drawn = {{"page"}, {"scores-of"}, {"temperature"}},
        .staticReason = staticReason,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
