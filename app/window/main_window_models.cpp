#include "app/document/model_opener.h"
#include "app/document/session_desk.h"
#include "app/document/what_if.h"
#include "app/document/window_state.h"
#include "app/models/resource_folders.h"
#include "app/results/analyses.h"
#include "app/training/training_time.h"
#include "app/window/decode_popups.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/what_if_dock.h"
#include "app/window/head_bar.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/sentence_panel.h"
#include "app/window/target_language_box.h"
#include "app/window/timing.h"
#include "model/trace/recorded_runs.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/batch/batch_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/typed_source.h"
#include "widgets/words/way_to_a_run.h"

#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>
#include <utility>
#include <variant>

namespace headscope::app {

void MainWindow::openModel(const QString& pathOrName) {
    message_->hide();
    trainingTime_->pause(); // what is chosen is not played over
    if (SessionDesk::isSession(pathOrName))
        return sessions_->open(pathOrName);
    openModelAt(pathOrName);
}

void MainWindow::openModelAt(const QString& pathOrName) {
    state_->abandon();
    opener_->setSample(sentence_->edit()->text().trimmed());
    opener_->open(pathOrName);
}

void MainWindow::modelOpened(std::shared_ptr<const trace::ModelSummary> model) {
    reportTiming("model open");
    message_->hide(); // of the model before
    const auto goesOn = trainingTime_->follow();
    if (goesOn)
        holdPicture();
    adoptModel(std::move(model));
    actions_->setEnabled(ActionId::AskAgain, opener_->usedAnswers(),
                         tr("The files of this model say all that is needed."));
    const int newTokens = controller_->newTokens();
    const int step = selection_->step();
    controller_->clear(*model_);
    popups_->setModel(model_);
    if (restoresModel())
        return;
    if (goesOn) {
        chooseFirstHead_ = false; // the same head, at another moment
        whatIf_->restore({.request = *goesOn, .newTokens = newTokens, .step = step});
        return;
    }
    forgetQuestions();
    if (model_->classes > 0)
        tabs_->setCurrentWidget(classifier_);
    else if (model_->opensAt)
        tabs_->setCurrentWidget(compared_);
    if (model_->recorded) {
        showRecorded();
        return;
    }
    chooseText();
    if (model_->opensWithoutMask)
        whatIf_->add(trace::LiftMask());
    if (!decodeSentence())
        trainingTime_->pause(); // which waits for a run
}

/// What was typed about the model before says nothing about this one.
void MainWindow::forgetQuestions() {
    compare_->bar()->setSentence({});
    headTable_->table()->forgetSearch();
    overview_->forgetSearch();
    analyses_->setRatherThan({});
}

/// Views that show nothing say then how a model is opened.
void MainWindow::followMissingModel() {
    const bool isAwaited = !started_ || queue_->isBusy(RunQueue::Slot::Model) ||
                           queue_->isBusy(RunQueue::Slot::Session) || opener_->isAsking();
    const bool isMissing = !model_ && !isAwaited;
    if (std::exchange(modelMissing_, isMissing) == isMissing)
        return;
    Q_EMIT controller_->runChanged(controller_->run()); // none: everyone finds new words
}

/// Views go empty for as long as nothing is decoded by a model that was opened just now. Where that is the
/// same one a little later in its training, they keep what they show until there is something new.
void MainWindow::holdPicture() {
    constexpr int longest = 300;
    setUpdatesEnabled(false);
    const auto release = [this] { setUpdatesEnabled(true); };
    QTimer::singleShot(longest, this, release);
    auto* once = new QObject(this);
    connect(controller_, &DecodeController::runChanged, once, [once, release](const auto& run) {
        if (!run)
            return;
        release();
        once->deleteLater();
    });
}

/// The one run that a trace holds.
void MainWindow::showRecorded() {
    startWith_.sentence.reset();
    if (keptSentence_.isEmpty())
        keptSentence_ = sentence_->edit()->text();
    sentence_->edit()->setText(widgets::typedText(model_->recorded->source));
    state_->abandon();
    analyses_->setRatherThan(QString::fromStdString(model_->recorded->ratherThan.value_or(std::string())));
    selection_->clearPinned();
    selection_->setCursor({});
    if (const auto seed = trace::recordedTwin(*model_))
        showTwinOf(*seed);
    whatIf_->restore({.request = *model_->recorded, .newTokens = controller_->newTokens()});
}

void MainWindow::adoptModel(std::shared_ptr<const trace::ModelSummary> model) {
    model_ = std::move(model);
    followMissingModel(); // whatever happens next may ask
    const QString title = widgets::modelTitle(*model_);
    showTitle();
    showModelName(title);
    const QString another = tr("Open another model");
    const QString why = widgets::whyNothingRuns(*model_);
    modelButton_->setToolTip(why.isEmpty() ? another
                                           : widgets::plainToolTip(title + '\n' + why + '\n' + another));
    modelButton_->setAccessibleDescription(why);
    languages_->setText(model_->sourceLanguage.empty() ? QString()
                        : model_->targetLanguage.empty()
                            ? widgets::languageName(model_->sourceLanguage)
                            : tr("%1 > %2").arg(widgets::languageName(model_->sourceLanguage),
                                                widgets::languageName(model_->targetLanguage)));
    chooseFirstHead_ = true;
    headBar_->setModel(model_);
    offerSamples();
    sentence_->edit()->setHistory(settings_.history(opener_->rememberedAs()));
    whatIfDock_->setModel(model_);
    architecture_->setModel(model_);
    masks_->setModel(model_);
    keepPinsOf(*model_);
    sentence_->language()->setModel(*model_, settings_.targetLanguage(opener_->openPath()));
    followHead();
}

/// With room for the longest name of its series, so that nothing beside it moves with the slider.
void MainWindow::showModelName(const QString& name) {
    modelButton_->setMinimumWidth(0);
    int widest = 0;
    for (const QString& other : trainingTime_->names(name)) {
        modelButton_->setText(other);
        widest = std::max(widest, modelButton_->sizeHint().width());
    }
    modelButton_->setText(name);
    modelButton_->setMinimumWidth(widest);
}

/// The field holds ids, or words of a model's own, only as long as a model needs them; a sentence comes back
/// for the next one that reads text.
void MainWindow::chooseText() {
    auto* edit = sentence_->edit();
    const QString own = !model_->samples.empty()     ? QString::fromStdString(model_->samples.front())
                        : !model_->tokenizer.empty() ? QString()
                        : widgets::typedSource(edit->text(), *model_) ? edit->text()
                                                                      : widgets::exampleIdsText(*model_);
    if (startWith_.sentence) {
        edit->setText(*std::exchange(startWith_.sentence, std::nullopt));
    } else if (!own.isEmpty()) {
        if (keptSentence_.isEmpty() && edit->text() != own)
            keptSentence_ = edit->text();
        edit->setText(own);
    } else if (!keptSentence_.isEmpty()) {
        edit->setText(std::exchange(keptSentence_, QString()));
    }
}

/// Sentences to begin with, in the model's own words or in English.
void MainWindow::offerSamples() {
    const bool own = model_ && !model_->samples.empty();
    QStringList samples;
    for (const auto& sentence : own ? model_->samples : sampleSentences())
        samples += QString::fromStdString(sentence);
    sentence_->edit()->setSamples(samples);
    masks_->batch()->setSamples(samples,
                                own ? QString::fromStdString(model_->sourceLanguage) : QStringLiteral("en"));
}

/// What a model was opened with is not what a person typed for it.
void MainWindow::decodeTyped() {
    if (!decodeSentence())
        return;
    settings_.addToHistory(opener_->rememberedAs(), sentence_->edit()->text().trimmed());
    sentence_->edit()->setHistory(settings_.history(opener_->rememberedAs()));
}

bool MainWindow::decodeSentence() {
    const QString text = sentence_->edit()->text().trimmed();
    if (modelMissing_) {
        message_->showRefusal({.what = tr("There is no model to decode with").toStdString(),
                               .wayOut = widgets::wayOutToARun(*this).toStdString()});
        return false;
    }
    if (model_ && !model_->recorded && model_->sourceVocabulary == 0) {
        message_->showRefusal(
            {.what = tr("This model has no embedding of its own").toStdString(),
             .where = model_->path,
             .expected = tr("vectors to run on instead of a sentence").toStdString(),
             .wayOut = tr("use headscope-cli trace with --source-embeddings").toStdString()});
        return false;
    }
    if (!model_)
        return false;
    if (model_->recorded) {
        const QString known = widgets::typedText(model_->recorded->source);
        if (text == known.trimmed()) {
            showRecorded();
        } else {
            sentence_->edit()->setText(known); // above its maps stands what they are of
            message_->showRefusal(
                {.what =
                     tr("A trace holds one run, and no model that could read another sentence").toStdString(),
                 .where = model_->path,
                 .wayOut = tr("open the model that it was recorded from").toStdString()});
        }
        return false;
    }
    if (text.isEmpty()) {
        message_->showRefusal(
            {.what = (model_->decoderLayers > 0 ? tr("There is nothing to decode")
                                                : tr("There is nothing to read"))
                         .toStdString(),
             .wayOut = tr("type a sentence, or choose one beside the field").toStdString()});
        return false;
    }
    const auto source = widgets::typedSource(text, *model_, sentence_->language()->language());
    if (!source) {
        message_->showRefusal(
            {.what = tr("This model has no tokenizer").toStdString(),
             .expected = tr("ids, such as %1").arg(widgets::exampleIdsText(*model_)).toStdString(),
             .wayOut = tr("type ids instead of a sentence").toStdString()});
        return false;
    }
    message_->hide();
    state_->abandon();
    selection_->clearPinned(); // tokens of the sentence that is left
    selection_->setCursor({});
    controller_->decode(*source);
    return true;
}

} // namespace headscope::app
