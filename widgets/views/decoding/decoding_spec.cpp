#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::decoding() {
    return {.key = "decoding",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Decoding"),
            .synonyms = QT_TRANSLATE_NOOP("Actions", "beam, greedy, sampling, temperature"),
            .looksSomewhere = false,
            .staticReason = ofWhole,
            .needs = "a model that decodes",
            .lacks = lacksDecoder};
}

} // namespace headscope::widgets
