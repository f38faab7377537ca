#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::masks() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "masks",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Masks"),
            .pages = {"why", "effect"},
            .choices = {{"masks", "page", Kind::Text, {"why", "effect", "batch"}},
                        {"masks", "batch", Kind::Texts},
                        {"masks", "sentence", Kind::Whole, {}, 0, 2, true}},
            .staticReason = ofEncoder};
}

} // namespace headscope::widgets
