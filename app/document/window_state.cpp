#include "app/document/window_state.h"

#include "model/trace/run_path.h"

#include <QScopedValueRollback>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;

/// Returns the text that stands for a source in the input field; empty for sources that cannot be typed.
std::optional<std::string> textOf(const trace::Source& source) {
    if (const auto* text = std::get_if<std::string>(&source))
        return *text;
    const auto* ids = std::get_if<trace::SourceIds>(&source);
    if (!ids)
        return std::nullopt;
    std::string text;
    for (const auto id : ids->ids)
        text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

trace::HeadAddress within(const trace::ModelSummary& model, trace::HeadAddress head) {
    const auto kind = head.site.kind;
    head.site.layer = std::clamp<std::size_t>(head.site.layer, 0, std::max(0, model.layers(kind) - 1));
    head.head = std::clamp<std::size_t>(head.head, 0, std::max(0, model.heads(kind) - 1));
    return head;
}

/// Decoding rules that the user cannot choose come from the open model.
trace::Request ofModel(trace::Request request, const trace::Decoding& usual) {
    request.decoding.rule = usual.rule;
    request.decoding.forbidden = usual.forbidden;
    request.decoding.forcedFirst = usual.forcedFirst;
    request.decoding.forcedEnd = usual.forcedEnd;
    request.decoding.suppressed = usual.suppressed;
    request.decoding.suppressedFirst = usual.suppressedFirst;
    request.decoding.repetitionPenalty = usual.repetitionPenalty;
    request.decoding.renormalise = usual.renormalise;
    return request;
}

/// Settings of a model that changes with its languages.
template <class Settings>
ModelSettings languagesIn(const Settings& settings) {
    ModelSettings languages;
    for (const auto& [key, value] : settings)
        if (key == engine::sourceLanguageKey || key == engine::targetLanguageKey)
            languages[key] = value;
    return languages;
}

LitTokens litTokens(const widgets::TokenFocus& focus) {
    return {.sourceQuery = focus.sourceQuery,
            .sourceKey = focus.sourceKey,
            .targetQuery = focus.targetQuery,
            .targetKey = focus.targetKey};
}

/// Drops tokens that the run does not have.
widgets::TokenFocus focusOf(const LitTokens& lit, const trace::Run& run) {
    const auto among = [](std::optional<int> token, std::size_t count) {
        return token && *token >= 0 && std::cmp_less(*token, count) ? token : std::nullopt;
    };
    return {.sourceQuery = among(lit.sourceQuery, run.source.size()),
            .sourceKey = among(lit.sourceKey, run.source.size()),
            .targetQuery = among(lit.targetQuery, run.target.size()),
            .targetKey = among(lit.targetKey, run.target.size())};
}

} // namespace

WindowState::WindowState(Parts parts, QObject* parent) : QObject(parent), parts_(std::move(parts)) {
    // Queued, so that other receivers have handled the result and submitted further requests.
    connect(parts_.queue, &WorkQueue::busyChanged, this, &WindowState::follow, Qt::QueuedConnection);
    // The user requested something else meanwhile: a head switched off, a token chosen.
    connect(parts_.controller, &DecodeController::asked, this, [this] {
        if (!asking_)
            abandon();
    });
    connect(parts_.opener, &ModelOpener::refused, this, [this] {
        if (opening_)
            fail();
    });
    connect(parts_.controller, &DecodeController::refused, this, [this] {
        if (isApplying())
            fail();
    });
}

bool WindowState::isUnsettled() const {
    return isApplying() || parts_.queue->isBusy(JobKind::Model) || parts_.queue->isBusy(JobKind::Main);
}

/// While a state is being applied, returns it rather than the half-applied one.
SessionState WindowState::capture() const {
    SessionState state = wanted_.value_or(SessionState());
    const bool isUndone = wanted_ && wanted_->view.empty(); // leaves view and choices as they are
    if (!wanted_ || isUndone) {
        state.view = parts_.view();
        state.choices = parts_.choices->all();
    }
    if (wanted_)
        return state;
    state.model.path = parts_.opener->openPath().toStdString();
    for (const auto& [key, value] : parts_.opener->source().settings)
        state.model.settings.emplace_back(key, value);
    captureRun(state);
    state.newTokens = parts_.controller->newTokens();
    state.step = parts_.selection->step();
    state.head = parts_.selection->head();
    state.pinned = litTokens(parts_.selection->pinned());
    state.pinnedHeads = parts_.selection->pinnedHeads();
    return state;
}

SessionState WindowState::toSave() const {
    auto state = capture();
    if (!wanted_)
        state.cursor = litTokens(parts_.selection->cursor());
    return state;
}

