#include "model/analysis/compare/change_effect.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::analysis {

namespace {

std::shared_ptr<const trace::Run> originalRun(const ChangeEffectWhat& what, trace::Answers& model,
                                              const trace::Task& work) {
    auto request = originalRequest(what.request);
    if (what.unchanged) {
        auto run = model.of(readingRequest(request, *what.unchanged), trace::RunWhat(), work);
        if (decodedIds(*run) == decodedIds(*what.unchanged))
            return run;
    }
    return model.of(std::move(request), trace::RunWhat(), work);
}

} // namespace

ChangeEffect ChangeEffectWhat::ask(trace::Answers& model, const trace::Task& work) const {
    ChangeEffect effect{.original = originalRun(*this, model, work)};
    if (changed->model->classes > 0) {
        effect.steps = compareSteps(*effect.original, *changed);
        return effect;
    }
    auto forcing = forcedRequest(changed->request, *effect.original);
    forcing.ratherThan = request.ratherThan;
    effect.forced = model.of(std::move(forcing), trace::RunWhat(), work);
    effect.steps = compareSteps(*effect.original, *effect.forced);
    return effect;
}

std::size_t ChangeEffectWhat::bytes(const Value& effect) {
    const auto of = [](const auto& run) { return run ? runBytes(*run) : 0; };
    return static_cast<std::size_t>(of(effect.original) + of(effect.forced));
}

bool hasEffect(const trace::Run& run) {
    const bool hasOutput = run.model->decoderLayers > 0 || !run.answers().empty();
    return hasOutput && run.complete && !effective(run.request.interventions).empty();
}

bool isUnchangedRunOf(const trace::Run& unchanged, const trace::Request& changed) {
    const auto comparable = [](trace::Request request) {
        request = originalRequest(std::move(request));
        request.ratherThan.reset();
        return request;
    };
    return effective(unchanged.request.interventions).empty() && !unchanged.model->recorded &&
           comparable(shownRequest(unchanged)) == comparable(changed);
}

} // namespace headscope::analysis
