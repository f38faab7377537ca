#include "app/window/opened_model.h"

#include "app/desktop/file_dialogs.h"
#include "app/desktop/message_panel.h"
#include "app/document/document.h"
#include "app/document/session_controller.h"
#include "app/document/window_state.h"
#include "app/models/hub_link.h"
#include "app/training/snapshot_controller.h"
#include "app/window/frame/workbench.h"
#include "app/window/home/home_page.h"
#include "app/window/pattern_dialog.h"
#include "app/window/timing.h"
#include "app/window/top/decode_popups.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/top_bar.h"
#include "app/window/top/typed_sentence.h"
#include "app/window/window_intents.h"
#include "app/window/window_sessions.h"
#include "model/files/hub_cache.h"
#include "model/trace/recorded_runs.h"
#include "widgets/words/model_words.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/typed_source.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QTimer>

#include <array>
#include <utility>

namespace headscope::app {

namespace {

/// Actions that need decoded steps; a trace has those.
constexpr std::array ofDecoding{ActionId::ToStart, ActionId::ToEnd, ActionId::RunTo, ActionId::Play,
                                ActionId::CopyTranslation};
/// Actions that go from step to step, or from mask to mask.
constexpr std::array ofSteps{ActionId::Back, ActionId::Forward};
/// Actions that decode anew, and actions that run any model.
constexpr std::array ofDecodingAnew{ActionId::StepByStep, ActionId::DecodingOptions, ActionId::MapLosses};
constexpr std::array ofRunning{ActionId::Decode, ActionId::ToggleHead};

bool predictsMasks(const trace::ModelSummary* model) {
    return model && model->tokenPrediction == trace::TokenPrediction::Masked;
}

QString translated(const std::optional<widgets::Lack>& lack) {
    return lack ? QCoreApplication::translate("ViewSpec", lack->why) : QString();
}

void withhold(Actions& actions, const widgets::DocumentState& document) {
    const auto* model = document.model.get();
    const QString whyNoDecoding = translated(widgets::lacksDecoder(document));
    const QString whyNothingRuns = model ? widgets::whyNothingRuns(*model) : QString();
    for (const ActionId id : ofDecoding)
        actions.withhold(id, whyNoDecoding);
    for (const ActionId id : ofSteps)
        actions.withhold(id, model && model->hasEncoderSteps() ? QString() : whyNoDecoding);
    const bool isNumber = model && model->numbers > 0;
    actions.withhold(ActionId::NextUnsure, isNumber ? OpenedModel::tr("A number has no token to go to.")
                                                    : translated(widgets::lacksPrediction(document)));
    for (const ActionId id : ofDecodingAnew)
        actions.withhold(id, whyNoDecoding.isEmpty() ? whyNothingRuns : whyNoDecoding);
    for (const ActionId id : ofRunning)
        actions.withhold(id, whyNothingRuns);
    actions.withhold(ActionId::SplitByPattern,
                     !model                     ? OpenedModel::tr("This needs an open model.")
                     : model->recorded          ? OpenedModel::tr("A recording has no tokenizer.")
                     : model->tokenizer.empty() ? OpenedModel::tr("This model reads ids only.")
                     : model->property("format").starts_with("GGUF")
                         ? OpenedModel::tr("A GGUF file has a tokenizer of its own.")
                         : QString());
}

/// Words of the action that runs the model.
struct Naming {
    QString run, toolTip;
};

Naming namingOf(const trace::ModelSummary* model) {
    if (model && model->isDecoderAlone())
        return {OpenedModel::tr("Co&ntinue"), OpenedModel::tr("Continue the prompt from its end")};
    if (!model || model->decoderLayers > 0)
        return {};
    if (model->classes > 0)
        return {OpenedModel::tr("Class&ify"), OpenedModel::tr("Classify the text")};
    if (predictsMasks(model))
        return {OpenedModel::tr("Pre&dict"), OpenedModel::tr("Predict the masked tokens of the text")};
    if (model->tokenPrediction == trace::TokenPrediction::Replaced)
        return {OpenedModel::tr("Pre&dict"),
                OpenedModel::tr("Predict which tokens of the text were replaced")};
    if (model->tokenPrediction == trace::TokenPrediction::Labels)
        return {OpenedModel::tr("Pre&dict"), OpenedModel::tr("Predict the label of each token of the text")};
    if (model->tokenPrediction == trace::TokenPrediction::Span)
        return {OpenedModel::tr("Pre&dict"),
                OpenedModel::tr("Predict where the second text answers the first one")};
    if (model->numbers > 0)
        return {OpenedModel::tr("Pre&dict"), OpenedModel::tr("Predict a number for the text")};
    return {OpenedModel::tr("Enco&de"), OpenedModel::tr("Run the encoder on the text")};
}

} // namespace

OpenedModel::OpenedModel(const Parts& parts) : QObject(parts.window), parts_(parts) {
    connectOpening();
    connectSentence();
    showTask(nullptr);
}

void OpenedModel::connectOpening() {
    auto* opener = parts_.document->opener();
    auto* time = parts_.top->trainingTime();
    connect(parts_.document->queue(), &WorkQueue::modelOpened, this, &OpenedModel::take);
    connect(parts_.document, &Document::modelChanged, this, &OpenedModel::follow);
    connect(parts_.document, &Document::stateChanged, this, &OpenedModel::measureTrace);
    connect(opener, &ModelOpener::refused, parts_.message, &MessagePanel::showRefusal);
    connect(opener, &ModelOpener::baseWanted, this,
            [this] { parts_.message->offer(tr("Choose the Base Model..."), [this] { askForBase(); }); });
    connect(opener, &ModelOpener::refused, time, &SnapshotController::stay);
    connect(opener, &ModelOpener::refused, this, [this] {
        if (!parts_.document->model())
            parts_.workbench->showNoModel();
    });
    connect(parts_.home, &HomePage::chosen, this, &OpenedModel::open);
    connect(opener, &ModelOpener::gaveUp, time, &SnapshotController::stay);
    // Queued, as opening a model hides messages about the previous one.
    connect(opener, &ModelOpener::answersNotWritten, parts_.message, &MessagePanel::showRefusal,
            Qt::QueuedConnection);
    connect(time, &SnapshotController::chosen, parts_.sessions->state(), &WindowState::abandon);
    connect(parts_.top->models(), &ModelButton::chosen, this, &OpenedModel::open);
    connect(parts_.sessions->controller(), &SessionController::folderFound, this, &OpenedModel::openModel);
    connect(parts_.sessions->controller(), &SessionController::fileChanged, this, &OpenedModel::noteSession);
    connect(parts_.sessions->controller(), &SessionController::aboutToShow, parts_.message, &QWidget::hide);
    for (const bool folder : {true, false})
        connect((*parts_.actions)[folder ? ActionId::OpenFolder : ActionId::OpenFile], &QAction::triggered,
                this, [this, folder] {
                    if (const QString path = chosenModel(parts_.window, folder); !path.isEmpty())
                        open(path);
                });
    connect((*parts_.actions)[ActionId::AskAgain], &QAction::triggered, this, [this] {
        parts_.sessions->state()->abandon();
        parts_.document->opener()->askAgain();
    });
    connect((*parts_.actions)[ActionId::SplitByPattern], &QAction::triggered, this,
            &OpenedModel::askForPattern);
}

/// A base is a folder in most cases, and its weights lie in it.
void OpenedModel::askForBase() {
    const QString base =
        askFolder({.window = parts_.window, .title = tr("Choose the Base Model of the Adapter")});
    if (base.isEmpty())
        return;
    parts_.sessions->state()->abandon();
    parts_.document->opener()->setSample(parts_.typed->text());
    parts_.document->opener()->openWithBase(base);
}

void OpenedModel::askForPattern() {
    auto* document = parts_.document;
    auto* dialog = new PatternDialog(document->queue(), document->opener()->pattern(), parts_.typed->text(),
                                     parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        parts_.message->hide();
        parts_.sessions->state()->abandon();
        parts_.document->opener()->openWithPattern(dialog->pattern());
    });
    dialog->open();
}

