#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::architecture() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "architecture",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Architecture"),
        .choices =
            {{"architecture",
              "page",
              QT_TRANSLATE_NOOP("ChoiceSpec", "Page"),
              Kind::Text,
              {"diagram", "table"}},
             {"architecture", "unfolded", QT_TRANSLATE_NOOP("ChoiceSpec", "Fold or Unfold"), Kind::Texts},
             {"architecture", "block", QT_TRANSLATE_NOOP("ChoiceSpec", "Block"), Kind::Text, {}, 0, 0, true},
             {"architecture",
              "zoom",
              QT_TRANSLATE_NOOP("ChoiceSpec", "Zoom"),
              Kind::Numbers,
              {},
              -1'000'000}},
        .drawn = {{"page"}, {"unfolded"}, {"block"}}};
}

} // namespace headscope::widgets
