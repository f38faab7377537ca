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
        .actions = {{.menu = "&View/&Canvas",
                     .order = 4,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Positions"),
                     .summary = QT_TRANSLATE_NOOP("Actions", "The positional vectors the model adds"),
                     .synonyms = QT_TRANSLATE_NOOP("Actions", "wavelength, wavelengths, content, position"),
                     .formerKeys = "Ctrl+4"}},
        .pages = pages,
        .choices = {{"positions", "page", Kind::Text, asWords(pages)},
                    {.view = "positions",
                     .name = "side",
                     .kind = Kind::Text,
                     .words = {"source", "target"},
                     .followsSelection = true,
                     .help = "Side of positions"},
                    {.view = "positions",
                     .name = "dimensions",
                     .kind = Kind::Wholes,
                     .help = "Dimensions in positions, eight at most",
                     .form = "D,D"},
                    {.view = "positions",
                     .name = "count",
                     .kind = Kind::Whole,
                     .low = 1,
                     .help = "Number of positions in positions"},
                    {.view = "positions",
                     .name = "offset",
                     .kind = Kind::Whole,
                     .low = -1'000'000,
                     .help = "Offset of positions"},
                    {"positions", "centred", Kind::Flag},
                    {"positions", "curves-zoom", Kind::Numbers, {}, -1'000'000},
                    {"positions", "table-zoom", Kind::Numbers},
                    {"positions", "similarity-zoom", Kind::Numbers}},
        .drawn = {{"page"}, {"side"}, {"dimensions"}, {"count"}, {"offset"}, {"centred"}},
        .staticReason = ofWhole,
        .needs = "a model that has positions of this kind",
        .isHeld = isHeld};
}

} // namespace headscope::widgets
