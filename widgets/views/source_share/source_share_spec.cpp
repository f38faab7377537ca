#include "model/trace/quantity_maps.h"
#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return std::ranges::any_of(known.maps, [](const auto& map) {
        return map->quantity == trace::MapQuantity::Contribution &&
               map->site.kind == trace::AttentionKind::Cross;
    });
}

} // namespace

ViewSpec views::source_share() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "source-share",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "From source"),
        .actions = {{.does = ActionSpec::Does::Show,
                     .menu = "&Analyse",
                     .order = 8,
                     .text = QT_TRANSLATE_NOOP("Actions", "Sour&ce Share"),
                     .shortcut = "Ctrl+Alt+H",
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Show below the target how much of each step comes from the source: is "
                                    "the model reading or free-running?"),
                     .choice = "source-share"}},
        .choices = {{"window", "source-share", Kind::Flag}},
        .needs = "a model with an encoder and a decoder",
        .lacks = lacksTranslation,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
