#pragma once

#include "model/files/stored_tensor.h"
#include "model/trace/model_summary.h"
#include "model/trace/question.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::engine {

/// A model setting, such as "heads" or "start_id". Keys and the spelling of values are shared by the command
/// line and `headscope.json`. Settings given here override those in the model's folder.
struct Setting {
    std::string key;
    std::string value;
};

/// Keys of the settings that choose the languages of a model with tokens for them.
inline constexpr const char* sourceLanguageKey = "source_language";
inline constexpr const char* targetLanguageKey = "target_language";

/// Location of a model and how to read it.
struct ModelSource {
    std::filesystem::path path; ///< a folder, a weights file or an index of shards
    std::vector<Setting> settings;
    /// If set, `path` is a config.json as written by convert(), and the weights are random: identical for
    /// identical seeds. Unknown keys in it are ignored and listed in ModelSummary::ignoredKeys.
    std::optional<std::uint64_t> randomSeed = {};
    bool toDecode = false; ///< when opening, also require the settings needed only for decoding
};

/// Result of a trial decoding. Wrong settings, such as the number of heads, lower the log-probabilities of
/// the model's own output.
struct Trial {
    double meanLogProbability = 0; ///< per token of the model's greedy output, natural logarithm
    std::string input;             ///< text read, or ids if the model has no tokenizer
    std::string output;            ///< text written, or ids if the model has no tokenizer
};

struct EngineOptions {
    std::vector<std::filesystem::path> familyFolders; ///< tables of model families, later ones win
    std::string device = "auto";                      ///< cpu or auto, both the CPU
    std::vector<std::string> samples; ///< sentences for the mean output of heads (ReplaceHead)
    int threads = 0;                  ///< 0: that of the hardware, at most four
};

/// Interface for running models. The implementation is in a module loaded at run time, so that programs which
/// only open a window do not wait for LibTorch. Must be called from one thread at a time. Every call that can
/// take long throws trace::Cancelled within 100 ms of a stop request. Errors are trace::Refusal.
class Engine : public trace::Answers {
  public:
    /// Called from the working thread with intermediate runs, each consistent in itself.
    using Progress = std::function<void(std::shared_ptr<const trace::Run>)>;

    /// Answers for the current model by calling one of the functions below.
    trace::Answer answer(const trace::Question& question, const trace::Task& work) final;

    /// Opens a model and makes it the current one. If it is refused, the previous model stays open. Throws
    /// trace::MissingSettings if the model does not determine how it is to be read.
    virtual std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                            std::stop_token stop) = 0;

    /// Decodes a few tokens of `sentence`, or of example ids if the model has no tokenizer. The current model
    /// stays open. Returns nullopt if the model has no decoder or no embedding, or decodes no token.
    virtual std::optional<Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) = 0;

    /// Runs the current model. `work` receives the progress of reading source and forced target; `progress`
    /// receives the decoded tokens.
    virtual std::shared_ptr<const trace::Run> run(const trace::Request& request, const trace::Task& work,
                                                  const Progress& progress) = 0;

    using ImportanceProgress = std::function<void(std::shared_ptr<const trace::HeadImportance>)>;
    /// Runs the current model, then ablates every head in turn.
    virtual std::shared_ptr<const trace::HeadImportance>
    importance(const trace::Request& request, std::stop_token stop, const ImportanceProgress& progress) = 0;

    /// Runs the current model, then reads the decoder's prediction after each sublayer of each step.
    virtual std::shared_ptr<const trace::Lens> lens(const trace::Request& request, std::stop_token stop) = 0;

    /// Runs the current model, then computes a quantity at one attention site along the shown path. `step` is
    /// for gradients only: the step whose token's logit is used or, for a classifier, the index of the class.
    virtual std::shared_ptr<const trace::QuantityMaps> maps(const trace::Request& request,
                                                            trace::MapQuantity quantity,
                                                            const trace::AttentionSite& site,
                                                            std::size_t step, std::stop_token stop) = 0;

    /// Runs the current model, then splits the scores of a self-attention layer into content and position.
    virtual std::shared_ptr<const trace::ScoreTerms>
    scoreTerms(const trace::Request& request, const trace::AttentionSite& site, std::stop_token stop) = 0;

    /// Runs the current model, then computes the contribution of a head to the residual stream in one row.
    virtual std::shared_ptr<const trace::RowContributions> rowContributions(const trace::Request& request,
                                                                            const trace::HeadAddress& head,
                                                                            std::size_t query,
                                                                            std::stop_token stop) = 0;

    /// Runs the current model, then masks every source token in turn for one step of the shown path: in one
    /// cross-attention head, or in all of them. Long sources are processed in ranges of `keys`.
    virtual std::shared_ptr<const trace::CausalRow> causalRow(const trace::Request& request, std::size_t step,
                                                              std::optional<trace::HeadAddress> head,
                                                              trace::KeyRange keys, std::stop_token stop) = 0;

    /// Runs the current model, then measures the residual stream along the shown path.
    virtual std::shared_ptr<const trace::ModelFlow> flow(const trace::Request& request,
                                                         std::stop_token stop) = 0;

    /// Runs the current model, which must be a classifier, then splits its logits into contributions and
    /// leaves out every word in turn.
    virtual std::shared_ptr<const trace::ClassifierReading> classifierReading(const trace::Request& request,
                                                                              std::stop_token stop) = 0;

    /// Writes the current model to a folder: safetensors, config.json and tokenizer files. Matrices become
    /// `matrices`: Float32, Float16 or BFloat16. Creates the folder. Existing files are replaced atomically.
    virtual void convert(const std::filesystem::path& folder, files::ElementType matrices,
                         std::stop_token stop) = 0;

    /// Returns the versions of LibTorch and BLAS, kernels, device and thread count, for display.
    virtual std::string description() const = 0;
};

/// Exported by the module as `headscopeMakeEngine`. Never returns null; throws trace::Refusal.
using MakeEngine = std::unique_ptr<Engine> (*)(const EngineOptions& options);
inline constexpr const char* makeEngineSymbol = "headscopeMakeEngine";

} // namespace headscope::engine
