#include "tests/gallery/exhibits.h"

#include "tests/widgets/example_positions.h"
#include "widgets/positional_encoding_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

Make positions(PositionalEncodingView::Page page, bool learned = false) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        if (run && learned)
            run = example::withLearnedPositions(*run);
        auto* view = new PositionalEncodingView(selection);
        view->setRun(run);
        view->setPage(page);
        if (run)
            view->setAnswer(example::positionAnswer(*view, run));
        return view;
    };
}

} // namespace

QList<Exhibit> positionExhibits() {
    return {
        {"curves", positions(PositionalEncodingView::Page::Curves), large},
        {"positions", positions(PositionalEncodingView::Page::Table), large},
        {"similarity", positions(PositionalEncodingView::Page::Similarity), large},
        {"wavelengths", positions(PositionalEncodingView::Page::Wavelengths), large},
        {"shift", positions(PositionalEncodingView::Page::Shift), large},
        {"shift-learned", positions(PositionalEncodingView::Page::Shift, true), large},
        {"wavelengths-learned", positions(PositionalEncodingView::Page::Wavelengths, true), large},
        {"word-and-position", positions(PositionalEncodingView::Page::Words), large},
    };
}

} // namespace headscope::gallery
