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
    return {
        .key = "cell-card",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Cell"),
        .help = QT_TRANSLATE_NOOP(
            "ViewSpec",
            "The number of one cell of the map: how much its row's token reads from its column's token. A "
            "large weight is no proof of influence: switch the head off, or hide the token, to test it."),
        .synonyms = QT_TRANSLATE_NOOP("Actions", "weight, number, score, rank"),
        .staticReason = staticReason};
}

} // namespace headscope::widgets
