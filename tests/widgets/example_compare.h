#pragma once

#include "model/analysis/runs_beside.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/compared_runs.h"
#include "widgets/views/compare/compare_view.h"

#include <memory>

/// What a comparison shows: the example's run, and runs that differ from it.
namespace headscope::example {

/// The run of the same model on a sentence in which one token is replaced and one is said more, on both
/// sides; `sharper` than the run by so much.
inline std::shared_ptr<trace::Run> edited(const trace::Run& run, double sharper = 1.4) {
    auto other = std::make_shared<trace::Run>(run);
    const auto place = static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, run.next.size() - 2));
    const auto edit = [&](std::vector<trace::Token>& tokens, std::ptrdiff_t at) {
        tokens[static_cast<std::size_t>(at)].piece = tokens[static_cast<std::size_t>(at + 2)].piece;
        tokens.insert(tokens.begin() + at, tokens[static_cast<std::size_t>(at - 1)]);
    };
    edit(other->source, place - 1);
    edit(other->next, place);
    other->target.assign(1, run.target.front());
    other->target.insert(other->target.end(), other->next.begin(), other->next.end() - 1);
    for (auto* records : {&other->encoder, &other->decoder, &other->cross})
        for (auto& made : *records) {
            const auto kind = made.site.kind;
            made = record(made.site, made.weights.heads(),
                          allowedKeys(other->queryTokens(kind).size(), other->keyTokens(kind),
                                      kind == trace::AttentionKind::DecoderSelf));
        }
    scaleScores(*other, sharper);
    other->tree = {};
    other->path.clear();
    decode(*other);
    other->output = "Der alte Mann gab ihrer Tochter ein rotes Buch.";
    return other;
}

/// The same sentence read by a model with other heads and a tokenizer that keeps words whole.
inline std::shared_ptr<trace::Run> ofOtherModel(const Options& options) {
    Options smaller = options;
    smaller.heads = 4;
    smaller.layers = 2;
    auto other = std::make_shared<trace::Run>(*run(smaller));
    auto model = std::make_shared<trace::ModelSummary>(*other->model);
    model->name = "smaller-en-de";
    model->sourceVocabulary = 900;
    other->model = model;
    return other;
}

/// `what` of A and B at a head, as somebody off the window's thread would answer it.
inline widgets::CompareAnswer compared(const widgets::ComparedPair& pair, const trace::HeadAddress& head,
                                       const widgets::OtherHead& other = {}) {
    return widgets::CompareQuestion{.pair = pair, .head = head, .other = other}.count({});
}

/// What the document shows, and a person chose, where these are compared; steps beside step 1, runs of two
/// models, or two sentences. Nothing but B is known.
inline void compare(AnsweredAtOnce& answers, const widgets::ComparedPair& pair,
                    const std::string& sentence = "The very old man \u2026") {
    auto& document = answers.document();
    document.model = pair.first->model;
    document.run = pair.first;
    document.request = analysis::shownRequest(*pair.first);
    auto& choices = document.choices["compare"];
    document.second = {};
    if (pair.steps) {
        choices["with"] = std::string("step");
        choices["step"] = static_cast<std::int64_t>(pair.steps->second);
    } else if (pair.second->model != pair.first->model) {
        choices["with"] = std::string("model");
        document.second = {.name = pair.second->model->name, .model = pair.second->model, .refused = {}};
    } else {
        choices["with"] = std::string("sentence");
        choices["sentence"] = sentence;
    }
    const auto other = widgets::chosenOther(document, 0).question;
    if (const auto* run = std::get_if<widgets::OtherRun>(&other))
        answers.give(*run, pair.second);
    else
        answers.setShare(0); // and so it follows
}

/// What is counted of the outputs of the pair that is shown.
inline void giveSteps(const widgets::CompareView& view, AnsweredAtOnce& answers,
                      const std::vector<analysis::StepComparison>& steps) {
    const auto reading = widgets::bothReading(answers.document(), *view.pair().second);
    const auto& [first, second] = reading.value();
    answers.give(first, view.pair().first);
    answers.give(widgets::ComparedSteps{.first = view.pair().first,
                                        .request = second.request,
                                        .secondModel = second.secondModel},
                 steps);
}

/// Shows the answer, of its pair and the selected head, and nothing that it is not given.
inline AnsweredAtOnce* give(widgets::CompareView& view, const widgets::CompareAnswer& answer) {
    auto* answers = givenAnswers(&view);
    compare(*answers, answer.question.pair);
    answers->give(view.question().value(), answer);
    return answers;
}

} // namespace headscope::example
