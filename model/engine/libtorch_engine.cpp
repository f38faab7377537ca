#include "model/engine/libtorch_engine.h"

#include "model/analysis/self_check.h"
#include "model/checkpoint/save_model.h"
#include "model/engine/run_builder.h"
#include "model/engine/tensor_values.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <new>

namespace headscope::engine {

namespace {

using trace::Refusal;

/// Runs `work` without gradients and turns LibTorch's errors into ours.
template <class Work>
auto guarded(const char* what, Work&& work) {
    const c10::InferenceMode inference;
    try {
        return work();
    } catch (const c10::Error& error) {
        throw Refusal({.what = what,
                       .where = "the tensor library",
                       .wayOut = "try a shorter sentence; if it goes on, open the model again",
                       .details = error.what_without_backtrace()});
    } catch (const trace::Refusal&) {
        throw;
    } catch (const trace::Cancelled&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Refusal({.what = what,
                       .where = "this computer's memory",
                       .expected = "more free memory",
                       .wayOut = "close other programs, or try a shorter sentence or a smaller model"});
    } catch (const std::exception& error) {
        throw Refusal({.what = what, .where = "the engine", .wayOut = "try again", .details = error.what()});
    }
}

void refuseMissingDevice(const std::string& device) {
    if (device == "auto" || device == "cpu")
        return;
    throw Refusal({.what = "There is no such device",
                   .where = "--device",
                   .expected = "cpu or auto: this build computes on the processor",
                   .found = device,
                   .wayOut = "leave --device out"});
}

} // namespace

LibtorchEngine::LibtorchEngine(const EngineOptions& options) : options_(options) {
    refuseMissingDevice(options.device);
    // One thread: a step's operators are too small to share, and OpenBLAS has a pool of its own.
    at::set_num_threads(options.threads > 0 ? options.threads : 1);
}

const OpenModel& LibtorchEngine::model() const {
    if (!model_)
        throw Refusal({.what = "No model is open", .where = "the engine", .wayOut = "open a model first"});
    return *model_;
}

std::shared_ptr<const trace::ModelSummary> LibtorchEngine::open(const ModelSource& source,
                                                                std::stop_token stop) {
    return guarded("The model could not be opened", [&] {
        auto model = openModel(source, options_.familyFolders, stop);
        kept_.reset();
        model_ = std::move(model);
        return model_->summary;
    });
}

LibtorchEngine::Kept& LibtorchEngine::keptFor(const trace::Request& request, std::stop_token stop) {
    const bool same = kept_ && kept_->request.source == request.source &&
                      kept_->request.padding.source == request.padding.source &&
                      kept_->request.recording == request.recording &&
                      kept_->request.candidates == request.candidates;
    if (same)
        return *kept_;
    auto kept = std::make_unique<Kept>();
    kept->request = request;
    kept->source = encodeSource(model(), request, std::move(stop));
    if (model().summary->decoderLayers > 0)
        kept->session.emplace(model(), kept->source, request.recording, request.candidates);
    kept_ = std::move(kept);
    return *kept_;
}

std::shared_ptr<const trace::Run> LibtorchEngine::run(const trace::Request& request, std::stop_token stop,
                                                      const Progress& progress) {
    return guarded("The sentence could not be run", [&]() -> std::shared_ptr<const trace::Run> {
        Kept& kept = keptFor(request, stop);
        return RunBuilder(model(), kept.source, kept.session ? &*kept.session : nullptr, request, stop,
                          progress)
            .build();
    });
}

void LibtorchEngine::convert(const std::filesystem::path& folder, Precision precision, std::stop_token stop) {
    if (stop.stop_requested())
        throw trace::Cancelled();
    guarded("The model could not be converted", [&] {
        const OpenModel& open = model();
        checkpoint::saveModel({.network = *open.network,
                               .family = open.family,
                               .settings = open.settings,
                               .tokenizerFiles = open.tokenizerFiles,
                               .attribution = open.attributionFile},
                              folder, precision == Precision::Float16, stop);
    });
}

std::string LibtorchEngine::description() const {
    return "LibTorch " TORCH_VERSION ", cpu, " + std::to_string(at::get_num_threads()) + " thread(s)";
}

} // namespace headscope::engine
