#pragma once

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

/// Shows the answer, of the pair and head that the view shows, and nothing that it is not given.
inline AnsweredAtOnce* give(widgets::CompareView& view, const widgets::CompareAnswer& answer) {
    auto* answers = givenAnswers(&view);
    answers->give(view.question().value(), answer);
    return answers;
}

} // namespace headscope::example
