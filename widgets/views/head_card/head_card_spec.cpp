#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_card() {
    return {
        .key = "head-card",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Head"),
        .help = QT_TRANSLATE_NOOP(
            "ViewSpec",
            "The role of the selected head and how it spreads its attention over this text. Ticks mark the "
            "values of uniform attention: a head far from them is selective.")};
}

} // namespace headscope::widgets
