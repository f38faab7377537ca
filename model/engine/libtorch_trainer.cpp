#include "model/checkpoint/family.h"
#include "model/engine/libtorch.h"
#include "model/engine/open_model.h"
#include "model/files/findings.h"
#include "model/files/mapped_file.h"
#include "model/trace/refusal.h"
#include "model/training/training_run.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <malloc.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace headscope::engine {

namespace {

using trace::Refusal;

constexpr const char* smallerTraining = "make training.batch_tokens or the network smaller";

/// Converts LibTorch's errors to trace::Refusal.
template <class Work>
auto guardedTraining(const char* what, Work&& work) {
    at::set_num_threads(1); // parts of a batch are computed in parallel, not the parts of an operator
    try {
        return work();
    } catch (const c10::Error& error) {
        if (const auto needed = bytesNotAllocated(error.what_without_backtrace()))
            throw files::memoryRefusal(what, *needed, smallerTraining);
        throw Refusal({.what = what,
                       .where = "the tensor library",
                       .wayOut = "try smaller batches (training.batch_tokens); what was saved is still there",
                       .details = error.what_without_backtrace()});
    } catch (const std::bad_alloc&) {
        throw files::memoryRefusal(what, {}, smallerTraining);
    }
}

/// Keeps freed memory in the process: every step needs the same buffers, and returning them to the system
/// would cost a tenth of the time.
void keepFreedMemory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // glibc's maximum
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);
#endif
}

/// Adds the tokens around a source: those of the tokenizer's files, or else of the settings.
void frameSource(training::Framing& framing, const OpenModel& model) {
    const auto framed = model.tokenizer->framed({.text = "a", .language = model.summary->sourceLanguage});
    if (!framed) {
        framing.sourcePrefix = model.settings.integers("source_prefix");
        framing.sourceSuffix = model.settings.integers("source_suffix");
        return;
    }
    bool isBefore = true;
    for (std::size_t i = 0; i < framed->tokens.size(); ++i)
        if (framed->parts[i] != text::InputPart::Added)
            isBefore = false;
        else
            (isBefore ? framing.sourcePrefix : framing.sourceSuffix).push_back(framed->tokens[i].id);
}

/// Returns the tokens around every sentence and the maximum lengths without them.
training::Framing framingOf(const OpenModel& model) {
    const auto& special = model.summary->special;
    training::Framing framing{
        .first = model.firstOfTargetText(), .longestSource = 1'000'000, .longestTarget = 1'000'000};
    frameSource(framing, model);
    const auto around = static_cast<std::int64_t>(framing.sourcePrefix.size() + framing.sourceSuffix.size());
    if (const auto positions = model.summary->maximumPositions; positions > 0) {
        const auto& config = model.network->config();
        const std::int64_t start = config.decoder.layers > 0 ? 1 + (framing.first ? 1 : 0) : 0;
        if (positions <= std::max(around, start))
            throw Refusal({.what = "This model has too few positions for any sentence",
                           .where = model.summary->path,
                           .expected = "more than " + std::to_string(std::max(around, start)) +
                                       ": the tokens that stand around each sentence",
                           .found = std::to_string(positions),
                           .wayOut = "mend source_prefix and source_suffix in its config.json"});
        framing.longestSource = positions - around;
        framing.longestTarget = config.rowsOf(config.decoder).usable - start;
    }
    if (special.start)
        framing.start = *special.start;
    if (special.end)
        framing.end = *special.end;
    return framing;
}

std::string joined(const std::vector<std::string>& labels) {
    std::string words;
    for (const auto& label : labels)
        words += (words.empty() ? "\"" : ", \"") + files::printable(label, 60) + '"';
    return words;
}

/// Returns the labels of the classes: the model's own or, if it has none, the corpus's labels in order.
std::vector<std::string> labelsOf(const OpenModel& model, const std::vector<corpus::TextPair>& pairs) {
    const auto labels = training::labelsOf(pairs);
    const auto& named = model.summary->classLabels;
    if (!named.empty()) {
        for (const auto& label : labels)
            if (std::ranges::find(named, label) == named.end())
                throw Refusal({.what = "The corpus has a label that the classifier does not know",
                               .where = model.summary->path,
                               .expected = joined(named),
                               .found = "\"" + files::printable(label, 60) + "\"",
                               .wayOut = "rename the labels in the corpus, or \"labels\" in the model's "
                                         "config.json"});
        return named;
    }
    if (static_cast<std::int64_t>(labels.size()) != model.network->config().classes)
        throw Refusal({.what = "The corpus has other labels than the classifier",
                       .where = model.summary->path,
                       .expected = std::to_string(model.network->config().classes) + " different labels",
                       .found = std::to_string(labels.size()),
                       .wayOut = "give a corpus with a text of every class"});
    return labels;
}

std::unique_ptr<OpenModel> openWithTokenizer(const ModelSource& source,
                                             const std::vector<std::filesystem::path>& familyFolders,
                                             const std::stop_token& stop) {
    auto model = openModel(source, familyFolders, stop);
    if (!model->tokenizer)
        throw Refusal({.what = "This model reads ids only: it has no tokenizer",
                       .where = model->summary->path,
                       .expected = "a tokenizer's file beside the weights",
                       .found = "none",
                       .wayOut = "give --tokenizer"});
    return model;
}

