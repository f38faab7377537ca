#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::heatmap() {
    using Kind = ChoiceSpec::Kind;
    auto options = mapOptionNames;
    options.push_back("--pin");
    return {.key = "heatmap",
            .choices = {{"heatmap", "zoom", Kind::Numbers}, {"heatmap", "pinned-zoom", Kind::Numbers}},
            .drawn = {{"zoom"}, {"pinned-zoom"}},
            .options = options,
            .whyNoFilm = ofEncoderMap};
}

} // namespace headscope::widgets
