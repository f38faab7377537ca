#include "app/results/served_view.h"

#include "app/document/document.h"
#include "app/results/results.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <utility>

namespace headscope::app {

void connectResults(Document* document, Results* results) {
    const auto want = [document, results] {
        const auto& shown = document->state();
        results->setShown(shown.run, shown.second.model);
        const auto question = widgets::importanceQuestion(shown);
        results->want(document,
                      question && shown.measures ? Results::Questions{*question} : Results::Questions());
    };
    document->controller()->setKnown(results);
    QObject::connect(results, &QObject::destroyed, document->controller(),
                     [document] { document->controller()->setKnown(trace::NothingKnown::instance()); });
    QObject::connect(document, &Document::stateChanged, results, want);
    QObject::connect(results, &Results::changed, document, [document, results] {
        const auto& request = document->state().request;
        const auto known = request ? results->of(*request, trace::ImportanceWhat()) : nullptr;
        if (known && known->complete)
            document->noteMeasured();
    });
}

void serve(widgets::View* view, Document* document, Results* results) {
    view->setContext({.selection = document->selection(), .document = &document->state(), .known = results});
    const auto follow = [view, document, results, areMarksShown = std::make_shared<std::optional<bool>>()] {
        const bool marks = widgets::chosenFlag(document->state(), "window", "space-marks");
        if (std::exchange(*areMarksShown, marks) != marks)
            view->setSpaceMarksShown(marks);
        view->refresh();
        results->want(view, view->isVisible() ? view->questions() : Results::Questions());
    };
    QObject::connect(document, &Document::stateChanged, view, follow);
    QObject::connect(results, &Results::changed, view, follow);
    QObject::connect(view, &widgets::View::questionsChanged, results, follow);
    follow();
}

} // namespace headscope::app
