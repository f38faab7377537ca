#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

StaticReason staticReason(const PictureOptions& options) {
    return isChosen(options, "with", std::string("step")) ? StaticReason::ComparesWithStep
                                                          : ofEncoder(options);
}

std::optional<Lack> lacksAdapter(const DocumentState& document) {
    if (!document.model || !document.model->property("base").empty())
        return std::nullopt;
    return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This model was opened without an adapter.")};
}

} // namespace

ViewSpec views::compare() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"heads", "rows", "keys", "output"};
    return {.key = "compare",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Compare"),
            .actions = {{.name = "branches",
                         .menu = "&Run",
                         .order = 1,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Compare Branches"),
                         .shortcut = "Ctrl+B",
                         .summary = QT_TRANSLATE_NOOP("Actions",
                                                      "Compare another decoding branch with the shown one"),
                         .lacks = lacksDecoder},
                        {.name = "base",
                         .menu = "&Run",
                         .order = 3,
                         .text = QT_TRANSLATE_NOOP("Actions", "Compare &With the Base Alone"),
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Compare this model with the one that its adapter was merged into"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "adapter, LoRA"),
                         .lacks = lacksAdapter,
                         .ofModel = QT_TRANSLATE_NOOP("Actions", "An adapter was merged into its base.")},
                        {.name = "more-changed",
                         .does = ActionSpec::Does::Act,
                         .menu = "&Analyse",
                         .order = 12,
                         .text = QT_TRANSLATE_NOOP("Actions", "M&ore Changed Head"),
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "In Compare, go to the next head that changed more; key [")},
                        {.name = "less-changed",
                         .does = ActionSpec::Does::Act,
                         .menu = "&Analyse",
                         .order = 13,
                         .text = QT_TRANSLATE_NOOP("Actions", "Less Chan&ged Head"),
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "In Compare, go to the next head that changed less; key ]")}},
            .pages = pages,
            .choices = {{"compare", "page", Kind::Text, asWords(pages)},
                        {"compare", "with", Kind::Text, {"sentence", "model", "branch", "step", "unchanged"}},
                        {"compare", "sentence", Kind::Text},
                        {.view = "compare", .name = "model", .kind = Kind::Text, .isModel = true},
                        {"compare", "branch", Kind::Whole, {}, -1, 1'000'000, true},
                        {"compare", "step", Kind::Whole, {}, -1, 1'000'000, true},
                        {"compare", "head", Kind::Text, {}, 0, 0, true},
                        {"compare", "quantity", Kind::Text, asWords(quantityNames())},
                        {"compare", "aligned-only", Kind::Flag}},
            .drawn = {{"page"},
                      {"with"},
                      {"sentence"},
                      {"model"},
                      {"branch"},
                      {"branches"},
                      {"step"},
                      {"head"},
                      {"quantity"},
                      {"aligned-only"}},
            .pictureChoices = {{"compare", "branches", Kind::Texts}},
            .decodesOthers = true,
            .staticReason = staticReason,
            .needs = "something to compare with: --beside SENTENCE, --choose with=step or another"};
}

} // namespace headscope::widgets
