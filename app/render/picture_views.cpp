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

/// Converts options to choices: without a page it is the first one.
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

/// The results that the picture shows beside the run itself.
void standBeside(const Scene& scene, const Options& options, const widgets::ViewSpec& view) {
    auto* document = scene.document;
    if (view.needsImportance && view.needsImportance(options))
        document->measureHeads();
    if (!view.needsTwin || !view.needsTwin(options))
        return;
    if (const auto seed = options.choices.find("twin-seed"); seed != options.choices.end()) {
        bool isNumber = false;
        const auto digits = QString::fromStdString(std::get<std::string>(seed->second));
        if (const auto number = digits.toULongLong(&isNumber); isNumber)
            document->setTwinSeed(number);
    } else if (const auto held = trace::recordedTwin(*document->run()->model)) {
        document->setTwinSeed(*held);
    }
    document->choose(widgets::withTwin());
}

} // namespace

std::unique_ptr<RenderedView> sceneView(const Scene& scene, const widgets::PictureOptions& options) {
    const auto& view = *widgets::viewSpec(options.view);
    standBeside(scene, options, view);
    auto window = std::make_unique<QMainWindow>();
    window->resize(1200, 900);
    auto stage = std::make_unique<RenderedView>();
    stage->wanted = wantedChoices(options);
    auto* document = scene.document;
    stage->choices = widgets::ViewChoices(&document->state(),
                                          [document](const auto& choices) { document->choose(choices); });
    stage->choose(); // what views begin with
    auto* shown = widgets::makerOf(options.view)(document->selection(), window.get());
    window->setCentralWidget(shown); // only visible views ask
    stage->figure = stage->view = shown;
    shown->setRun(document->controller()->run());
    QObject::connect(shown, &widgets::View::intended, document,
                     [document](const auto& intent) { carryOut(document, intent); });
    serve(shown, document, scene.results);
    shown->addChoices(stage->choices);
    shown->showPicture(options);
    stage->needs = view.needs;
    stage->canBeOfModel = !widgets::lackOf(view, scene.document->state());
    stage->ofTrace = view.ofTrace;
    stage->choose();
    window->show();
    stage->window = std::move(window);
    return stage;
}

} // namespace headscope::app
