#include "app/render/picture_views.h"

#include "app/desktop/picture_names.h"
#include "app/document/intents.h"
#include "app/results/results.h"
#include "app/results/served_view.h"
#include "model/trace/recorded_runs.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"

#include <QMainWindow>

#include <string>

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;

/// Converts options to choices. The default page is the first one.
widgets::Choices wantedChoices(const Options& options) {
    widgets::Choices wanted;
    wanted["window"]["space-marks"] = options.spaceMarks;
    const auto& spec = *widgets::viewSpec(options.view);
    const std::string of = spec.choicesOf ? spec.choicesOf : spec.key;
    if (!spec.pages.empty() && widgets::choiceSpec(of, "page"))
        wanted[of]["page"] = std::string(spec.pages.front());
    for (const auto& [choice, value] : options.choices) {
        const auto& rule = *widgets::pictureChoice(options.view, choice);
        wanted[rule.view][rule.name] = value;
    }
    return wanted;
}

/// Requests the results that the picture needs in addition to the run.
void requestResults(Document* document, const Options& options, const widgets::ViewSpec& view) {
    if (view.needsImportance && view.needsImportance(options))
        document->measureHeads();
    if (!view.needsTwin || !view.needsTwin(options))
        return;
    if (const auto seed = options.choices.find("twin-seed"); seed != options.choices.end()) {
        bool isNumber = false;
        const auto digits = QString::fromStdString(std::get<std::string>(seed->second));
        if (const auto number = digits.toULongLong(&isNumber); isNumber)
            document->setTwinSeed(number);
    } else if (const auto recorded = trace::recordedTwin(*document->run()->model)) {
        document->setTwinSeed(*recorded);
    }
    document->choose(widgets::withTwin());
}

} // namespace

std::unique_ptr<RenderedView> renderedView(Document* document, Results* results, const Options& options) {
    const auto& view = *widgets::viewSpec(options.view);
    requestResults(document, options, view);
    auto window = std::make_unique<QMainWindow>();
    window->resize(1200, 900);
    auto rendered = std::make_unique<RenderedView>();
    rendered->wanted = wantedChoices(options);
    rendered->choices = widgets::ViewChoices(&document->state(),
                                             [document](const auto& choices) { document->choose(choices); });
    rendered->choose(); // initial choices of the view
    auto* shown = widgets::makerOf(options.view)(document->selection(), window.get());
    window->setCentralWidget(shown); // only visible views have questions
    rendered->view = shown;
    shown->setRun(document->controller()->run());
    QObject::connect(shown, &widgets::View::intended, document,
                     [document](const auto& intent) { carryOut(document, intent); });
    serve(shown, document, results);
    shown->addChoices(rendered->choices);
    shown->showPicture(options);
    rendered->needs = view.needs;
    rendered->canBeOfModel = !widgets::lackOf(view, document->state());
    rendered->ofTrace = view.ofTrace;
    rendered->choose();
    window->show();
    rendered->window = std::move(window);
    return rendered;
}

} // namespace headscope::app
