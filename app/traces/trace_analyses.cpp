#include "app/traces/trace_analyses.h"

#include "app/traces/trace_results.h"
#include "model/analysis/heads/removal_orders.h"
#include "model/analysis/runs_beside.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>

namespace headscope::app {

namespace {

using trace::AttentionKind;
using trace::MapQuantity;

/// Number of steps with gradients; for a classifier, of classes.
std::size_t stepsOf(const trace::Run& run) {
    return run.target.empty() ? run.classLogProbabilities.size() : run.target.size();
}

/// Records a refusal in whyNot: the model may not support the analysis, or memory may be too small.
void unlessRefused(TraceAnalyses& found, const char* option, const std::function<void()>& compute) {
    try {
        compute();
    } catch (const trace::Refusal& refusal) {
        found.whyNot.emplace(option, refusal.text().what);
    }
}

void forSites(const trace::Run& run, const std::function<void(const trace::AttentionSite&)>& add) {
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            add(record.site);
}

/// File size of the gradients, which also grows with the number of steps.
double bytesOfGradients(const trace::Run& run) {
    double cells = 0;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            cells += static_cast<double>(record.heads() * record.queries() * record.keys());
    return cells * sizeof(float) * static_cast<double>(stepsOf(run));
}

/// Memory needed for the distributions of one stage at all steps, or for all masks.
double bytesOfLens(const trace::Run& run) {
    const auto& model = *run.model;
    return sizeof(float) * static_cast<double>(run.answers().size()) *
           static_cast<double>(model.decoderLayers > 0 ? model.targetVocabulary : model.sourceVocabulary);
}

/// Adds the runs for comparison: the original run and the random twin.
void addBeside(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
               const TraceContents& contents, const std::stop_token& stop, TraceAnalyses& found) {
    const auto add = [&](const trace::Request& other) {
        found.beside.push_back(engine.of(other, trace::RunWhat(), stop));
    };
    if (contents.original && effective(request.interventions).empty())
        found.whyNot.emplace("--undisturbed", "nothing is changed in the model");
    else if (contents.original)
        unlessRefused(found, "--undisturbed", [&] {
            add(analysis::originalRequest(request));
            const auto original = found.beside.back();
            if (!run.path.empty())
                add(analysis::forcedRequest(request, *original));
            if (original->next != run.next) // otherwise it would be the same run
                add(analysis::originalRequest(analysis::readingRequest(request, run)));
        });
    if (contents.twin && request.randomTwin)
        found.whyNot.emplace("--twin", "the run is that of a random twin itself");
    else if (contents.twin)
        unlessRefused(found, "--twin", [&] { add(analysis::twinRequest(request, run, *contents.twin)); });
}

/// As TraceAnalyses::removals.
std::vector<std::shared_ptr<const trace::RemovalCurve>> removalsOf(engine::Engine& engine,
                                                                   const trace::Request& request,
                                                                   const trace::HeadImportance& importance,
                                                                   const std::stop_token& stop) {
    std::vector<trace::RemovalWhat> orders;
    for (std::size_t step = 0; step < importance.tokens.size(); ++step)
        orders.push_back(analysis::byImportance(importance, step));
    orders.push_back(analysis::byImportance(importance, std::nullopt));
    std::ranges::move(analysis::atRandom(importance), std::back_inserter(orders));
    std::vector<std::shared_ptr<const trace::RemovalCurve>> curves;
    for (const auto& order : orders)
        curves.push_back(engine.of(request, order, stop));
    return curves;
}

} // namespace

TraceAnalyses traceAnalyses(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceContents& contents, const std::stop_token& stop) {
    TraceAnalyses found;
    const auto addMaps = [&](MapQuantity quantity, const trace::AttentionSite& site, std::size_t step) {
        const bool isGradient = quantity == MapQuantity::GradientAttention;
        unlessRefused(found, isGradient ? "--gradients" : "--quantities", [&] {
            found.maps.push_back(
                engine.of(request, trace::MapsWhat{.quantity = quantity, .site = site, .step = step}, stop));
        });
    };
    forSites(run, [&](const trace::AttentionSite& site) {
        if (contents.scoreTerms && site.kind != AttentionKind::Cross)
            unlessRefused(found, "--score-terms", [&] {
                found.scoreTerms.push_back(engine.of(request, trace::ScoreTermsWhat{.site = site}, stop));
            });
        if (contents.quantities)
            for (const auto& [quantity, name] : Names<MapQuantity>::table)
                if (quantity != MapQuantity::GradientAttention)
                    addMaps(quantity, site, 0);
    });
    if (contents.gradients)
        for (std::size_t step = 0; step < stepsOf(run); ++step)
            forSites(run, [&](const auto& site) { addMaps(MapQuantity::GradientAttention, site, step); });
    if (contents.lens || contents.attribution)
        unlessRefused(found, contents.attribution ? "--attribution" : "--lens", [&] {
            const auto lens = engine.of(request, trace::LensWhat(), stop);
            found.lens = contents.attribution ? lens : withoutAttributions(*lens);
        });
    if (contents.importance || contents.removal)
        unlessRefused(found, contents.removal ? "--curve" : "--importance", [&] {
            found.importance = engine.of(request, trace::ImportanceWhat{contents.ablation}, stop);
            if (contents.removal)
                found.removals = removalsOf(engine, request, *found.importance, stop);
        });
    if (contents.knockOut)
        unlessRefused(found, "--knock-out", [&] {
            for (std::size_t step = 0; step < run.next.size(); ++step)
                found.knockOut.push_back(
                    engine.of(request, trace::CausalRowWhat{.step = step, .keys = {}}, stop));
        });
    if (contents.reading)
        unlessRefused(found, "--reading",
                      [&] { found.classifier = engine.of(request, trace::ClassifierWhat(), stop); });
    if (contents.flow)
        unlessRefused(found, "--flow", [&] {
            found.flow = engine.of(analysis::fedRequest(request, run), trace::FlowWhat(), stop);
        });
    if (contents.experts)
        unlessRefused(found, "--experts",
                      [&] { found.experts = engine.of(request, trace::RoutingWhat(), stop); });
    addBeside(engine, request, run, contents, stop, found);
    // An analysis may be unavailable for some layers only.
    for (const auto& maps : found.maps)
        found.whyNot.erase(maps->quantity == MapQuantity::GradientAttention ? "--gradients" : "--quantities");
    if (!found.scoreTerms.empty())
        found.whyNot.erase("--score-terms");
    return found;
}

TraceAnalyses everyAnalysis(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceAnalyses& known, std::optional<std::uint64_t> twin,
                            const std::stop_token& stop) {
    constexpr double mostOfGradients = 8e6; // otherwise gradients would dominate the file
    constexpr double mostOfLens = 128e6;    // several stages are in memory at the same time
    const auto isLong = [](const std::vector<trace::AttentionRecord>& records) {
        return std::ranges::any_of(records, &trace::AttentionRecord::isRecomputed);
    };
    const bool hasRoom = !isLong(run.encoder) && !isLong(run.decoder) && !isLong(run.cross);
    const bool isRecorded = run.model->recorded != nullptr; // what it holds costs nothing
    auto found = traceAnalyses(engine, request, run,
                               {.scoreTerms = true,
                                .quantities = true,
                                .gradients = bytesOfGradients(run) <= mostOfGradients,
                                .attribution = !known.lens && bytesOfLens(run) <= mostOfLens,
                                .importance = isRecorded,
                                .removal = isRecorded,
                                .ablation = known.importance ? known.importance->ablation : trace::Ablation(),
                                .knockOut = isRecorded,
                                .reading = true,
                                .flow = true,
                                .experts = true,
                                .original = hasRoom,
                                .twin = hasRoom ? twin : std::nullopt},
                               stop);
    if (known.lens)
        found.lens = known.lens;
    if (known.importance)
        found.importance = known.importance;
    return found;
}

} // namespace headscope::app
