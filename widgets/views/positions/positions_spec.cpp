#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    const auto& model = *run.model;
    const auto isThere = [](const auto& table) { return table && !table->empty(); };
    return !model.rotation.empty() || model.encoderBias || model.decoderBias ||
           isThere(model.sourcePositions) || isThere(model.targetPositions) || !run.sourcePositions.empty();
}

} // namespace

ViewSpec views::positions() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"curves", "table", "similarity", "wavelengths",
                                         "shift",  "words", "scores"};
    return {
        .key = "positions",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Positions"),
        .actions = {{.menu = "&View",
                     .order = 4,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Positions"),
                     .shortcut = "Ctrl+4",
                     .summary = QT_TRANSLATE_NOOP("Actions", "The positional vectors the model adds"),
                     .synonyms = QT_TRANSLATE_NOOP("Actions", "wavelength, wavelengths, content, position")}},
        .pages = pages,
        .choices = {{"positions", "page", Kind::Text, asWords(pages)},
                    {"positions", "side", Kind::Text, {"source", "target"}, 0, 0, true},
                    {"positions", "dimensions", Kind::Wholes},
                    {"positions", "count", Kind::Whole},
                    {"positions", "offset", Kind::Whole},
                    {"positions", "centred", Kind::Flag},
                    {"positions", "curves-zoom", Kind::Numbers, {}, -1'000'000},
                    {"positions", "table-zoom", Kind::Numbers},
                    {"positions", "similarity-zoom", Kind::Numbers}},
        .drawn = {{"centred"}},
        .options = {"--side", "--dimensions", "--count", "--offset"},
        .staticReason = ofWhole,
        .needs = "a model that has positions of this kind",
        .isHeld = isHeld};
}

} // namespace headscope::widgets
