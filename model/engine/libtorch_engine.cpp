#include "model/engine/libtorch_engine.h"

#include "model/analysis/self_check.h"
#include "model/checkpoint/save_model.h"
#include "model/engine/causal_row.h"
#include "model/engine/expert_routing.h"
#include "model/engine/libtorch.h"
#include "model/engine/measure_importance.h"
#include "model/engine/model_flow.h"
#include "model/engine/open_tokenizer.h"
#include "model/engine/quantity_maps.h"
#include "model/engine/random_twin.h"
#include "model/engine/read_classifier.h"
#include "model/engine/read_lens.h"
#include "model/engine/row_contributions.h"
#include "model/engine/run_builder.h"
#include "model/engine/run_memory.h"
#include "model/engine/score_terms.h"
#include "model/engine/tensor_values.h"
#include "model/files/available_memory.h"
#include "model/files/mapped_file.h"
#include "model/network/workers.h"
#include "model/trace/example_ids.h"
#include "model/trace/kernels.h"
#include "model/trace/missing_settings.h"
#include "model/trace/run_path.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <algorithm>
#include <new>
#include <thread>
#include <type_traits>

namespace headscope::engine {

namespace {

using trace::Refusal;

/// Runs `work` without gradients and converts LibTorch's errors to trace::Refusal.
template <class Work>
auto guarded(const char* what, Work&& work) {
    const c10::InferenceMode inference;
    try {
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            files::refuseFilesThatWereCutOff();
        } else {
            auto result = work();
            files::refuseFilesThatWereCutOff();
            return result;
        }
    } catch (const c10::Error& error) {
        if (const auto needed = bytesNotAllocated(error.what_without_backtrace()))
            throw files::memoryRefusal(what, *needed);
        throw Refusal({.what = what,
                       .where = "the tensor library",
                       .wayOut = "try a shorter sentence; if it goes on, open the model again",
                       .details = error.what_without_backtrace()});
    } catch (const trace::Refusal&) {
        throw;
    } catch (const trace::Cancelled&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw files::memoryRefusal(what);
    } catch (const std::exception& error) {
        throw Refusal({.what = what, .where = "the engine", .wayOut = "try again", .details = error.what()});
    }
}

/// More than four threads seldom read memory faster.
int threadsOf(const EngineOptions& options) {
    return options.threads > 0 ? options.threads
                               : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 4);
}

constexpr int tokensOfTrial = 16;

/// Returns nullopt if no token was decoded.
std::optional<Trial> trialOf(const trace::Run& run) {
    if (run.path.size() < 2)
        return std::nullopt;
    const auto tokens = static_cast<double>(run.path.size()) - 1;
    Trial trial{.meanLogProbability = run.tree.logProbability(run.path.back()) / tokens,
                .input = trace::joinedText(run.source),
                .output = run.output};
    if (!run.model->tokenizer.empty())
        return trial;
    trial.input.clear();
    for (const auto& token : run.source)
        trial.input += (trial.input.empty() ? "" : " ") + std::to_string(token.id);
    for (std::size_t t = 1; t < run.path.size(); ++t)
        trial.output += (t == 1 ? "" : " ") + std::to_string(run.tree.node(run.path[t]).token.id);
    return trial;
}

} // namespace

void refuseMissingDevice(const std::string& device) {
    if (device == "auto" || device == "cpu")
        return;
    throw Refusal({.what = "There is no such device",
                   .where = "--device",
                   .expected = "cpu or auto: this build computes on the processor",
                   .found = device,
                   .wayOut = "leave --device out"});
}

LibtorchEngine::LibtorchEngine(const EngineOptions& options) : options_(options), blas_(threadsOf(options)) {
    refuseMissingDevice(options.device);
    at::set_num_threads(1); // the engine divides products, which take nearly all of the time
    network::Workers::ofProducts().setThreads(threadsOf(options));
}

