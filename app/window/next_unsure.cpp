#include "app/window/next_unsure.h"

#include "app/results/results.h"
#include "app/window/top/decode_popups.h"
#include "model/analysis/output/classifier_tokens.h"
#include "model/trace/answer_span.h"
#include "widgets/drawing/token_label.h"
#include "widgets/explained.h"
#include "widgets/words/answer_words.h"
#include "widgets/words/card_words.h"
#include "widgets/words/hesitation_words.h"

#include <QAction>

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope::app {

namespace {

QString sourceToken(const trace::Run& run, std::size_t token) {
    return widgets::quoted(widgets::tokenLabel(run.source, token));
}

} // namespace

NextUnsure::NextUnsure(Document* document, Results* results, DecodePopups* popups, Actions* actions,
                       QObject* parent)
    : QObject(parent), document_(document), results_(results), popups_(popups), actions_(actions) {
    connect((*actions)[ActionId::NextUnsure], &QAction::triggered, this, &NextUnsure::go);
    connect(document, &Document::modelChanged, this, &NextUnsure::nameAction);
    connect(document->controller(), &DecodeController::runChanged, this,
            [this] { results_->want(this, {}); }); // what was asked of the run before
}

void NextUnsure::nameAction() {
    const auto& model = document_->model();
    QString text, tip; // of a decoder the usual ones
    if (model && model->classes > 0) {
        text = tr("Ne&xt Disagreement");
        tip = tr("Go to the next word on which contribution and loss disagree; after the last one, start "
                 "again");
    } else if (model && model->tokenPrediction == trace::TokenPrediction::Masked) {
        text = tr("Ne&xt Mask");
        tip = tr("Go to the next mask; after the last one, start again");
    } else if (model && model->tokenLabels > 0) {
        text = tr("Ne&xt Unsure Label");
        tip = tr("Go to the next token whose label has a probability below 50 %; after the last one, start "
                 "again");
    } else if (model && model->tokenPrediction == trace::TokenPrediction::Span) {
        text = tr("Ne&xt End of the Answer");
        tip = tr("Go to the first token of the answer, then to its last one");
    } else if (model && model->tokenPrediction == trace::TokenPrediction::Replaced) {
        text = tr("Ne&xt Replaced Token");
        tip = tr("Go to the next token that has a replacement probability above 50 %; after the last one, "
                 "start again");
    }
    actions_->rename(ActionId::NextUnsure, text, tip);
}

void NextUnsure::go() {
    const auto& run = document_->run();
    if (!run)
        return;
    if (!run->target.empty())
        popups_->toNextUnsure();
    else if (!run->classLogProbabilities.empty())
        goToDisagreement();
    else if (!run->replacedProbabilities.empty())
        goToReplaced();
    else if (run->model && run->model->tokenLabels > 0)
        goToLabel();
    else if (!run->spanLogProbabilities.empty())
        goToAnswer();
    else
        goToMask();
}

void NextUnsure::goToMask() {
    auto* controller = document_->controller();
    const auto& masks = document_->run()->maskCandidates;
    if (masks.empty())
        return Q_EMIT said(tr("The text has no mask."));
    const int mask = (document_->selection()->step() + 1) % controller->steps();
    controller->goTo(mask);
    const auto& best = std::next(masks.begin(), mask)->second.front();
    Q_EMIT said(tr("Mask %1 of %2: most probable is %3, with %4.")
                    .arg(mask + 1)
                    .arg(controller->steps())
                    .arg(widgets::quoted(widgets::tokenLabel(best.token)),
                         widgets::percentText(std::exp(best.logProbability))));
}

void NextUnsure::goToLabel() {
    const auto& run = *document_->run();
    auto* controller = document_->controller();
    const int steps = controller->steps();
    for (int away = 1; away <= steps; ++away) {
        const int step = (document_->selection()->step() + away) % steps;
        const auto& [token, labels] = *std::next(run.maskCandidates.begin(), step);
        const double probability = std::exp(labels.front().logProbability);
        if (probability >= 0.5)
            continue;
        controller->goTo(step);
        return Q_EMIT said(tr("%1: most probable is %2, with %3.")
                               .arg(sourceToken(run, token),
                                    widgets::quoted(widgets::tokenLabel(labels.front().token)),
                                    widgets::percentText(probability)));
    }
    Q_EMIT said(tr("No token has a label with a probability below 50 %."));
}

void NextUnsure::goToAnswer() {
    const auto& run = *document_->run();
    if (const auto span = trace::answerSpan(run)) {
        std::vector<std::size_t> ends{span->first};
        if (span->last != span->first)
            ends.push_back(span->last);
        pinNext(ends);
    }
    Q_EMIT said(widgets::answerInWords(run));
}

void NextUnsure::goToReplaced() {
    const auto& run = *document_->run();
    std::vector<std::size_t> tokens;
    for (std::size_t token = 0; token < run.replacedProbabilities.size(); ++token)
        if (run.replacedProbabilities[token] > widgets::DocumentState::replacedAbove)
            tokens.push_back(token);
    if (tokens.empty())
        return Q_EMIT said(tr("No token has a replacement probability above 50 %."));
    const std::size_t token = pinNext(tokens);
    Q_EMIT said(tr("%1 was replaced with a probability of %2.")
                    .arg(sourceToken(run, token), widgets::percentText(run.replacedProbabilities[token])));
}

/// Between the word with the largest contribution and the one that the class loses most without.
void NextUnsure::goToDisagreement() {
    const auto& document = document_->state();
    const auto question = widgets::answerQuestion(document);
    const auto [reading, chosen] = widgets::shownAnswer({.document = &document, .known = results_});
    if (!reading) {
        if (question)
            results_->want(this, {*question});
        return Q_EMIT said(tr("The contributions are being computed. Try again in a moment."));
    }
    const auto apart = analysis::wordsApart(*reading, chosen);
    if (!apart)
        return Q_EMIT said(tr("Contribution and loss put the same word first."));
    const auto words = analysis::wordEffects(*reading, chosen);
    std::set<std::size_t> first{words[apart->added].firstToken};
    if (apart->lost)
        first.insert(words[*apart->lost].firstToken);
    const std::size_t token = pinNext({first.begin(), first.end()});
    const auto& word = *std::ranges::find(words, token, &analysis::WordEffect::firstToken);
    Q_EMIT said(tr("%1: contribution %2, loss without it %3.")
                    .arg(sourceToken(*document.run, token), widgets::shortSignedText(word.contribution),
                         widgets::shortSignedText(word.logProbabilityLost)));
}

std::size_t NextUnsure::pinNext(const std::vector<std::size_t>& tokens) {
    auto* selection = document_->selection();
    const auto pinned = selection->pinned().sourceKey;
    const auto next =
        std::ranges::find_if(tokens, [&](std::size_t token) { return pinned && token > *pinned; });
    const std::size_t token = next == tokens.end() ? tokens.front() : *next;
    const widgets::TokenFocus focus{.sourceKey = static_cast<trace::TokenIndex>(token)};
    if (selection->pinned() != focus)
        selection->togglePinned(focus);
    selection->setCursor({});
    return token;
}

} // namespace headscope::app
