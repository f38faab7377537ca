#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

StaticReason staticReason(const PictureOptions& options) {
    return isChosen(options, "of", std::string("sentence")) ? StaticReason::OfWholeOutput
                                                            : StaticReason::None;
}

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.importance != nullptr;
}

} // namespace

ViewSpec views::importance() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "importance",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Head importance"),
            .actions = {{.menu = "&Analyse",
                         .order = 3,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Measure Head Importance"),
                         .shortcut = "Ctrl+H",
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Ablate each head and measure its effect on the output"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "importance, head importance, ablate"),
                         .intent = []() -> Intent { return intents::MeasureHeads(); }}},
            .choices = {{"importance", "of", Kind::Text, {"step", "sentence"}},
                        {"importance", "kind", Kind::Text, {"all", "encoder", "decoder", "cross"}},
                        {"importance", "ablation", Kind::Text, {"zero", "mean", "resample"}},
                        {"importance", "ablation-sentence", Kind::Text},
                        {"importance", "curve", Kind::Flag}},
            .drawn = {{"of"},
                      {"kind"},
                      {"ablation"},
                      {"ablation-sentence"},
                      {"curve"},
                      {"card"},
                      {"unnamed", "why", "unnamed"}},
            .pictureChoices = {{"importance", "card", Kind::Flag}},
            .staticReason = staticReason,
            .needs =
                "a model that decodes, classifies, labels tokens, marks an answer or predicts a number, or "
                "a masked model and a text with a mask token",
            .lacks = lacksOutput,
            .needsImportance = [](const PictureOptions& options) { return !isChosen(options, "card", true); },
            .isHeld = isHeld};
}

} // namespace headscope::widgets
