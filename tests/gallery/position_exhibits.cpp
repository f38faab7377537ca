#include "tests/gallery/exhibits.h"

#include "tests/widgets/example_positions.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// What a run is made into: another kind of positions.
using ChangeRun = std::shared_ptr<trace::Run> (*)(const trace::Run&);

Make positions(PositionalEncodingView::Page page, ChangeRun change = nullptr) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        if (run && change)
            run = change(*run);
        auto* view = new PositionalEncodingView(selection);
        view->setRun(run);
        view->setPage(page);
        const bool isAsked = run && run->model->positionKind == trace::PositionKind::Added;
        if (isAsked)
            example::give(*view, example::positionAnswer(*view, run));
        return view;
    };
}

Make scores(trace::HeadAddress head, PositionSide side, bool centred, ChangeRun change = nullptr) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        if (run && change)
            run = change(*run);
        selection->setHead(head);
        selection->setStep(5);
        auto* view = new PositionalEncodingView(selection);
        view->setRun(run);
        view->setPage(PositionalEncodingView::Page::Scores);
        view->setSide(side);
        if (run)
            example::give(*view, example::positionAnswer(*view, run));
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
        {"shift-learned", positions(PositionalEncodingView::Page::Shift, example::withLearnedPositions),
         large},
        {"wavelengths-learned",
         positions(PositionalEncodingView::Page::Wavelengths, example::withLearnedPositions), large},
        {"score-terms", scores(encoder, PositionSide::Source, false), large},
        {"score-terms-centred", scores(encoder, PositionSide::Source, true), large},
        {"score-terms-other-head", scores(decoder, PositionSide::Target, false), large},
        {"distance-curves", positions(PositionalEncodingView::Page::Curves, example::withDistanceBias),
         large},
        {"distance-table", positions(PositionalEncodingView::Page::Table, example::withDistanceBias), large},
        {"distance-scores", scores(encoder, PositionSide::Source, false, example::withDistanceBias), large},
        {"turned-score", scores(encoder, PositionSide::Source, false, example::withRotation), large},
        {"rotation", positions(PositionalEncodingView::Page::Wavelengths, example::withRotation), large},
        {"word-and-position", positions(PositionalEncodingView::Page::Words), large},
    };
}

} // namespace headscope::gallery
