#include "tests/gallery/exhibits.h"

#include "tests/widgets/example_long_run.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/scale_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// 600 tokens, whose maps in the encoder are left out.
std::shared_ptr<const trace::Run> longRun() {
    static const auto run = example::longRuns(60).leftOut;
    return run;
}

/// Whatever the content: only whether there is a run is taken from it. What is counted late is counted at
/// once.
template <class View>
Make longViewOf(std::function<void(View&)> change = {}) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(encoder);
        auto* view = new View(selection);
        QObject::connect(view, &View::workChanged, view, [view] {
            if (const auto work = view->workInSight())
                work({})();
        });
        if (change)
            change(*view);
        view->setRun(run ? longRun() : nullptr);
        return view;
    };
}

Make longScale(ScaleView::Page page) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(encoder);
        auto* view = new ScaleView(selection);
        view->setPage(page);
        QObject::connect(view, &ScaleView::questionChanged, view, [view] {
            if (const auto question = view->question())
                view->setAnswer(answerOf(*question, view->knownSpreads()));
        });
        view->setRun(run ? longRun() : nullptr);
        return view;
    };
}

} // namespace

QList<Exhibit> longExhibits() {
    const auto effect = [](MaskView& view) { view.setPage(MaskView::Page::Effect); };
    return {
        {"long-lines", longViewOf<LinesView>(), large},
        {"long-masks", longViewOf<MaskView>(), {{1000, 480}, {560, 360}}},
        {"long-masks-effect", longViewOf<MaskView>(effect), {{1000, 480}, {560, 420}}},
        {"long-scale-scores", longScale(ScaleView::Page::Scores), large},
        {"long-scale-temperature-refused", longScale(ScaleView::Page::Temperature), large},
    };
}

} // namespace headscope::gallery