training::EncodedCorpus encoded(const OpenModel& model, const std::vector<corpus::TextPair>& pairs,
                                const std::stop_token& stop) {
    auto corpus = model.network->config().decoder.layers > 0
                      ? training::EncodedCorpus::ofPairs(pairs, *model.tokenizer, framingOf(model), stop)
                      : training::EncodedCorpus::ofTexts(pairs, *model.tokenizer, framingOf(model),
                                                         labelsOf(model, pairs), stop);
    if (corpus.size() == 0)
        throw Refusal({.what = "There is nothing to measure the loss on",
                       .where = "the corpus",
                       .expected = "sentences that fit the model's " +
                                   std::to_string(model.summary->maximumPositions) + " positions",
                       .found = std::to_string(corpus.leftOut()) + " longer or empty ones",
                       .wayOut = "give another corpus"});
    return corpus;
}

class LibtorchTrainer : public Trainer {
  public:
    explicit LibtorchTrainer(TrainerOptions options) : options_(std::move(options)), blas_(threads()) {
        refuseMissingDevice(options_.device); // before anything is read
    }

    training::TrainingSummary train(const std::filesystem::path& configuration, std::stop_token stop,
                                    const training::ReportProgress& report) override;
    void refuseUnreadable(const ModelSource& model, const std::vector<corpus::ReferencedSource>& sources,
                          int padding, std::stop_token stop) override;
    std::optional<CorpusLoss> loss(const ModelSource& model, const std::vector<corpus::TextPair>& pairs,
                                   std::stop_token stop) override;

  private:
    int threads() const;

    TrainerOptions options_;
    BlasMemory blas_;
};

int LibtorchTrainer::threads() const {
    return options_.threads > 0 ? options_.threads
                                : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U));
}

training::TrainingSummary LibtorchTrainer::train(const std::filesystem::path& configuration,
                                                 std::stop_token stop,
                                                 const training::ReportProgress& report) {
    return guardedTraining("The training could not go on", [&] {
        keepFreedMemory();
        const auto config = training::readTrainingConfig(configuration);
        std::vector<trace::RefusalText> broken;
        const auto families = checkpoint::loadFamilies(options_.familyFolders, broken);
        const checkpoint::FamilyHints hints{.key = checkpoint::Settings::Value{config.family, config.where}};
        const auto& family = checkpoint::chooseFamily(families, hints, config.where);
        training::TrainingRun run(config, family,
                                  {.threads = threads(), .stop = std::move(stop), .report = report});
        return run.run();
    });
}

void LibtorchTrainer::refuseUnreadable(const ModelSource& source,
                                       const std::vector<corpus::ReferencedSource>& sources, int padding,
                                       std::stop_token stop) {
    guardedTraining("The corpus could not be read", [&] {
        const auto model = openWithTokenizer(source, options_.familyFolders, stop);
        const auto framing = framingOf(*model);
        const auto around = framing.sourcePrefix.size() + framing.sourceSuffix.size();
        const auto most = framing.longestSource + around;
        files::Findings findings;
        for (const auto& [text, line, references] : sources) {
            trace::throwIfStopped(stop);
            const auto tokens = model->tokenizer->encode(text).size() + around;
            if (tokens == 0 || tokens + padding > most)
                findings.add("line " + std::to_string(line) + ": " + std::to_string(tokens) + " tokens");
        }
        if (!findings.empty())
            throw Refusal({.what = "The model cannot read all sources of the corpus",
                           .where = model->summary->path,
                           .expected = "1 to " + std::to_string(most) + " tokens, padding among them",
                           .found = findings.text(),
                           .wayOut = "shorten these lines, or leave them out"});
    });
}

std::optional<CorpusLoss> LibtorchTrainer::loss(const ModelSource& source,
                                                const std::vector<corpus::TextPair>& pairs,
                                                std::stop_token stop) {
    return guardedTraining("The loss could not be measured", [&]() -> std::optional<CorpusLoss> {
        const auto model = openWithTokenizer(source, options_.familyFolders, stop);
        const auto& config = model->network->config();
        if (!training::TrainingNetwork::computes(config))
            return std::nullopt;
        const auto corpus = encoded(*model, pairs, stop);
        const training::FlatParameters parameters(*model->network);
        auto values = at::zeros({parameters.size()});
        parameters.read(*model->network, values);
        const training::TrainingNetwork network(config, parameters, /*causal=*/true);
        network::Workers workers(threads());
        const auto sums = training::measureLosses(network, corpus, values, workers, stop);
        files::refuseFilesThatWereCutOff();
        const auto answers = static_cast<double>(sums.answers);
        return CorpusLoss{.loss = sums.plain / answers,
                          .tokens = sums.answers,
                          .accuracy = static_cast<double>(sums.right) / answers,
                          .leftOut = corpus.leftOut()};
    });
}

} // namespace

std::unique_ptr<Trainer> makeLibtorchTrainer(const TrainerOptions& options) {
    return std::make_unique<LibtorchTrainer>(options);
}

} // namespace headscope::engine
