#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_explained.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/source_words/source_words_view.h"
#include "widgets/views/why/why_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// Everything that the view asks about the step is answered.
template <class View>
Make explaining() {
    return [](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(example::aligningHead);
        selection->setStep(5);
        auto* view = new View(selection);
        view->setCard(true);
        if (!run)
            return view;
        auto* answers = new example::AnsweredAtOnce(view, {}, true);
        auto& document = answers->document();
        document.model = run->model;
        document.request = run->request;
        document.run = run;
        answers->setModel(example::Explaining(run));
        answers->setHolding(false);
        return view;
    };
}

} // namespace

QList<Exhibit> explainExhibits() {
    return {{"why", explaining<WhyView>(), {{1384, 56}, {736, 56}}},
            {"source-words", explaining<SourceWordsView>(), {{404, 378}, {356, 300}}},
            {"lens-card", explaining<LensView>(), {{404, 378}, {356, 300}}},
            {"importance-card", explaining<ImportanceView>(), {{532, 378}, {480, 300}}},
            {"attribution-card", explaining<AttributionView>(), {{1360, 274}, {736, 274}}}};
}

} // namespace headscope::gallery
