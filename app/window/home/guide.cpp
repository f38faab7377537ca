#include "app/window/home/guide.h"

#include "app/document/session_controller.h"
#include "app/models/resource_folders.h"
#include "app/sessions/session.h"
#include "app/window/frame/workbench.h"
#include "app/window/home/learn_window.h"
#include "app/window/home/manual_browser.h"
#include "app/window/home/tour.h"
#include "app/window/home/welcome_strip.h"
#include "app/window/opened_model.h"
#include "model/trace/refusal.h"
#include "widgets/words/model_words.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/typed_source.h"

#include <QAction>
#include <QFile>

namespace headscope::app {

Guide::Guide(const IntendedParts& parts, SessionController* sessions, OpenedModel* opened,
             WelcomeStrip* strip)
    : QObject(strip), parts_(parts), sessions_(sessions), opened_(opened), strip_(strip),
      tour_(new Tour({.window = strip->window(),
                      .document = parts.document,
                      .actions = parts.actions,
                      .workbench = parts.workbench,
                      .sentence = parts.sentence,
                      .exporter = parts.exporter})) {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*parts_.actions)[id], &QAction::triggered, this, what);
    };
    on(ActionId::Tour, [this] { tour_->start(); });
    on(ActionId::Learn, [this] { showLearn(); });
    on(ActionId::Glossary, [this] {
        showLearn();
        learn()->showGlossary();
    });
    on(ActionId::Keys, [this] {
        showLearn();
        learn()->showKeys();
    });
    connectStrip();
}

void Guide::connectStrip() {
    auto& actions = *parts_.actions;
    connect(strip_, &WelcomeStrip::tourChosen, actions[ActionId::Tour], &QAction::trigger);
    connect(strip_, &WelcomeStrip::othersChosen, actions[ActionId::Home], &QAction::trigger);
    connect(strip_, &WelcomeStrip::ownChosen, actions[ActionId::OpenFolder], &QAction::trigger);
    connect(strip_, &WelcomeStrip::closed, this, [this] { parts_.settings->setIntroduced(); });
    connect(strip_, &WelcomeStrip::continueChosen, this, [this] {
        if (const auto last = parts_.settings->last(); last && last->path == lastFile_)
            sessions_->resume(last->path);
        else if (last)
            opened_->open(last->path);
    });
    connect(parts_.document, &Document::modelChanged, this, [this](const auto& model) {
        if (strip_->introduces())
            strip_->setTask(widgets::taskInWords(*model));
    });
}

void Guide::begin(const QString& lastFile, bool isAskedFor) {
    lastFile_ = lastFile;
    if (lastFile.isEmpty())
        return;
    if (!parts_.settings->isIntroduced())
        return strip_->introduce();
    const auto last = parts_.settings->last();
    if (last && !isAskedFor && parts_.settings->keepsLast() && QFile::exists(last->path))
        strip_->offerToContinue(last->sentence, last->model);
}

bool Guide::isAsAtTheStart(const SessionState& state) const {
    const auto samples = sampleSentences();
    const auto models = bundledModels();
    const bool isFirst = !models.empty() && nameOfModel(state.model.path) == models.front();
    return isFirst &&
           (!state.request || (!samples.empty() && state.request->source == trace::Source(samples.front()) &&
                               state.request->interventions.empty()));
}

void Guide::keepLast() {
    if (lastFile_.isEmpty())
        return;
    const auto& model = parts_.document->model();
    const auto state = sessions_->state();
    const QString own = sessions_->path();
    if (parts_.settings->keepsLast() && (!model || (own.isEmpty() && isAsAtTheStart(state))))
        return; // what was kept before is more
    if (!parts_.settings->keepsLast() || !own.isEmpty())
        QFile::remove(lastFile_);
    if (!parts_.settings->keepsLast())
        return parts_.settings->setLast(std::nullopt);
    try {
        if (own.isEmpty())
            saveSession(state, lastFile_.toStdString());
        parts_.settings->setLast(
            LastShown{.sentence = state.request ? widgets::typedText(state.request->source) : QString(),
                      .model = widgets::modelTitle(*model),
                      .path = own.isEmpty() ? lastFile_ : own});
    } catch (const trace::Refusal&) { // what was kept before is still there
    }
}

LearnWindow* Guide::learn() {
    if (!learn_)
        learn_ = new LearnWindow(QString::fromStdString(manualFolder().string()), *parts_.actions,
                                 strip_->window());
    return learn_;
}

void Guide::showLearn(const QString& target) {
    auto* window = learn();
    if (!target.isEmpty())
        window->browser()->open(target);
    window->show();
    window->raise();
    window->activateWindow();
}

} // namespace headscope::app
