#include "model/engine/libtorch_trainer.h"

#include "model/checkpoint/family.h"
#include "model/engine/open_model.h"
#include "model/trace/refusal.h"
#include "model/training/training_run.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>

#include <malloc.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace headscope::engine {

namespace {

using trace::Refusal;

c10::Device deviceOf(const std::string& wanted) {
    if (wanted == "cpu" || (wanted == "auto" && !at::hasCUDA()))
        return at::kCPU;
    if (at::hasCUDA())
        return at::kCUDA;
    throw Refusal({.what = "There is no such device",
                   .where = "--device",
                   .expected = "cpu or auto: this LibTorch computes on the processor",
                   .found = wanted,
                   .wayOut = "leave --device out"});
}

/// Turns LibTorch's errors into ours.
template <class Work>
auto guarded(const char* what, Work&& work) {
    try {
        return work();
    } catch (const c10::Error& error) {
        throw Refusal({.what = what,
                       .where = "the tensor library",
                       .wayOut = "try smaller batches (training.batch_tokens); what was saved is still there",
                       .details = error.what_without_backtrace()});
    } catch (const std::bad_alloc&) {
        throw Refusal(
            {.what = what,
             .where = "this computer's memory",
             .expected = "more free memory",
             .wayOut = "close other programs, or make training.batch_tokens or the network smaller"});
    }
}

/// The buffers of one step are those of the next: giving them back to the system would cost a tenth of the
/// time.
void keepFreedMemory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);
#endif
}

training::Framing framingOf(const OpenModel& model) {
    const auto& special = model.summary->special;
    training::Framing framing{.sourcePrefix = model.settings.integers("source_prefix"),
                              .sourceSuffix = model.settings.integers("source_suffix"),
                              .longest = 1'000'000};
    if (model.summary->maximumPositions > 0) // with the start, the prefix and the suffix
        framing.longest = static_cast<std::size_t>(model.summary->maximumPositions) - 1 -
                          framing.sourcePrefix.size() - framing.sourceSuffix.size();
    if (special.start)
        framing.start = *special.start;
    if (special.end)
        framing.end = *special.end;
    return framing;
}

/// Classes have no names in a model: they are a corpus's labels in order.
void refuseOtherLabels(const OpenModel& model, const std::vector<corpus::TextPair>& pairs) {
    const auto& config = model.network->config();
    const auto labels = config.decoderLayers == 0 ? training::labelsOf(pairs) : std::vector<std::string>();
    if (config.decoderLayers == 0 && static_cast<std::int64_t>(labels.size()) != config.classes)
        throw Refusal({.what = "The corpus has other labels than the classifier",
                       .where = model.summary->path,
                       .expected = std::to_string(config.classes) + " different labels",
                       .found = std::to_string(labels.size()),
                       .wayOut = "give a corpus with a text of every class"});
}

} // namespace

LibtorchTrainer::LibtorchTrainer(TrainerOptions options) : options_(std::move(options)) {
    deviceOf(options_.device); // refused before anything is read
}

int LibtorchTrainer::threads() const {
    return options_.threads > 0 ? options_.threads
                                : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U));
}

training::TrainingSummary LibtorchTrainer::train(const std::filesystem::path& configuration,
                                                 std::stop_token stop,
                                                 const training::ReportProgress& report) {
    return guarded("The training could not go on", [&] {
        keepFreedMemory();
        const auto config = training::readTrainingConfig(configuration);
        std::vector<trace::RefusalText> broken;
        const auto families = checkpoint::loadFamilies(options_.familyFolders, broken);
        const auto& family = checkpoint::chooseFamily(
            families, checkpoint::Settings::Value{config.family, config.where}, {}, config.where);
        training::TrainingRun run(config, family,
                                  {.threads = threads(),
                                   .device = deviceOf(options_.device),
                                   .stop = std::move(stop),
                                   .report = report});
        return run.run();
    });
}

CorpusLoss LibtorchTrainer::loss(const ModelSource& source, const std::vector<corpus::TextPair>& pairs,
                                 std::stop_token stop) {
    return guarded("The loss could not be measured", [&] {
        const auto model = openModel(source, options_.familyFolders, stop);
        if (!model->tokenizer)
            throw Refusal({.what = "This model reads ids only: it has no tokenizer",
                           .where = model->summary->path,
                           .expected = "a tokenizer's file beside the weights",
                           .found = "none",
                           .wayOut = "give --tokenizer"});
        refuseOtherLabels(*model, pairs);
        const auto corpus =
            model->network->config().decoderLayers > 0
                ? training::EncodedCorpus::ofPairs(pairs, *model->tokenizer, framingOf(*model), stop)
                : training::EncodedCorpus::ofTexts(pairs, *model->tokenizer, framingOf(*model),
                                                   training::labelsOf(pairs), stop);
        const training::FlatParameters parameters(*model->network);
        auto values = training::TrainedValues{.parameters = at::zeros({parameters.size()})};
        parameters.read(*model->network, values.parameters);
        const training::TrainingNetwork network(model->network->config(), parameters, /*causal=*/true);
        training::Workers workers(threads());
        const auto sums = training::measureLosses(
            network, corpus, corpus::makeBatches(corpus.lengths(), {.tokens = 1500, .pool = 1'000'000}, 0, 0),
            values.parameters, workers, stop);
        const auto answers = static_cast<double>(sums.answers);
        return CorpusLoss{.loss = sums.plain / answers,
                          .tokens = sums.answers,
                          .accuracy = static_cast<double>(sums.right) / answers};
    });
}

} // namespace headscope::engine
