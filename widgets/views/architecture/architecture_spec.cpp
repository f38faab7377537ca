#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::architecture() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "architecture",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Structure"),
        .actions = {{.menu = "&View/&Canvas",
                     .order = 6,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Structure"),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "The model's blocks as a diagram, with shapes, sizes and vector norms"),
                     .formerKeys = "Ctrl+6",
                     .formerNames = QT_TRANSLATE_NOOP("Actions", "Architecture")}},
        .choices = {{"architecture", "page", Kind::Text, {"diagram", "table"}},
                    {"architecture", "unfolded", Kind::Texts},
                    {"architecture", "block", Kind::Text, {}, 0, 0, true},
                    {"architecture", "zoom", Kind::Numbers, {}, -1'000'000}},
        .drawn = {{"page"}, {"unfolded"}, {"block"}}};
}

} // namespace headscope::widgets
