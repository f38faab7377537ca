#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::lines() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "lines",
            .choices = {{"lines", "lines-of", Kind::Text}},
            .options = {"--words", "--lines-of"},
            .whyNoFilm = ofEncoder};
}

} // namespace headscope::widgets
