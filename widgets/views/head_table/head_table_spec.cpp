#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::head_table() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "head-table",
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
                      {"twin", "random-twin", "on"},
                      {"twin-seed", "random-twin", "seed"}},
            .pictureChoices = {{"head-table", "importance", Kind::Flag}},
            .staticReason = ofWhole,
            .needsTwin = isWithTwin,
            .needsImportance = isWithImportance};
}

} // namespace headscope::widgets
