#include "widgets/views/masks/batch_question.h"

namespace headscope::widgets {

std::vector<BatchedSentence> runBatch(trace::Answers& model, const std::vector<trace::Request>& requests,
                                      const trace::Task& work) {
    std::vector<std::shared_ptr<const trace::Run>> alone;
    std::vector<std::vector<trace::Token>> sources;
    std::vector<std::vector<trace::Token>> targets;
    for (const auto& request : requests) {
        alone.push_back(model.of(request, trace::RunWhat(), work));
        sources.push_back(alone.back()->source);
        targets.push_back(analysis::wholeTarget(*alone.back()));
    }
    const auto plan = analysis::batchPlan(sources, targets);
    std::vector<BatchedSentence> batch;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        trace::Request padded = requests[i];
        padded.padding = plan.padding[i];
        if (!targets[i].empty())
            padded.paths = {analysis::batchPath(targets[i], plan.feedsLast[i])};
        const auto run = model.of(padded, trace::RunWhat(), work);
        batch.push_back({.run = run,
                         .row = analysis::batchRow(*run, targets[i]),
                         .effect = analysis::paddingEffect(*alone[i], *run)});
    }
    return batch;
}

BatchAnswer BatchQuestion::ask(trace::Answers& answers, const trace::Task& work) const {
    return {.question = *this, .sentences = runBatch(answers, requests, work)};
}

} // namespace headscope::widgets
