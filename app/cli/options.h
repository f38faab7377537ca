#pragma once

#include "model/engine/engine.h"
#include "model/trace/model_summary.h"
#include "model/trace/request.h"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// Options that every command has.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    std::string device = "auto";
    int threads = 0;

    void addTo(CLI::App& command);
    engine::EngineOptions engineOptions() const;
};

/// Headings of --help, under which options stand that say what is run.
namespace groups {
inline constexpr const char* model = "What a bare checkpoint does not say";
inline constexpr const char* input = "Input";
inline constexpr const char* decoding = "Decoding";
inline constexpr const char* whatIf = "What if";
} // namespace groups

/// The model, and what a bare checkpoint does not say of itself.
struct ModelOptions {
    std::string model;
    std::map<std::string, std::string> settings; ///< by key; empty text: not given

    void addTo(CLI::App& command);
    engine::ModelSource source() const;
};

/// How the target is decoded, and what is padded. What is not given is what the model's folder says.
struct DecodingOptions {
    std::optional<int> beam;
    std::optional<double> lengthPenalty;
    std::optional<int> maximumLength;
    std::optional<int> minimumLength;
    std::optional<int> noRepeat;
    bool sample = false;
    std::optional<double> temperature;
    std::optional<int> topK;
    std::optional<double> topP;
    std::optional<std::uint64_t> seed;
    int padSource = 0;
    int padTarget = 0;

    void addTo(CLI::App& command);
    /// Without padding.
    void addSearchTo(CLI::App& command);
    /// The options were given in a way that makes sense together: else CLI::ValidationError.
    void check() const;
    trace::Padding padding() const { return {.source = padSource, .target = padTarget}; }
    trace::Decoding decoding(const trace::ModelSummary& model) const;
    int newTokens(const trace::ModelSummary& model) const { return maximumLength.value_or(model.newTokens); }

  private:
    void addSamplingTo(CLI::App& command, const std::string& group);
};

/// What is changed in the model for this run, or in its place.
struct WhatIfOptions {
    std::vector<trace::Intervention> interventions;
    std::optional<std::string> ratherThan;
    std::optional<std::uint64_t> randomTwin;

    void addTo(CLI::App& command);
};

/// What the encoder and the decoder are fed.
struct InputOptions {
    std::string source;
    std::string sourceIds;
    std::string sourceEmbeddings;
    std::optional<std::string> target; ///< empty text: the start token alone
    std::string targetIds;
    bool goOn = false;

    void addTo(CLI::App& command);
    /// The options were given in a way that names one source and at most one target: else
    /// CLI::ValidationError.
    void check(const CLI::App& command) const;
    trace::Source sourceValue() const;
    trace::DecodePath path(int newTokens) const;
};

/// Loads the engine with the kernels the processor wants.
std::unique_ptr<engine::Engine> startEngine(const CommonOptions& options);

/// Accepts whole numbers as people write them: CLI11's own ranges let "0x8" and "+8" pass.
CLI::Validator wholeNumber(int least, int most);

/// Accepts what starts random numbers: CLI11 itself takes "-1" for a large number.
CLI::Validator seedNumber();

/// "5,6,7" as ids. Throws CLI::ValidationError naming the option.
std::vector<std::int64_t> parseIds(const std::string& option, const std::string& text);

} // namespace headscope::app
