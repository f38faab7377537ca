#include "app/window/task_actions.h"

#include "widgets/view_spec.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include <array>

namespace headscope::app {

namespace {

struct TaskWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::app::TaskActions)
};

/// Actions that need decoded steps; a trace has those.
constexpr std::array ofDecoding{ActionId::ToStart,   ActionId::Back,           ActionId::Forward,
                                ActionId::ToEnd,     ActionId::RunTo,          ActionId::NextUnsure,
                                ActionId::RunOrStop, ActionId::CopyTranslation};
/// Actions that decode anew, and actions that run any model.
constexpr std::array ofDecodingAnew{ActionId::StepByStep, ActionId::DecodingOptions, ActionId::MapLosses};
constexpr std::array ofRunning{ActionId::Decode, ActionId::ToggleHead};

void withhold(Actions& actions, const QString& whyNoDecoding, const QString& whyNothingRuns) {
    for (const ActionId id : ofDecoding)
        actions.withhold(id, whyNoDecoding);
    for (const ActionId id : ofDecodingAnew)
        actions.withhold(id, whyNoDecoding.isEmpty() ? whyNothingRuns : whyNoDecoding);
    for (const ActionId id : ofRunning)
        actions.withhold(id, whyNothingRuns);
}

/// Words of the menu and action that run the model.
struct Naming {
    QString menu, run, runToolTip;
};

Naming namingOf(const trace::ModelSummary* model) {
    if (!model || model->decoderLayers > 0)
        return {TaskWords::tr("&Decode"), {}, {}};
    if (model->classes > 0)
        return {TaskWords::tr("&Classify"), TaskWords::tr("Class&ify"), TaskWords::tr("Classify the text")};
    if (model->tokenPrediction == trace::TokenPrediction::Masked)
        return {TaskWords::tr("&Predict"), TaskWords::tr("Pre&dict"),
                TaskWords::tr("Predict the masked tokens of the text")};
    if (model->tokenPrediction == trace::TokenPrediction::Replaced)
        return {TaskWords::tr("&Predict"), TaskWords::tr("Pre&dict"),
                TaskWords::tr("Predict which tokens of the text were replaced")};
    return {TaskWords::tr("Enc&ode"), TaskWords::tr("Enco&de"), TaskWords::tr("Run the encoder on the text")};
}

} // namespace

void showTask(Actions& actions, const trace::ModelSummary* model) {
    const auto lack =
        widgets::lacksDecoder({.model = model ? std::make_shared<trace::ModelSummary>(*model) : nullptr});
    withhold(actions, lack ? QCoreApplication::translate("ViewSpec", lack->why) : QString(),
             model ? widgets::whyNothingRuns(*model) : QString());
    if (model && model->recorded)
        actions[ActionId::MapLosses]->setChecked(false); // else exported commands would request them
    const auto naming = namingOf(model);
    actions.rename(ActionId::Decode, naming.run, naming.runToolTip);
    actions.menu("&Decode")->setTitle(naming.menu);
}

} // namespace headscope::app
