#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/example_masks.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/predictions/predictions_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

Make classifier(ClassifierView::Page page, bool sorted = false) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new ClassifierView(selection);
        view->setPage(page);
        view->setSorted(sorted);
        if (!run)
            return view;
        const auto classified = example::classified(*run);
        new example::AnsweredAtOnce(
            view, [classified](const auto&) { return example::classifierReading(*classified); });
        view->setRun(classified);
        return view;
    };
}

/// Of any content the same, or of none.
Make predictions(bool areMasks) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new PredictionsView(selection);
        view->setRun(!run ? nullptr : areMasks ? example::masked() : example::replaced());
        return view;
    };
}

/// What it says of a model without classes.
QWidget* translator(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new ClassifierView(selection);
    view->setRun(std::move(run));
    return view;
}

} // namespace

QList<Exhibit> classifierExhibits() {
    return {
        {"classifier", classifier(ClassifierView::Page::Answer), large},
        {"classifier-words", classifier(ClassifierView::Page::Words), large},
        {"classifier-words-sorted", classifier(ClassifierView::Page::Words, true), large},
        {"classifier-table", classifier(ClassifierView::Page::Table), large},
        {"predictions-masks", predictions(true), {{900, 300}, {420, 300}}},
        {"predictions-replaced", predictions(false), {{900, 300}, {420, 300}}},
        {"classifier-refused", translator, large},
    };
}

} // namespace headscope::gallery
