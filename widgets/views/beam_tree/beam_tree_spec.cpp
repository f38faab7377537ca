#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return std::ranges::any_of(run.tree.nodes(), [](const auto& node) { return !!node.search; });
}

} // namespace

ViewSpec views::beam_tree() {
    return {.key = "beam-tree",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Beam tree"),
            .needs = "a model that decodes, and a search: --beam 2 or more",
            .lacks = lacksDecoder,
            .ofTrace = "record it with a search: headscope-cli trace --beam 2, or more; or draw it of the "
                       "model that it was recorded "
                       "from, with --beam 2 or more",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
