#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_page() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "head-page",
            .actions = {{.name = "samples",
                         .menu = "&Analyse",
                         .order = 10,
                         .text = QT_TRANSLATE_NOOP("Actions", "Run the Sam&ple Sentences"),
                         .summary = QT_TRANSLATE_NOOP("Actions",
                                                      "Statistics of every head over the bundled sentences"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "corpus"),
                         .separatorBefore = true},
                        {.name = "file",
                         .menu = "&Analyse",
                         .order = 11,
                         .text = QT_TRANSLATE_NOOP("Actions", "Run a Te&xt File..."),
                         .summary = QT_TRANSLATE_NOOP("Actions",
                                                      "Statistics of every head over sentences of your own"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "corpus")}},
            .choicesOf = "head-table",
            .drawn = {{"importance"},
                      {"ablation", "importance", "ablation"},
                      {"ablation-sentence", "importance", "ablation-sentence"},
                      {"twin", "random-twin", "on"},
                      {"twin-seed", "random-twin", "seed"}},
            .pictureChoices = {{"head-table", "importance", Kind::Flag}},
            .staticReason = ofWhole,
            .needsTwin = isWithTwin,
            .needsImportance = isWithImportance};
}

} // namespace headscope::widgets
