#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::masks() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "masks",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Masks"),
            .actions = {{.menu = "&View/&Canvas",
                         .order = 3,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Masks"),
                         .shortcut = "M",
                         .summary = QT_TRANSLATE_NOOP("Actions", "The masks the model applied"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "why masked, allowed, batch, padding"),
                         .formerKeys = "Ctrl+3"}},
            .pages = {"why", "effect"},
            .choices = {{"masks", "page", Kind::Text, {"why", "effect", "batch"}},
                        {"masks", "batch", Kind::Texts},
                        {"masks", "sentence", Kind::Whole, {}, 0, 2, true}},
            .drawn = {{"page"}},
            .staticReason = ofEncoder};
}

} // namespace headscope::widgets
