#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_table() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "head-table",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Head table"),
        .actions = {{.does = ActionSpec::Does::OpenOrClose,
                     .menu = "&Analyse",
                     .order = 1,
                     .text = QT_TRANSLATE_NOOP("Actions", "Head &Table"),
                     .shortcut = "Ctrl+Shift+H",
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Show or hide the sortable table of all heads with roles and statistics"),
                     .synonyms = QT_TRANSLATE_NOOP(
                         "Actions", "entropy, previous token, role, align, alignment, sink, reversed")},
                    {.name = "from-here",
                     .menu = "&Analyse",
                     .order = 2,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Find Heads from Cell"),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "List the heads in which the pinned cell's query attends to its key"),
                     .synonyms = QT_TRANSLATE_NOOP("Actions", "align, alignment, word"),
                     .ofCell = QT_TRANSLATE_NOOP("Actions", "Find Heads")}},
        .choices = {{"head-table", "search", Kind::Text},
                    {"head-table", "cell", Kind::Text},
                    {"head-table", "kind", Kind::Text, {"all", "encoder", "decoder", "cross"}},
                    {"head-table", "sorted-by", Kind::Text,
                     withStatistics({"head", "role", "here", "importance"})},
                    {"head-table", "descending", Kind::Flag},
                    {"head-table", "least-weight", Kind::Number, {}, 0, 1}},
        .drawn = {{"search"},
                  {"kind"},
                  {"cell"},
                  {"sorted-by"},
                  {"descending"},
                  {"least-weight"},
                  {"importance"},
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
