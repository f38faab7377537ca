#include "tests/gallery/exhibits.h"

#include "tests/widgets/example_positions.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/score_terms_page.h"

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

Make scores(trace::HeadAddress head, PositionSide side, bool centred) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(head);
        selection->setStep(5);
        auto* view = new PositionalEncodingView(selection);
        view->setRun(run);
        view->setPage(PositionalEncodingView::Page::Scores);
        view->setSide(side);
        if (run)
            view->setAnswer(example::positionAnswer(*view, run));
        view->findChild<ScoreTermsPage*>()->setCentred(centred);
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
        {"score-terms", scores(encoder, PositionSide::Source, false), large},
        {"score-terms-centred", scores(encoder, PositionSide::Source, true), large},
        {"score-terms-other-head", scores(decoder, PositionSide::Target, false), large},
        {"word-and-position", positions(PositionalEncodingView::Page::Words), large},
    };
}

} // namespace headscope::gallery
