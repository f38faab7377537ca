#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::lines() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "lines",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Lines"),
            .actions = {{.menu = "&View/&Canvas",
                         .order = 5,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Lines"),
                         .shortcut = "L",
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Tokens and lines between them, of one head or several"),
                         .formerKeys = "Ctrl+5"}},
            .choices = {{.view = "lines",
                         .name = "lines-of",
                         .kind = Kind::Text,
                         .help = "Heads of the layer for which lines are drawn, or all",
                         .form = "H,H",
                         .word = "all"}},
            .drawn = {{"words", "map"}, {"lines-of"}},
            .staticReason = ofEncoder};
}

} // namespace headscope::widgets
