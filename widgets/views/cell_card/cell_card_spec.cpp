#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

StaticReason staticReason(const PictureOptions& options) {
    if (const auto why = ofEncoder(options); why != StaticReason::None)
        return why;
    return isOfPinnedRow(options) ? StaticReason::OfPinnedRow : StaticReason::None;
}

} // namespace

ViewSpec views::cell_card() {
    return {.key = "cell-card",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Cell"),
            .synonyms = QT_TRANSLATE_NOOP("Actions", "weight, number, score, rank"),
            .staticReason = staticReason};
}

} // namespace headscope::widgets
