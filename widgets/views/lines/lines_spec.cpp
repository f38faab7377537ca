#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::lines() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "lines",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Lines"),
            .choices = {{"lines", "lines-of", Kind::Text}},
            .options = {"--words", "--lines-of"},
            .staticReason = ofEncoder};
}

} // namespace headscope::widgets
