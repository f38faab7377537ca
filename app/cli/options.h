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

/// Options of every command.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    std::string device = "auto";
    int threads = 0;

    void addTo(CLI::App& command);
    engine::EngineOptions engineOptions() const;
};

/// Headings in --help for the options that determine the run.
namespace groups {
inline constexpr const char* model = "Settings missing from a bare checkpoint";
inline constexpr const char* input = "Input";
inline constexpr const char* decoding = "Decoding";
inline constexpr const char* whatIf = "What if";
} // namespace groups

/// The model, and settings that a bare checkpoint lacks.
struct ModelOptions {
    std::string model;
    std::map<std::string, std::string> settings; ///< by key; empty text if not given

    void addTo(CLI::App& command);
    engine::ModelSource source() const;
};

/// Decoding and padding. Defaults come from the model's folder.
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
    /// Adds all options except padding.
    void addSearchTo(CLI::App& command);
    /// Throws CLI::ValidationError if options contradict each other.
    void check() const;
    trace::Padding padding() const { return {.source = padSource, .target = padTarget}; }
    trace::Decoding decoding(const trace::ModelSummary& model) const;
    int newTokens(const trace::ModelSummary& model) const { return maximumLength.value_or(model.newTokens); }

  private:
    void addSamplingTo(CLI::App& command, const std::string& group);
};

/// Interventions in the model for this run, or a random twin in its place.
struct WhatIfOptions {
    std::vector<trace::Intervention> interventions;
    std::optional<std::string> ratherThan;
    std::optional<std::uint64_t> randomTwin;

    void addTo(CLI::App& command);
};

/// Adds --ablation: how heads are removed.
CLI::Option* addAblation(CLI::App& command, trace::Ablation& ablation);

/// Inputs of encoder and decoder.
struct InputOptions {
    std::string source;
    std::optional<std::string> second; ///< second text of a pair
    std::string sourceIds;
    std::string sourceSegments;
    std::string sourceEmbeddings;
    std::optional<std::string> target; ///< empty text: only the start token
    std::string targetIds;
    bool goOn = false;

    void addTo(CLI::App& command);
    /// Adds only the options for exact ids of the source.
    void addIdsTo(CLI::App& command);
    /// Throws CLI::ValidationError if ids contradict other options.
    void checkIds(const CLI::App& command) const;
    /// Throws CLI::ValidationError unless exactly one source and at most one target are given.
    void check(const CLI::App& command) const;
    trace::Source sourceValue() const;
    trace::DecodePath path(int newTokens) const;
};

/// Name of the command that prints what the model writes or predicts; "trace" if it does neither.
std::string commandFor(const trace::ModelSummary& model);

/// Loads the engine, with the BLAS kernels that suit the processor.
std::unique_ptr<engine::Engine> startEngine(const CommonOptions& options);

/// Accepts plain decimal integers only; CLI11's ranges also accept "0x8" and "+8".
CLI::Validator wholeNumber(int least, int most);

/// Accepts seeds of random numbers; CLI11 itself takes "-1" for a large number.
CLI::Validator seedNumber();

/// Parses ids such as "5,6,7". Throws CLI::ValidationError naming the option.
std::vector<std::int64_t> parseIds(const std::string& option, const std::string& text);

} // namespace headscope::app
