#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_architecture.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

using Roles = std::vector<const char*>;

Make architecture(const example::ArchitectureOptions& options, const Roles& unfolded,
                  ArchitectureView::Page page = ArchitectureView::Page::Diagram) {
    struct Shown {
        std::shared_ptr<const trace::Run> run;
        std::shared_ptr<const trace::ModelFlow> flow;
    };
    const auto shownOf = onceARun([options](const auto& run) {
        const auto shown = example::withArchitecture(*run, options);
        return Shown{shown, example::flow(*shown)};
    });
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setStep(5);
        selection->setHead({{trace::AttentionKind::EncoderSelf, 1}, 2});
        auto* view = new ArchitectureView(selection);
        view->setPage(page);
        if (!run)
            return view;
        const auto& shown = shownOf(run);
        new example::AnsweredAtOnce(view, [flow = shown.flow](const auto&) { return flow; });
        view->setRun(shown.run);
        for (const char* role : unfolded)
            view->diagram()->setUnfolded(role, true);
        return view;
    };
}

const Roles layers{"encoder", "decoder", "encoder.1", "decoder.1"};

} // namespace

QList<Exhibit> architectureExhibits() {
    const QList<QSize> tall{{900, 640}, {420, 320}, {1000, 1900}};
    return {
        {"architecture", architecture({}, {}), large},
        {"architecture-unfolded", architecture({}, layers), tall},
        {"architecture-sublayers",
         architecture({}, {"encoder", "encoder.1", "encoder.1.self", "encoder.1.feed_forward", "decoder",
                           "decoder.1", "decoder.1.cross"}),
         {{1000, 2300}}},
        {"architecture-post-norm", architecture({.norm = "post"}, layers), tall},
        {"architecture-tied", architecture({.tied = true}, {"decoder"}), large},
        {"architecture-classifier", architecture({.classifier = true}, {"encoder", "encoder.1"}), tall},
        {"architecture-table", architecture({}, {}, ArchitectureView::Page::Table), large},
    };
}

} // namespace headscope::gallery
