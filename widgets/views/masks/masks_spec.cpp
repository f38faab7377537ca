#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::masks() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "masks",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Masks"),
            .pages = {"why", "effect"},
            .choices = {{"masks",
                         "page",
                         QT_TRANSLATE_NOOP("ChoiceSpec", "Page"),
                         Kind::Text,
                         {"why", "effect", "batch"}},
                        {"masks", "batch", QT_TRANSLATE_NOOP("ChoiceSpec", "Batch"), Kind::Texts},
                        {"masks",
                         "sentence",
                         QT_TRANSLATE_NOOP("ChoiceSpec", "Sentence of the Batch"),
                         Kind::Whole,
                         {},
                         0,
                         2,
                         true}},
            .staticReason = ofEncoder};
}

} // namespace headscope::widgets
