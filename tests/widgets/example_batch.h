#pragma once

#include "model/trace/run_path.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/masks/batch_question.h"

#include <algorithm>

namespace headscope::example {

/// A sentence as a run of a batch gives it. `source` ends with the end token; `target` is whole, from the
/// start token to the end token.
inline widgets::BatchedSentence batched(std::shared_ptr<const trace::ModelSummary> model,
                                        std::vector<trace::Token> source, std::vector<trace::Token> target,
                                        const trace::Padding& padding, bool feedsLast) {
    using trace::AttentionKind;
    const auto pad = token(0, "<pad>", trace::TokenRole::Padding);
    auto run = std::make_shared<trace::Run>();
    run->model = model;
    run->request.padding = padding;
    run->source = std::move(source);
    run->source.insert(run->source.end(), static_cast<std::size_t>(padding.source), pad);
    run->target = target;
    if (!feedsLast)
        run->target.pop_back();
    run->target.insert(run->target.end(), static_cast<std::size_t>(padding.target), pad);
    run->next = run->target;
    run->output = trace::joinedText(target);
    const auto add = [&](std::vector<trace::AttentionRecord>& records, AttentionKind kind, bool causal) {
        records.push_back(
            record({kind, 0}, 2, allowedKeys(run->queryTokens(kind).size(), run->keyTokens(kind), causal)));
    };
    add(run->encoder, AttentionKind::EncoderSelf, false);
    add(run->decoder, AttentionKind::DecoderSelf, true);
    add(run->cross, AttentionKind::Cross, false);
    run->complete = true;
    return {.run = run,
            .row = analysis::batchRow(*run, target),
            .effect = {.largestChange = 2.4e-7, .where = {{{AttentionKind::Cross, 0}, 1}}, .weights = 1234}};
}

/// The beginning of a sentence, and its end token.
inline std::vector<trace::Token> beginning(std::vector<trace::Token> tokens, std::size_t count) {
    if (count < tokens.size())
        tokens.resize(count);
    tokens.push_back(token(3, "</s>", trace::TokenRole::End));
    return tokens;
}

/// Answers to what a view asks about sentences of these lengths: the run's own and parts of it.
inline widgets::BatchAnswer batch(const trace::Run& run, std::size_t sentences) {
    widgets::BatchAnswer answer;
    answer.question.model = run.model;
    std::vector<std::vector<trace::Token>> sources;
    std::vector<std::vector<trace::Token>> targets;
    for (std::size_t i = 0; i < sentences; ++i) {
        auto source = run.source;
        std::erase_if(source, [](const trace::Token& t) { return trace::isSpecial(t.role); });
        auto target = run.target;
        const std::size_t parts = i + 1;
        sources.push_back(beginning(source, source.size() / parts));
        targets.push_back(beginning(target, i == 2 ? target.size() - 1 : target.size() / parts));
        answer.question.sentences.push_back(
            {.source = QString::fromStdString(trace::joinedText(sources.back()))});
    }
    if (sentences > 2)
        answer.question.sentences[2].target = QString::fromStdString(trace::joinedText(targets[2]));
    const auto plan = analysis::batchPlan(sources, targets);
    for (std::size_t i = 0; i < sentences; ++i)
        answer.sentences.push_back(
            batched(run.model, sources[i], targets[i], plan.padding[i], plan.feedsLast[i]));
    return answer;
}

} // namespace headscope::example
