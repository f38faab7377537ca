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

/// Interface for running models: answers questions about the current one. The implementation is in a module
/// loaded at run time, so that programs which only open a window do not wait for LibTorch. Must be called
/// from one thread at a time. Every call that can take long throws trace::Cancelled within 100 ms of a stop
/// request. Errors are trace::Refusal.
class Engine : public trace::Answers {
  public:
    /// Opens a model and makes it the current one. If it is refused, the previous model stays open. Throws
    /// trace::MissingSettings if the model does not determine how it is to be read.
    virtual std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                            std::stop_token stop) = 0;

    /// Decodes a few tokens of `sentence`, or of example ids if the model has no tokenizer. The current model
    /// stays open. Returns nullopt if the model has no decoder or no embedding, or decodes no token.
    virtual std::optional<Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) = 0;

    /// Returns the tokens that the current model reads of a text, or of a pair, with those around them.
    virtual std::vector<trace::Token> tokensOf(const std::string& text,
                                               const std::optional<std::string>& second) = 0;

    /// Returns the tokens of a text, without those around it, if the matches of a regular expression were the
    /// tokens (setting `tokenizer_pattern`). Throws trace::Refusal, also if the model's vocabulary cannot be
    /// used in that way.
    virtual std::vector<trace::Token> tokensByPattern(const std::string& pattern,
                                                      const std::string& text) = 0;

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