void OpenedModel::connectSentence() {
    connect(parts_.typed, &TypedSentence::refused, parts_.message, &MessagePanel::showRefusal);
    connect(parts_.typed, &TypedSentence::recordedWanted, this, &OpenedModel::showRecorded);
    connect(parts_.typed, &TypedSentence::aboutToDecode, this, [this] {
        parts_.message->hide();
        parts_.sessions->state()->abandon();
    });
}

void OpenedModel::open(const QString& pathOrName) {
    parts_.message->hide();
    parts_.top->trainingTime()->pause(); // playback would replace the chosen model
    if (isHubLink(pathOrName.toStdString()))
        return openLink(pathOrName.toStdString());
    if (SessionController::isSession(pathOrName))
        return parts_.sessions->controller()->open(pathOrName);
    openModel(pathOrName);
}

/// Nothing is opened before the user agrees: any web page may have written the link. What it names is looked
/// for in the cache alone.
void OpenedModel::openLink(const std::string& link) {
    const auto stay = [this] {
        if (parts_.document->model())
            return;
        parts_.workbench->showNoModel();
        parts_.document->lookForModel();
    };
    std::string name;
    try {
        name = modelOfLink(link);
    } catch (const trace::Refusal& refusal) {
        stay();
        return parts_.message->showRefusal(refusal.text());
    }
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Open a Model"),
                        tr("Open %1, which a web page asked for?").arg(QString::fromStdString(name)),
                        QMessageBox::Open | QMessageBox::Cancel, parts_.window);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(
        tr("The model is read from Hugging Face's cache on this computer. Nothing is downloaded."));
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QDialog::finished, this, [this, name, stay](int answer) {
        if (answer == QMessageBox::Open)
            openModel(QString::fromStdString(files::hubFolder(name).string()));
        else
            stay();
    });
    question->open();
}

