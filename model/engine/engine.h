#pragma once

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

enum class Precision { Float32, Float16 };

/// What a bare checkpoint does not say: the command line's options and `headscope.json` use the same keys
/// (such as "heads" or "start_id"), values spelled as there. They win over what the folder says.
struct Setting {
    std::string key;
    std::string value;
};

/// Where a model is and how to read it.
struct ModelSource {
    std::filesystem::path path; ///< a folder, a weights file or an index of shards
    std::vector<Setting> settings;
    /// If given, `path` is a config.json as convert() writes it, and the weights are random: the same for the
    /// same seed. Keys of it that mean nothing are left alone and listed in ModelSummary::ignoredKeys.
    std::optional<std::uint64_t> randomSeed = {};
    bool toDecode = false; ///< what only decoding needs to know is asked for when the model is opened
};

/// How a model does that is read in some way: a wrong number of heads makes it unsure of its own words.
struct Trial {
    double meanLogProbability = 0; ///< of a token of its own greedy output, natural logarithm
    std::string input;             ///< what it read: in words, or ids where the model has no tokenizer
    std::string output;            ///< the same of what it said
};

struct EngineOptions {
    std::vector<std::filesystem::path> familyFolders; ///< tables of model families, later ones win
    std::string device = "auto";                      ///< cpu, cuda or auto
    std::vector<std::string> samples;                 ///< sentences that a head's mean is taken over
    int threads = 0; ///< 0: one, which is fastest for a step's small operators
};

/// Runs models. The implementation lives in a module that is loaded at run time, so that a program that only
/// wants a window does not wait for LibTorch. All calls come from one thread at a time; every call that can
/// take long obeys its stop token within 100 ms by throwing trace::Cancelled. Errors are trace::Refusal.
class Engine : public trace::Answers {
  public:
    /// Called from the working thread with complete values while work goes on.
    using Progress = std::function<void(std::shared_ptr<const trace::Run>)>;

    /// Of the current model, by one of the calls below.
    trace::Answer answer(const trace::Question& question, const trace::Task& work) final;

    /// Opens a model and makes it the current one. On refusal the model that was open stays;
    /// trace::MissingSettings is the refusal of a model that does not say how it is to be read.
    virtual std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                            std::stop_token stop) = 0;

    /// Lets a model translate a few tokens of `sentence`, or of ids where it has no tokenizer. The current
    /// model stays. Nothing where there is no decoder that says something.
    virtual std::optional<Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) = 0;

    /// Runs the current model. `work` is told how far it is in reading what it is given, source and forced
    /// target; what is decoded is handed to `progress`.
    virtual std::shared_ptr<const trace::Run> run(const trace::Request& request, const trace::Task& work,
                                                  const Progress& progress) = 0;

    using ImportanceProgress = std::function<void(std::shared_ptr<const trace::HeadImportance>)>;
    /// Runs the current model, then takes every head away in turn.
    virtual std::shared_ptr<const trace::HeadImportance>
    importance(const trace::Request& request, std::stop_token stop, const ImportanceProgress& progress) = 0;

    /// Runs the current model, then reads what the decoder would have said after each sublayer of each step.
    virtual std::shared_ptr<const trace::Lens> lens(const trace::Request& request, std::stop_token stop) = 0;

    /// Runs the current model, then computes a quantity at one attention site along the path that is shown.
    /// `step`: of a gradient, whose token's logit; of a classifier, which class's.
    virtual std::shared_ptr<const trace::QuantityMaps> maps(const trace::Request& request,
                                                            trace::MapQuantity quantity,
                                                            const trace::AttentionSite& site,
                                                            std::size_t step, std::stop_token stop) = 0;

    /// Runs the current model, then takes the scores of a self-attention layer apart into content and
    /// position.
    virtual std::shared_ptr<const trace::ScoreTerms>
    scoreTerms(const trace::Request& request, const trace::AttentionSite& site, std::stop_token stop) = 0;

    /// Runs the current model, then computes what a head adds to the residual stream in one row.
    virtual std::shared_ptr<const trace::RowContributions> rowContributions(const trace::Request& request,
                                                                            const trace::HeadAddress& head,
                                                                            std::size_t query,
                                                                            std::stop_token stop) = 0;

    /// Runs the current model, then closes every source token in turn to the shown path's step: in one
    /// cross-attention head, or in all of them. Of a long source this is asked for some `keys` at a time.
    virtual std::shared_ptr<const trace::CausalRow> causalRow(const trace::Request& request, std::size_t step,
                                                              std::optional<trace::HeadAddress> head,
                                                              trace::KeyRange keys, std::stop_token stop) = 0;

    /// Runs the current model, then tells what flowed through it along the shown path.
    virtual std::shared_ptr<const trace::ModelFlow> flow(const trace::Request& request,
                                                         std::stop_token stop) = 0;

    /// Runs the current model, a classifier, then takes its answer apart and leaves out every word in turn.
    virtual std::shared_ptr<const trace::ClassifierReading> classifierReading(const trace::Request& request,
                                                                              std::stop_token stop) = 0;

    /// Writes the current model as a folder of safetensors, config.json and tokenizer files. The folder is
    /// created; a file in it is replaced whole or not at all.
    virtual void convert(const std::filesystem::path& folder, Precision precision, std::stop_token stop) = 0;

    /// LibTorch's version and how it computes, in words, for the status bar.
    virtual std::string description() const = 0;
};

/// Exported by the module under the name `headscopeMakeEngine`. Never null; throws trace::Refusal.
using MakeEngine = std::unique_ptr<Engine> (*)(const EngineOptions& options);
inline constexpr const char* makeEngineSymbol = "headscopeMakeEngine";

} // namespace headscope::engine