LibtorchEngine::Subject& LibtorchEngine::opened() const {
    if (!opened_)
        throw Refusal({.what = "No model is open", .where = "the engine", .wayOut = "open a model first"});
    return *opened_;
}

const std::vector<std::string>& LibtorchEngine::samplesFor(const trace::ModelSummary& model) const {
    return model.samples.empty() ? options_.samples : model.samples;
}

LibtorchEngine::Subject& LibtorchEngine::subjectOf(const trace::Request& request, std::stop_token stop) {
    Subject& model = opened();
    if (!request.randomTwin)
        return model;
    if (!twin_ || twinSeed_ != *request.randomTwin) {
        // Release the previous twin first: there may be no memory for both.
        std::erase_if(kept_, [&](const auto& kept) { return kept->subject == twin_.get(); });
        twin_.reset();
        twin_ = std::make_unique<Subject>(
            Subject{.model = makeRandomTwin(*model.model, *request.randomTwin, std::move(stop)),
                    .replacements = HeadReplacements(samplesFor(*model.model->summary))});
        twinSeed_ = *request.randomTwin;
    }
    return *twin_;
}

std::shared_ptr<const trace::ModelSummary> LibtorchEngine::open(const ModelSource& source,
                                                                std::stop_token stop) {
    return guarded("The model could not be opened", [&] {
        auto model = openModel(source, options_.familyFolders, stop);
        trace::throwIfStopped(stop); // if cancelled, the open model stays
        kept_.clear();
        twin_.reset();
        auto samples = samplesFor(*model->summary);
        opened_ = std::make_unique<Subject>(
            Subject{.model = std::move(model), .replacements = HeadReplacements(std::move(samples))});
        return opened_->model->summary;
    });
}

std::optional<Trial> LibtorchEngine::tryOut(const ModelSource& source, const std::string& sentence,
                                            std::stop_token stop) {
    LibtorchEngine other(options_);
    const auto model = other.open(source, stop);
    if (model->decoderLayers == 0 || model->sourceVocabulary == 0)
        return std::nullopt;
    trace::Request request{.paths = {{.newTokens = tokensOfTrial}}, .candidates = 1};
    if (model->tokenizer.empty() || sentence.empty())
        request.source = trace::exampleIds(*model);
    else
        request.source = sentence;
    return trialOf(*other.of(std::move(request), trace::RunWhat(), stop));
}

LibtorchEngine::Kept* LibtorchEngine::knownFor(const trace::Request& request) {
    // A session adds the distributions of all tokens to rows that it knows; an encoder is run again for them.
    const auto same = [&](const std::unique_ptr<Kept>& kept) {
        const auto& other = kept->request;
        auto recording = request.recording;
        if (kept->session)
            recording.logProbabilities = other.recording.logProbabilities;
        return other.randomTwin == request.randomTwin && other.source == request.source &&
               other.second == request.second && other.padding.source == request.padding.source &&
               other.recording == recording && other.candidates == request.candidates &&
               effective(other.interventions) == effective(request.interventions);
    };
    const auto found = std::find_if(kept_.begin(), kept_.end(), same);
    if (found == kept_.end())
        return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().get();
}

LibtorchEngine::Kept& LibtorchEngine::keptFor(const trace::Request& request, const trace::Task& work) {
    // The original run, the changed run, the run of the twin, and one more.
    constexpr std::size_t most = 4;
    if (Kept* known = knownFor(request))
        return *known;
    kept_.push_front(keep(request, work));
    if (kept_.size() > most)
        kept_.pop_back();
    return *kept_.front();
}

std::unique_ptr<LibtorchEngine::Kept> LibtorchEngine::keep(const trace::Request& request,
                                                           const trace::Task& work) {
    auto kept = std::make_unique<Kept>();
    kept->subject = &subjectOf(request, work);
    const OpenModel& model = *kept->subject->model;
    kept->request = request;
    kept->outputs =
        replacementsOf(effective(request.interventions), request.randomTwin, *kept->subject, work);
    kept->interventions = {effective(request.interventions), kept->outputs, model.network->config()};
    kept->source = encodeSource(model, request, kept->interventions, work);
    if (model.summary->decoderLayers > 0)
        kept->session.emplace(model, kept->source, kept->interventions, request.recording, request.candidates,
                              work.stop());
    return kept;
}

