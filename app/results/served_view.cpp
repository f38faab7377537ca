#include "app/results/served_view.h"

#include "app/document/document.h"
#include "app/results/results.h"
#include "model/analysis/heads/corpus_reading.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <utility>

namespace headscope::app {

namespace {

/// The next question about the corpus that is being read; empty if none is.
std::optional<analysis::NextSentenceWhat> nextSentence(const widgets::DocumentState& shown) {
    const auto& underWay = shown.corpus.underWay;
    return underWay ? std::optional(analysis::NextSentenceWhat{underWay}) : std::nullopt;
}

} // namespace

void connectResults(Document* document, Results* results) {
    const auto want = [document, results] {
        const auto& shown = document->state();
        results->setShown(shown.run, shown.second.model);
        Results::Questions questions;
        if (const auto importance = widgets::importanceQuestion(shown); importance && shown.measures)
            questions.push_back(*importance);
        if (const auto next = nextSentence(shown))
            questions.emplace_back(*next);
        results->want(document, std::move(questions));
    };
    document->controller()->setKnown(results);
    QObject::connect(results, &QObject::destroyed, document->controller(),
                     [document] { document->controller()->setKnown(trace::NothingKnown::instance()); });
    QObject::connect(document, &Document::stateChanged, results, want);
    QObject::connect(results, &Results::changed, document, [document, results] {
        const auto importance = widgets::importanceQuestion(document->state());
        const auto known =
            importance ? results->of(importance->request, std::get<trace::ImportanceWhat>(importance->what))
                       : nullptr;
        if (known && known->complete)
            document->noteMeasured();
        const auto next = nextSentence(document->state());
        if (!next)
            return;
        if (const auto reading = results->of(*next))
            document->noteRead(reading);
        else if (results->refusalOf(trace::Counted(*next))) // stopped by the user
            document->stopReading();
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
    QObject::connect(results, &Results::progressed, view, [view, results](const trace::Wanted& question) {
        if (results->isWantedBy(view, question))
            view->refresh();
    });
    QObject::connect(view, &widgets::View::questionsChanged, results, follow);
    follow();
}

} // namespace headscope::app
