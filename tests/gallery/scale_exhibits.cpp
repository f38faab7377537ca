#include "tests/gallery/exhibits.h"

#include <QPushButton>

#include "model/analysis/runs_beside.h"
#include "tests/widgets/answered_at_once.h"
#include "widgets/views/scale/scale_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// With heads that are as wide as usual ones.
std::shared_ptr<const trace::Run> withHeadWidth(const trace::Run& run) {
    auto made = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    model->headWidth = 32;
    made->model = model;
    return made;
}

Make scale(ScaleView::Page page, trace::HeadAddress head, ScoreScope scope, double temperature = 1) {
    struct Shown {
        std::shared_ptr<const trace::Run> run;
        ScaleAnswer answer;
        std::vector<analysis::HeadSpread> twin;
        std::shared_ptr<const ScaleAnswer> heads;
    };
    const auto shownOf = onceARun([=](const auto& narrow) {
        Shown shown{.run = withHeadWidth(*narrow)};
        const double counted = page == ScaleView::Page::Scores ? temperature : 1;
        shown.answer = answerOf({.run = shown.run, .head = head, .scope = scope, .temperature = counted});
        if (scope == ScoreScope::Model) {
            shown.twin = shown.answer.spreads;
            for (std::size_t i = 0; i < shown.twin.size(); ++i)
                shown.twin[i].products.variance = 32 * (0.7 + 0.02 * static_cast<double>(i % 24));
        }
        // While it is shown there is no time to count so much.
        if (page == ScaleView::Page::Temperature && scope != ScoreScope::Head)
            shown.heads = std::make_shared<const ScaleAnswer>(
                answerOf({.run = shown.run,
                          .head = scope == ScoreScope::Layer ? trace::HeadAddress{.site = head.site}
                                                             : trace::HeadAddress{},
                          .scope = scope,
                          .counts = ScaleCounts::Heads,
                          .temperature = temperature}));
        return shown;
    });
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(head);
        selection->setStep(5);
        auto* view = new ScaleView(selection);
        view->setPage(page);
        view->setScope(scope);
        if (!run)
            return view;
        const auto& [shown, answer, twin, heads] = shownOf(run);
        view->setRun(shown);
        view->setTemperature(temperature);
        auto* answers = example::givenAnswers(view);
        answers->give(answer.question, answer);
        if (heads)
            answers->give(heads->question, *heads);
        if (twin.empty())
            return view;
        answers->give(TwinSpreads{analysis::twinReadingRequest(analysis::shownRequest(*shown), *shown, 1)},
                      twin);
        for (auto* button : view->findChildren<QPushButton*>())
            if (button->text() == ScaleView::tr("Measure the Random Twin"))
                button->click();
        return view;
    };
}

} // namespace

QList<Exhibit> scaleExhibits() {
    using Page = ScaleView::Page;
    return {
        {"scale-scores", scale(Page::Scores, example::aligningHead, ScoreScope::Head), large},
        {"scale-scores-all", scale(Page::Scores, decoder, ScoreScope::Model), large},
        {"scale-scores-temperature", scale(Page::Scores, example::aligningHead, ScoreScope::Head, 0.1),
         large},
        {"scale-variance", scale(Page::Variance, encoder, ScoreScope::Layer), large},
        {"scale-variance-twin", scale(Page::Variance, encoder, ScoreScope::Model), large},
        {"scale-temperature", scale(Page::Temperature, example::aligningHead, ScoreScope::Head, 0.35), large},
        {"scale-temperature-all", scale(Page::Temperature, decoder, ScoreScope::Model, 0.35), large},
        {"scale-temperature-layer", scale(Page::Temperature, decoder, ScoreScope::Layer, 2), large},
        {"scale-temperature-decoder", scale(Page::Temperature, decoder, ScoreScope::Head, 4), large},
    };
}

} // namespace headscope::gallery
