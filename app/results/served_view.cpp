#include "app/results/served_view.h"

#include "app/document/document.h"
#include "app/results/results.h"
#include "widgets/view.h"

namespace headscope::app {

void serve(widgets::View* view, Document* document, Results* results) {
    view->setContext({.selection = document->selection(), .document = &document->state(), .known = results});
    const auto follow = [view, results] {
        view->refresh();
        results->want(view, view->isVisible() ? view->questions() : Results::Questions());
    };
    QObject::connect(document, &Document::stateChanged, view, follow);
    QObject::connect(results, &Results::changed, view, follow);
    QObject::connect(view, &widgets::View::questionsChanged, results, follow);
    follow();
}

} // namespace headscope::app