void OpenedModel::openModel(const QString& pathOrName) {
    parts_.sessions->state()->abandon();
    parts_.document->opener()->setSample(parts_.typed->text());
    parts_.document->opener()->open(pathOrName);
}

void OpenedModel::take(std::shared_ptr<const trace::ModelSummary> model) {
    reportTiming("model open");
    parts_.message->hide(); // messages about the previous model
    const auto goesOn = parts_.top->trainingTime()->follow();
    if (!goesOn || !(*parts_.actions)[ActionId::Train]->isChecked()) // which shows all snapshots of a series
        parts_.workbench->setWorkspace(parts_.workbench->workspace()); // leaves Home
    if (goesOn)
        holdPicture();
    auto* document = parts_.document;
    auto* controller = document->controller();
    document->adopt(std::move(model));
    noteModel();
    parts_.actions->setEnabled(ActionId::AskAgain, document->opener()->usedAnswers(),
                               tr("The model's files contain all settings."));
    const int newTokens = controller->newTokens();
    const int step = document->selection()->step();
    const auto& run = document->run();
    const auto before = document->opener()->readsAgain() && run ? std::optional(run->request) : std::nullopt;
    controller->clear(*document->model());
    parts_.popups->setModel(document->model());
    if (isRestored())
        return;
    if (before)
        return readAgain(*before);
    if (!goesOn)
        return decodeFirst();
    document->setHeadFollowsRun(false); // the same head in another snapshot
    document->controller()->restore({.request = *goesOn, .newTokens = newTokens, .step = step});
}

void OpenedModel::noteModel() {
    const auto& model = *parts_.document->model();
    parts_.settings->setOpened(parts_.document->opener()->rememberedAs(),
                               {.isRecording = model.recorded != nullptr,
                                .about = widgets::sizeInWords(model),
                                .when = QDateTime::currentDateTime()});
}

void OpenedModel::noteSession() {
    const QString& path = parts_.sessions->controller()->path();
    const QString before = std::exchange(session_, path);
    if (path.isEmpty() || before == path)
        return;
    parts_.settings->addRecentSession(path);
    const auto& model = parts_.document->model();
    parts_.settings->setOpened(path, {.about = model ? widgets::modelTitle(*model) : QString(),
                                      .when = QDateTime::currentDateTime()});
}

/// Reads what is typed in the languages that the model was opened for again; changes and head stay.
void OpenedModel::readAgain(const trace::Request& before) {
    auto* document = parts_.document;
    document->setHeadFollowsRun(false);
    const auto* controller = document->controller();
    auto request = before;
    const QString typed = parts_.typed->text();
    if (auto source = widgets::typedSource(typed, *document->model()); source && !typed.isEmpty())
        request.source = std::move(*source);
    request.paths = {{.newTokens = controller->newTokens()}};
    request.decoding = controller->decoding();
    document->controller()->restore({.request = std::move(request), .newTokens = controller->newTokens()});
}

