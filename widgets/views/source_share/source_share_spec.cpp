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
    return {.key = "source-share",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "From source"),
            .choices = {{"window", "source-share", Kind::Flag}},
            .needs = "a model with an encoder and a decoder",
            .canBeOf = translates,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
