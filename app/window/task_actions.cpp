#include "app/window/task_actions.h"

#include "widgets/views/places.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <array>
#include <vector>

namespace headscope::app {

namespace {

struct TaskWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::app::TaskActions)
};

/// Actions that need decoded steps; a trace has those.
constexpr std::array ofDecoding{ActionId::ToStart,         ActionId::Back,         ActionId::Forward,
                                ActionId::ToEnd,           ActionId::RunTo,        ActionId::NextUnsure,
                                ActionId::RunOrStop,       ActionId::ShowBeamTree, ActionId::CompareBranches,
                                ActionId::CopyTranslation, ActionId::SourceShare,  ActionId::ShowLens};
/// Actions that decode anew, and actions that run any model.
constexpr std::array ofDecodingAnew{ActionId::StepByStep, ActionId::DecodingOptions, ActionId::ForceTarget,
                                    ActionId::MapLosses};
constexpr std::array ofRunning{ActionId::Decode, ActionId::ToggleHead};

void withhold(Actions& actions, const QString& whyNoDecoding, const QString& whyNothingRuns) {
    for (const ActionId id : ofDecoding)
        actions.withhold(id, whyNoDecoding);
    for (const ActionId id : ofDecodingAnew)
        actions.withhold(id, whyNoDecoding.isEmpty() ? whyNothingRuns : whyNoDecoding);
    for (const ActionId id : ofRunning)
        actions.withhold(id, whyNothingRuns);
}

/// Words of the menu and action that run the model, and title of the panel of its predictions.
struct Naming {
    QString menu, run, runToolTip, panel;
};

Naming namingOf(const trace::ModelSummary* model) {
    if (!model || model->decoderLayers > 0)
        return {TaskWords::tr("&Decode"), {}, {}, TaskWords::tr("Next token")};
    if (model->classes > 0)
        return {TaskWords::tr("&Classify"), TaskWords::tr("Class&ify"), TaskWords::tr("Classify the text"),
                TaskWords::tr("Class probabilities")};
    if (model->tokenPrediction == trace::TokenPrediction::Masked)
        return {TaskWords::tr("&Predict"), TaskWords::tr("Pre&dict"),
                TaskWords::tr("Predict the masked tokens of the text"), TaskWords::tr("Masked tokens")};
    if (model->tokenPrediction == trace::TokenPrediction::Replaced)
        return {TaskWords::tr("&Predict"), TaskWords::tr("Pre&dict"),
                TaskWords::tr("Predict which tokens of the text were replaced"),
                TaskWords::tr("Replaced tokens")};
    return {TaskWords::tr("Enc&ode"), TaskWords::tr("Enco&de"), TaskWords::tr("Run the encoder on the text"),
            TaskWords::tr("Predictions")};
}

/// Enables the panels of decoding only for models that decode.
void showPanels(QMainWindow& window, bool decodes, const QString& why) {
    std::vector<const char*> ofOutput;
    for (const auto& place : widgets::places())
        if (place.spec && place.beside.empty() && place.region == widgets::Place::Region::Bottom &&
            place.spec->canBeOf == widgets::decodes)
            ofOutput.push_back(place.spec->key);
    for (const char* name : ofOutput) {
        const auto* dock = window.findChild<QDockWidget*>(name);
        QAction* toggle = dock->toggleViewAction();
        const QString words = TaskWords::tr("Show or hide the panel \"%1\"").arg(dock->windowTitle());
        toggle->setEnabled(decodes);
        toggle->setToolTip(decodes ? words : QStringLiteral("%1\n%2").arg(words, why));
    }
}

} // namespace

void showTask(QMainWindow& window, Actions& actions, const trace::ModelSummary* model) {
    const bool classifies = model && model->classes > 0;
    const bool decodes = !model || model->decoderLayers > 0;
    actions.setEnabled(ActionId::ViewClassifier, classifies,
                       TaskWords::tr("This model has no classes: open a classifier."));
    const QString why = decodes      ? QString()
                        : classifies ? TaskWords::tr("This model classifies and does not decode.")
                        : model->hasNoHead()
                            ? TaskWords::tr("Encoder-only model: no output tokens.")
                            : TaskWords::tr("This model predicts tokens of the text and does not decode.");
    withhold(actions, why, model ? widgets::whyNothingRuns(*model) : QString());
    if (model && model->recorded)
        actions[ActionId::MapLosses]->setChecked(false); // else exported commands would request them
    showPanels(window, decodes, why);
    const auto naming = namingOf(model);
    actions.rename(ActionId::Decode, naming.run, naming.runToolTip);
    actions.menu("&Decode")->setTitle(naming.menu);
    auto* answer = window.findChild<QDockWidget*>("next-token");
    answer->setWindowTitle(naming.panel);
    answer->toggleViewAction()->setToolTip(
        TaskWords::tr("Show or hide the panel \"%1\"").arg(answer->windowTitle()));
}

} // namespace headscope::app