void WindowState::captureRun(SessionState& state) const {
    const auto& run = parts_.controller->run();
    const auto typed = parts_.typed.text().toStdString();
    auto request = parts_.controller->requestWith(parts_.controller->interventions());
    if (!request) {
        if (!typed.empty())
            state.typed = typed;
        return;
    }
    if (run && run->complete && !parts_.controller->isDecoding() && trace::canShowEveryPath(*run) &&
        parts_.controller->shownRequest() != run->request) {
        request = run->request;
        for (const auto node : run->path)
            state.shown.push_back(run->tree.node(node).token.id);
    }
    request->recording = {};
    if (textOf(request->source) != typed)
        state.typed = typed;
    state.request = std::make_shared<const trace::Request>(*std::move(request));
}

void WindowState::apply(const SessionState& state, const QObject* by) {
    if (isApplying() && by_ != by)
        fail();
    by_ = by;
    wanted_ = state;
    opening_ = !state.model.path.empty() &&
               (state.model.path != parts_.opener->openPath().toStdString() ||
                languagesIn(state.model.settings) != languagesIn(parts_.opener->source().settings));
    if (!opening_) {
        parts_.queue->stop(JobKind::Model); // cancels an earlier request
        return applyRun();
    }
    ModelSettings answers;
    for (const auto& [key, value] : state.model.settings)
        answers[key] = value;
    parts_.opener->open(QString::fromStdString(state.model.path), answers);
}

void WindowState::takeOver() {
    opening_ = false;
    applyRun();
}

/// Shows what needs no run at once, so that little changes when the run arrives.
void WindowState::applyRun() {
    const QScopedValueRollback asking(asking_, true);
    applyChoices();
    const auto model = parts_.model();
    const bool isRun = wanted_->request && model;
    const bool isThere = isRun && isShown(*wanted_);
    const auto text = wanted_->typed || isThere || !isRun ? wanted_->typed : textOf(wanted_->request->source);
    if (text) // text typed meanwhile stays while its sentence is shown
        parts_.typed.setText(QString::fromStdString(*text));
    if (isRun && !isThere)
        parts_.typed.setSecond(wanted_->request->second);
    if (!isRun || isThere)
        return finish();
    const auto request =
        model->recorded ? *model->recorded : ofModel(*wanted_->request, parts_.controller->decoding());
    parts_.controller->restore({.request = request,
                                .newTokens = wanted_->newTokens,
                                .shown = wanted_->shown,
                                .step = wanted_->step});
    if (wanted_ && !parts_.controller->isDecoding())
        finish();
}

bool WindowState::isShown(const SessionState& state) const {
    if (parts_.controller->isDecoding())
        return false;
    SessionState now;
    captureRun(now);
    return now.request && *now.request == *state.request && now.shown == state.shown &&
           parts_.controller->newTokens() == state.newTokens;
}

void WindowState::applyChoices() {
    parts_.choices->apply(wanted_->choices);
    if (!wanted_->view.empty())
        parts_.setView(wanted_->view);
}

void WindowState::applySelection() {
    const auto& run = parts_.controller->run();
    const auto model = parts_.model();
    auto* selection = parts_.selection;
    selection->setCursor({});
    if (!model)
        return;
    selection->setHead(within(*model, wanted_->head));
    auto heads = wanted_->pinnedHeads;
    std::erase_if(heads, [&](const auto& head) { return head != within(*model, head); });
    selection->setPinnedHeads(std::move(heads));
    if (!run)
        return;
    parts_.controller->goTo(wanted_->step);
    const auto focus = focusOf(wanted_->pinned, *run);
    if (focus.isEmpty())
        selection->clearPinned();
    else if (focus != selection->pinned())
        selection->togglePinned(focus);
    selection->setCursor(focusOf(wanted_->cursor, *run));
}

/// Applies the selection first: views that follow the selected head change their choices with it.
void WindowState::finish() {
    const QScopedValueRollback asking(asking_, true);
    applySelection();
    applyChoices();
    wanted_.reset();
    Q_EMIT applied(by_);
}

bool WindowState::stopOpening() {
    if (isApplying() || !parts_.queue->isBusy(JobKind::Model))
        return false;
    parts_.opener->giveUp();
    return true;
}

void WindowState::abandon() {
    if (isApplying())
        fail();
}

void WindowState::fail() {
    wanted_.reset();
    opening_ = false;
    Q_EMIT failed(by_);
}

void WindowState::follow() {
    if (!wanted_ || parts_.queue->isBusy(JobKind::Model) || parts_.queue->isBusy(JobKind::Main))
        return;
    if (!opening_)
        finish();
    else if (!parts_.opener->isAsking())
        fail(); // the opening was stopped
}

} // namespace headscope::app
