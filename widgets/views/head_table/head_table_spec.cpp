#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_table() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "head-table",
        .choices = {{"head-table", "search", QT_TRANSLATE_NOOP("ChoiceSpec", "Search"), Kind::Text},
                    {"head-table", "cell", QT_TRANSLATE_NOOP("ChoiceSpec", "Heads for a Cell"), Kind::Text},
                    {"head-table",
                     "kind",
                     QT_TRANSLATE_NOOP("ChoiceSpec", "Kinds Listed"),
                     Kind::Text,
                     {"all", "encoder", "decoder", "cross"}},
                    {"head-table", "sorted-by", QT_TRANSLATE_NOOP("ChoiceSpec", "Order of the Table"),
                     Kind::Text, withStatistics({"head", "role", "here", "importance"})},
                    {"head-table", "descending", QT_TRANSLATE_NOOP("ChoiceSpec", "Order of the Table"),
                     Kind::Flag},
                    {"head-table",
                     "least-weight",
                     QT_TRANSLATE_NOOP("ChoiceSpec", "Least Weight"),
                     Kind::Number,
                     {},
                     0,
                     1}},
        .drawn = {{"search"},
                  {"kind"},
                  {"cell"},
                  {"sorted-by"},
                  {"descending"},
                  {"least-weight"},
                  {"importance"},
                  {"twin", "random-twin", "on"},
                  {"twin-seed", "random-twin", "seed"}},
        .pictureChoices = {{"head-table", "importance", "", Kind::Flag}},
        .staticReason = ofWhole};
}

} // namespace headscope::widgets
