#include "app/cli/command.h"
#include "app/cli/unknown_tokens.h"

#include "app/traces/trace_arrays.h"
#include "app/traces/trace_fields.h"
#include "model/files/atomic_file.h"
#include "model/trace/class_label.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace headscope::app {

namespace {

struct TraceOptions {
    CommonOptions common;
    ModelOptions model;
    InputOptions input;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    trace::Recording recording;
    TraceContents contents;
    std::string out;
};

/// The most probable class of a classifier: ", positive 0.947".
std::string classIn(const trace::Run& run, const trace::ModelSummary& model) {
    const auto& classes = run.classLogProbabilities;
    if (classes.empty())
        return {};
    const std::size_t best = std::ranges::max_element(classes) - classes.begin();
    std::array<char, 16> probability{};
    std::snprintf(probability.data(), probability.size(), " %.3f", std::exp(classes[best]));
    return ", " + trace::classLabel(&model, best) + probability.data();
}

void report(const trace::Run& run, const trace::ModelSummary& model, const TraceOptions& options) {
    const auto& check = run.selfCheck;
    if (options.common.json) {
        nlohmann::ordered_json json{{"out", options.out},
                                    {"source_tokens", run.source.size()},
                                    {"target_tokens", run.target.size()},
                                    {"output", run.output},
                                    {"self_check", selfCheckJson(check)}};
        if (run.request.randomTwin)
            json["random_twin"] = *run.request.randomTwin;
        std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    } else if (!options.common.quiet) {
        std::cerr << options.out << ": " << run.source.size() << " source and " << run.target.size()
                  << " target tokens" << classIn(run, model) << ", self-check " << nameOf(check.state())
                  << '\n';
    }
}

int runTrace(const TraceOptions& options, std::stop_token stop) {
    auto source = options.input.sourceValue();
    const auto engine = startEngine(options.common);
    const auto model = engine->open(options.model.source(), stop);
    files::refuseUnlessSavable(options.out); // computing may take minutes
    auto recording = options.recording;
    if (options.contents.original) // both runs' distributions are compared
        recording.logProbabilities = true;
    const trace::Request request{.source = std::move(source),
                                 .second = options.input.second,
                                 .padding = options.decoding.padding(),
                                 .paths = {options.input.path(options.decoding.newTokens(*model))},
                                 .decoding = options.decoding.decoding(*model),
                                 .interventions = options.whatIf.interventions,
                                 .randomTwin = options.whatIf.randomTwin,
                                 .recording = recording,
                                 .ratherThan = options.whatIf.ratherThan};
    const auto run = engine->of(request, trace::RunWhat(), stop);
    noteUnknown(run->source);
    for (const auto& change : run->unreached)
        std::cerr << change << ": no effect: there is no such row, or no such key that is not masked\n";
    const auto analyses = traceAnalyses(*engine, request, *run, options.contents, stop);
    for (const auto& [option, why] : analyses.whyNot)
        std::cerr << option << ": not kept: " << why << '\n';
    saveTrace(*run, analyses, options.out);
    report(*run, *model, options);
    if (run->selfCheck.isFinite())
        return 0;
    std::cerr << options.out << ": the network computed numbers that are not finite\n";
    return NotFinite;
}

} // namespace

void addTrace(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<TraceOptions>();
    auto* command = program.add_subcommand("trace", "Writes everything that a run computed, for NumPy");
    options->model.addTo(*command);
    options->input.addTo(*command);
    options->decoding.addTo(*command);
    options->whatIf.addTo(*command);
    const auto group = "Arrays beyond weights, scores and masks";
    auto& recording = options->recording;
    command->add_flag("--qkv", recording.projections, "Queries, keys, values and outputs of the heads")
        ->group(group);
    command->add_flag("--residual", recording.residual, "The residual stream")->group(group);
    command->add_flag("--hidden", recording.encoderOutput, "The encoder's output")->group(group);
    command
        ->add_flag("--log-probabilities", recording.logProbabilities,
                   "Log-probabilities of the whole vocabulary")
        ->group(group);
    auto& contents = options->contents;
    command->add_flag("--score-terms", contents.scoreTerms, "Scores as sums over content and position")
        ->group(group);
    command
        ->add_flag("--quantities", contents.quantities,
                   "Norm-weighted attention, roll-out and ALTI+ of every layer")
        ->group(group);
    command
        ->add_flag("--gradients", contents.gradients,
                   "Gradient times attention for the token of each step: one map per head and step")
        ->group(group);
    command->add_flag("--lens", contents.lens, "Logit lens: predictions after each sublayer")->group(group);
    command
        ->add_flag("--importance", contents.importance,
                   "Importance of every head, by removing each in turn: one pass per head")
        ->group(group);
    command
        ->add_flag(
            "--curve", contents.removal,
            "What is left while heads are removed cumulatively, the most important of each step first, "
            "and in 12 random orders; one pass per order and head; includes importance")
        ->group(group);
    addAblation(*command, contents.ablation)->group(group);
    command
        ->add_flag(
            "--knock-out", contents.knockOut,
            "What each step loses without each source token, or in a decoder alone without each earlier "
            "token: one pass per step and token")
        ->group(group);
    command
        ->add_flag("--attribution", contents.attribution,
                   "Contribution of each head to the logit of each step's token, mask or class; includes the "
                   "logit lens")
        ->group(group);
    command
        ->add_flag("--flow", contents.flow, "Lengths of the residual stream and of what each sublayer adds")
        ->group(group);
    command
        ->add_flag("--experts", contents.experts,
                   "Experts that each token uses in each layer, of a model with a mixture of experts")
        ->group(group);
    command
        ->add_flag(
            "--reading", contents.reading,
            "Contributions to a classifier's answer, and the answer without each word: one pass per word")
        ->group(group);
    command
        ->add_flag("--undisturbed", contents.original,
                   "With changes: also the run without them, and each model reading the other's output; "
                   "includes log-probabilities")
        ->group(group);
    command
        ->add_option("--twin", contents.twin,
                     "Also the run of the random twin with this seed, and its run on the model's output")
        ->option_text("SEED")
        ->group(group);
    command->add_option("--out", options->out, "FILE.npz or FILE.safetensors")
        ->required()
        ->check(CLI::Validator(
            [](const std::string& path) {
                const auto ending = std::filesystem::path(path).extension();
                return ending == ".npz" || ending == ".safetensors"
                           ? std::string()
                           : "expected .npz or .safetensors, found " + path;
            },
            ""));
    options->common.addTo(*command);
    command->callback([options, command, &chosen] {
        options->input.check(*command);
        options->decoding.check();
        chosen = [options](std::stop_token stop) { return runTrace(*options, stop); };
    });
}

} // namespace headscope::app
