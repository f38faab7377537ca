#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::heatmap() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "heatmap",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Heatmap"),
            .actions = {{.menu = "&View/&Canvas",
                         .order = 2,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Heatmap"),
                         .shortcut = "H",
                         .summary = QT_TRANSLATE_NOOP("Actions", "One head, large"),
                         .formerKeys = "Ctrl+2"}},
            .showsHead = true,
            .choices = {{"heatmap", "zoom", Kind::Numbers}, {"heatmap", "pinned-zoom", Kind::Numbers}},
            .drawn = drawnMapChoices(),
            .showsPins = true,
            .staticReason = ofEncoderMap};
}

} // namespace headscope::widgets
