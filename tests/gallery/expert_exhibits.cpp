#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_experts.h"
#include "widgets/views/experts/experts_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

Make experts(ExpertsView::Page page, int count) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setStep(5);
        auto* view = new ExpertsView(selection);
        view->setPage(page);
        if (!run)
            return view;
        const auto shown = example::withExperts(*run, count);
        auto* answers = new example::AnsweredAtOnce(view);
        auto& document = answers->document();
        document.run = shown;
        document.model = shown->model;
        document.request = shown->request;
        answers->setModel([routing = example::routing(*shown, count)](const auto&) { return routing; });
        return view;
    };
}

} // namespace

QList<Exhibit> expertExhibits() {
    return {
        {"experts", experts(ExpertsView::Page::Tokens, 8), large},
        {"experts-many", experts(ExpertsView::Page::Tokens, 32), large},
        {"experts-layers", experts(ExpertsView::Page::Layers, 8), large},
        {"experts-load", experts(ExpertsView::Page::Load, 8), large},
    };
}

} // namespace headscope::gallery
