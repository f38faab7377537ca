#include "app/results/result_parts.h"

#include "app/results/map_analyses.h"
#include "app/results/results.h"

namespace headscope::app {

ResultParts::ResultParts(Document* document, QObject* parent) : QObject(parent) {
    auto* queue = document->queue();
    auto* controller = document->controller();
    auto* selection = document->selection();
    answers_ = new Results(queue, this);
    maps_ = new MapAnalyses(answers_, controller, selection, this);
    // Heads are measured whoever looks.
    const auto measure = [this, document] {
        answers_->setShown(document->run());
        const auto question = widgets::importanceQuestion(document->state());
        answers_->want(document, question && document->state().measures ? Results::Questions{*question}
                                                                        : Results::Questions());
    };
    connect(document, &Document::stateChanged, this, measure);
    connect(document, &Document::stateChanged, maps_,
            [this, document] { maps_->setChosenClass(document->state().chosenClass); });
    connect(answers_, &Results::changed, this, [this, document] {
        const auto& shown = document->state();
        const auto known = shown.request ? answers_->of(*shown.request, trace::ImportanceWhat()) : nullptr;
        if (known && known->complete)
            document->noteMeasured();
    });
}

} // namespace headscope::app
