#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_card() {
    return {.key = "head-card", .title = QT_TRANSLATE_NOOP("ViewSpec", "Head")};
}

} // namespace headscope::widgets
