#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::decoding() {
    return {.key = "decoding",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Decoding"),
            .help = QT_TRANSLATE_NOOP(
                "ViewSpec",
                "How tokens are chosen: greedy takes the most probable one, beam search keeps several texts, "
                "sampling draws by chance. The text is decoded again when you change this."),
            .synonyms = QT_TRANSLATE_NOOP("Actions", "beam, greedy, sampling, temperature"),
            .looksSomewhere = false,
            .staticReason = ofWhole,
            .needs = "a model that decodes",
            .lacks = lacksDecoder};
}

} // namespace headscope::widgets
