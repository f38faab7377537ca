#include "model/engine/engine.h"

namespace headscope::engine {

namespace {

struct Asked {
    Engine& engine;
    const trace::Request& request;
    const trace::Task& work;

    trace::Answer operator()(const trace::RunWhat&) const { return engine.run(request, work, {}); }
    trace::Answer operator()(const trace::LensWhat&) const { return engine.lens(request, work); }
    trace::Answer operator()(const trace::ImportanceWhat&) const {
        return engine.importance(request, work, {});
    }
    trace::Answer operator()(const trace::MapsWhat& what) const {
        return engine.maps(request, what.quantity, what.site, what.step, work);
    }
    trace::Answer operator()(const trace::ScoreTermsWhat& what) const {
        return engine.scoreTerms(request, what.site, work);
    }
    trace::Answer operator()(const trace::ContributionsWhat& what) const {
        return engine.rowContributions(request, what.head, what.query, work);
    }
    trace::Answer operator()(const trace::CausalRowWhat& what) const {
        return engine.causalRow(request, what.step, what.head, what.keys, work);
    }
    trace::Answer operator()(const trace::FlowWhat&) const { return engine.flow(request, work); }
    trace::Answer operator()(const trace::ClassifierWhat&) const {
        return engine.classifierReading(request, work);
    }
};

} // namespace

trace::Answer Engine::answer(const trace::Question& question, const trace::Task& work) {
    return std::visit(Asked{*this, question.request, work}, question.what);
}

} // namespace headscope::engine