void OpenedModel::decodeFirst() {
    const auto& model = *parts_.document->model();
    forgetQuestions();
    parts_.workbench->openWith({.model = parts_.document->model()});
    if (model.recorded)
        return showRecorded();
    parts_.typed->choose();
    if (model.opensWithoutMask)
        parts_.document->controller()->setInterventions({{trace::LiftMask()}});
    if (!parts_.typed->decode())
        parts_.top->trainingTime()->pause(); // playback waits for a run
    offerActions();
}

void OpenedModel::offerActions() {
    const widgets::DocumentState document{.model = parts_.document->model()};
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions)
            if (*action.ofModel && !widgets::lackOf(view, document) &&
                !(action.lacks && action.lacks(document)))
                Q_EMIT offered(QCoreApplication::translate("Actions", action.ofModel),
                               (*parts_.actions)[widgets::actionKey(view, action)]);
}

void OpenedModel::follow(const std::shared_ptr<const trace::ModelSummary>& model) {
    for (auto* view : parts_.workbench->views())
        view->setModel(model);
    showTask(model);
}

/// Hides what has no meaning for the model, such as tabs of what it lacks, withholds actions that do not
/// apply to it, and gives the action that runs it its name.
void OpenedModel::showTask(const std::shared_ptr<const trace::ModelSummary>& model) {
    const widgets::DocumentState document{.model = model};
    parts_.workbench->follow(document);
    withholdActions(*parts_.actions, document);
    using Task = SentencePanel::Task;
    parts_.top->sentence()->setTask(!model                      ? Task::Translate
                                    : model->decoderLayers == 0 ? Task::Read
                                    : model->isDecoderAlone()   ? Task::Continue
                                                                : Task::Translate);
    auto& actions = *parts_.actions;
    withhold(actions, document);
    if (model && model->recorded)
        actions[ActionId::MapLosses]->setChecked(false); // else exported commands would request them
    const auto naming = namingOf(model.get());
    actions.rename(ActionId::Decode, naming.run, naming.toolTip);
    const bool areMasks = predictsMasks(model.get()), areLabels = model && model->tokenLabels > 0;
    actions.rename(ActionId::Back, {},
                   areMasks    ? tr("Go to the previous mask")
                   : areLabels ? tr("Go to the previous token")
                               : QString());
    actions.rename(ActionId::Forward, {},
                   areMasks    ? tr("Go to the next mask")
                   : areLabels ? tr("Go to the next token")
                               : QString());
}

/// What a trace holds of its heads is shown at once; if it holds nothing, the view says so.
void OpenedModel::measureTrace() {
    const auto& state = parts_.document->state();
    if (!state.run || !state.run->model || !state.run->model->recorded || !state.run->complete ||
        trace_.lock() == state.run)
        return;
    trace_ = state.run;
    if (!widgets::lacksOutput(state))
        parts_.document->measureHeads();
}

/// Text typed for the previous model has no meaning for this one.
void OpenedModel::forgetQuestions() {
    for (auto* view : parts_.workbench->views())
        view->forgetTyped();
    parts_.document->controller()->setRatherThan({});
}

bool OpenedModel::isRestored() {
    auto* state = parts_.sessions->state();
    if (!state->isOpening(parts_.document->opener()->openPath()))
        return false;
    parts_.document->setHeadFollowsRun(false);
    parts_.typed->forgetFirst();
    state->takeOver();
    return true;
}

/// Views would be empty until the new model has decoded something. For another snapshot of the same model,
/// keeps the old picture on screen until there is a new run, for at most 300 ms.
void OpenedModel::holdPicture() {
    constexpr int longest = 300;
    auto* window = parts_.window;
    window->setUpdatesEnabled(false);
    const auto release = [window] { window->setUpdatesEnabled(true); };
    QTimer::singleShot(longest, window, release);
    auto* once = new QObject(this);
    connect(parts_.document->controller(), &DecodeController::runChanged, once,
            [once, release](const auto& run) {
                if (!run)
                    return;
                release();
                once->deleteLater();
            });
}

void OpenedModel::showRecorded() {
    const auto& model = *parts_.document->model();
    parts_.typed->showRecorded();
    parts_.sessions->state()->abandon();
    parts_.document->controller()->setRatherThan(
        QString::fromStdString(model.recorded->ratherThan.value_or(std::string())));
    if (const auto seed = trace::recordedTwin(model))
        parts_.document->setTwinSeed(*seed);
    parts_.document->controller()->restore(
        {.request = *model.recorded, .newTokens = parts_.document->controller()->newTokens()});
}

} // namespace headscope::app