std::vector<network::HeadOutput> LibtorchEngine::replacementsOf(const std::vector<trace::Change>& changes,
                                                                std::optional<std::uint64_t> randomTwin,
                                                                Subject& subject, std::stop_token stop) {
    network::refuseMissingAddresses(changes,
                                    subject.model->network->config()); // before other sentences are run
    const auto run = [&](const std::string& sentence) {
        const trace::Request original{.source = sentence,
                                      .paths = {{.newTokens = subject.model->summary->newTokens}},
                                      .randomTwin = randomTwin,
                                      .recording = {.projections = true}};
        const auto kept = keep(original, stop);
        return runKept(*kept, original, stop, {});
    };
    return subject.replacements.outputs(changes, run);
}

std::shared_ptr<const trace::Run> LibtorchEngine::runKept(Kept& kept, const trace::Request& request,
                                                          const trace::Task& work,
                                                          const trace::Partial& partial) {
    if (kept.session)
        kept.session->recordLogProbabilities(request.recording.logProbabilities);
    return RunBuilder(*kept.subject->model, kept.source, kept.interventions,
                      kept.session ? &*kept.session : nullptr, request, work, partial)
        .build();
}

double LibtorchEngine::shareOfEncoding(const trace::Request& request) {
    const auto& model = *opened().model->summary; // its twin has the same number of layers
    const bool isForced = std::ranges::any_of(request.paths, [](const trace::DecodePath& path) {
        return !std::holds_alternative<std::monostate>(path.forced);
    });
    if (knownFor(request) || model.isDecoderAlone()) // which reads its prompt as it decodes
        return 0;
    return isForced ? model.encoderLayers / (model.encoderLayers + 2.0 * model.decoderLayers) : 1;
}

