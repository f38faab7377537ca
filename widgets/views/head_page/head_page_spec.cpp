#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_page() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "head-page",
            .choicesOf = "head-table",
            .drawn = {{"importance"},
                      {"ablation", "importance", "ablation"},
                      {"ablation-sentence", "importance", "ablation-sentence"},
                      {"twin", "random-twin", "on"},
                      {"twin-seed", "random-twin", "seed"}},
            .pictureChoices = {{"head-table", "importance", Kind::Flag}},
            .staticReason = ofWhole,
            .needsTwin = isWithTwin,
            .needsImportance = isWithImportance};
}

} // namespace headscope::widgets