trace::Answer LibtorchEngine::answer(const trace::Question& question, const trace::Task& work,
                                     const trace::Partial& partial) {
    const auto& request = question.request;
    const std::stop_token stop = work;
    // Runs the request first, then calls `answer` with what is kept of it.
    const auto along = [&](const char* whyNot, const auto& answer) {
        return guarded(whyNot, [&] {
            Kept& kept = keptFor(request, stop);
            const auto run = runKept(kept, request, stop, {});
            return trace::Answer(answer(kept, *kept.subject->model, *run));
        });
    };
    /// What stands in for the outputs of removed heads.
    const auto removedOutputs = [&](Kept& kept, const std::vector<trace::HeadAddress>& heads,
                                    const trace::Ablation& ablation) {
        std::vector<trace::Change> changes;
        for (const auto& head : heads)
            changes.push_back(trace::removal(head, ablation));
        return replacementsOf(changes, request.randomTwin, *kept.subject, stop);
    };
    const trace::ByKind answers{
        [&](const trace::RunWhat&) {
            return guarded("The sentence could not be run", [&] {
                const double encoding = shareOfEncoding(request);
                Kept& kept = keptFor(request, work.between(0, encoding));
                return trace::Answer(runKept(kept, request, work.between(encoding, 1), partial));
            });
        },
        [&](const trace::LensWhat&) {
            return along("The lens could not be read", [&](auto& kept, auto& model, auto& run) {
                return readLens(model, kept.source, kept.interventions, run, stop);
            });
        },
        [&](const trace::ImportanceWhat& what) {
            return along("The heads could not be measured", [&](auto& kept, auto& model, auto& run) {
                const auto removed = removedOutputs(kept, allHeads(*model.summary), what.ablation);
                return measureImportance({model, kept.source, run, kept.outputs, removed}, what.ablation,
                                         stop, partial);
            });
        },
        [&](const trace::RemovalWhat& what) {
            return along("The heads could not be removed", [&](auto& kept, auto& model, auto& run) {
                const auto removed = removedOutputs(kept, what.order, what.ablation);
                return measureRemoval({model, kept.source, run, kept.outputs, removed}, what, stop, partial);
            });
        },
        [&](const trace::MapsWhat& what) {
            return along("The maps could not be computed", [&](auto& kept, auto& model, auto& run) {
                return quantityMaps(model, kept.source, kept.interventions, run, what.quantity, what.site,
                                    what.step, stop);
            });
        },
        [&](const trace::ScoreTermsWhat& what) {
            return along("The scores could not be taken apart", [&](auto& kept, auto& model, auto& run) {
                return scoreTerms(model, kept.source, kept.interventions, run, what.site, stop);
            });
        },
        [&](const trace::ContributionsWhat& what) {
            return along("What the head adds could not be computed", [&](auto& kept, auto& model, auto& run) {
                return rowContributions(model, kept.source, kept.interventions, run, what.head, what.query,
                                        stop);
            });
        },
        [&](const trace::CausalRowWhat& what) {
            return along("The effect of the source tokens could not be measured",
                         [&](auto& kept, auto& model, auto& run) {
                             return causalRow(model, kept.source, run, kept.outputs, what.step, what.head,
                                              what.keys, stop);
                         });
        },
        [&](const trace::FlowWhat&) {
            return along("What flows through the model could not be measured",
                         [&](auto& kept, auto& model, auto& run) {
                             return modelFlow(model, kept.source, kept.interventions, run, stop);
                         });
        },
        [&](const trace::ClassifierWhat&) {
            return along("The classifier could not be read", [&](auto& kept, auto& model, auto& run) {
                return readClassifier(model, kept.source, kept.interventions, run, stop);
            });
        },
        [&](const trace::RoutingWhat&) {
            return along("The choice of experts could not be recorded",
                         [&](auto& kept, auto& model, auto& run) {
                             return expertRouting(model, kept.source, kept.interventions, run, stop);
                         });
        },
    };
    return std::visit(answers, question.what);
}

std::vector<trace::Token> LibtorchEngine::tokensOf(const std::string& text,
                                                   const std::optional<std::string>& second) {
    return guarded("The text could not be split", [&] { return readTokens(*opened().model, text, second); });
}

std::vector<trace::Token> LibtorchEngine::tokensByPattern(const std::string& pattern,
                                                          const std::string& text) {
    return guarded("The text could not be split", [&] {
        const OpenModel& model = *opened().model;
        auto settings = model.settings;
        settings.set("tokenizer_pattern", pattern, "--tokenizer-pattern");
        const auto base = model.summary->property("base"); // of an adapter, which has its tokenizer
        const auto folder = checkpoint::findModel(base.empty() ? model.summary->path : base);
        return openTokenizer(folder, settings, 0).tokenizer->encode(text);
    });
}

void LibtorchEngine::convert(const std::filesystem::path& folder, files::ElementType matrices,
                             std::stop_token stop) {
    if (stop.stop_requested())
        throw trace::Cancelled();
    guarded("The model could not be converted", [&] {
        const OpenModel& open = *opened().model;
        checkpoint::saveModel({.network = *open.network,
                               .family = open.family,
                               .settings = open.settings,
                               .generation = open.generation,
                               .tokenizerFiles = open.tokenizerFiles,
                               .attribution = open.attributionFile},
                              folder, matrices, stop);
    });
}

std::string LibtorchEngine::description() const {
    const auto threads = network::Workers::ofProducts().threads();
    return "LibTorch " TORCH_VERSION ", " + blasDescription() + ", " + trace::nameOf(trace::kernelsInUse()) +
           " kernels, CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::unique_ptr<Engine> makeLibtorchEngine(const EngineOptions& options) {
    return std::make_unique<LibtorchEngine>(options);
}

} // namespace headscope::engine
