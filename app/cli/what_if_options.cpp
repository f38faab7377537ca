#include "app/cli/options.h"

#include "model/trace/refusal.h"

#include <algorithm>
#include <array>

namespace headscope::app {

namespace {

/// Rejects an invalid argument before any file is opened, with the message of trace::parseChange().
trace::Change changeFrom(const std::string& option, const std::string& argument) {
    try {
        return trace::parseChange({option, argument});
    } catch (const trace::Refusal& refusal) {
        throw CLI::ValidationError(option,
                                   "expected " + refusal.text().expected + ", found " + refusal.text().found);
    }
}

struct WhatIfHelp {
    const char* option;
    const char* argument; ///< null for a flag
    const char* help;
};

constexpr std::array<WhatIfHelp, 12> whatIfHelp{{
    {"--disable-head", "HEAD", "Remove a head's output, such as cross.2.5"},
    {"--scale-head", "HEAD=X", "Multiply a head's output by X"},
    {"--scale-sublayer", "SUBLAYER=X", "Multiply a sublayer's output by X, such as decoder-ff.1=0"},
    {"--mean-head", "HEAD", "Replace a head's output by its mean over the sample sentences"},
    {"--resample-head", "HEAD=SENTENCE", "Replace a head's output by its output for another sentence"},
    {"--block", "HEAD:Q,K", "Mask the cell of query Q and key K"},
    {"--force-row", "HEAD:Q=ROW", "Set the weights of query Q: uniform, argmax, or all on one key"},
    {"--no-mask", nullptr, "Lift the subsequent mask: the decoder sees later tokens"},
    {"--no-scaling", nullptr, "Do not scale the scores by 1/sqrt(d_k)"},
    {"--score-scale", "X", "Scale the scores by X instead"},
    {"--softmax-temperature", "X", "Divide the scores by X before the softmax"},
    {"--positions", "CHANGE", "Change the positions: none, shuffle:SEED or shift:K"},
}};

/// Changes of the whole model can be given once; others once per head or cell.
bool isOfTheWholeModel(std::string_view option) {
    return option == "--score-scale" || option == "--softmax-temperature" || option == "--positions";
}

} // namespace

void WhatIfOptions::addTo(CLI::App& command) {
    const auto group = groups::whatIf;
    for (const auto& [option, argument, help] : whatIfHelp) {
        const auto add = [this, name = std::string(option)](const std::string& given) {
            interventions.push_back({changeFrom(name, given)});
        };
        CLI::Option* added = nullptr;
        if (!argument)
            added = command.add_flag_callback(
                option, [add] { add(""); }, help);
        else if (isOfTheWholeModel(option))
            added = command.add_option_function<std::string>(option, add, help)->option_text(argument);
        else
            added =
                command
                    .add_option_function<std::vector<std::string>>(
                        option, [add](const auto& all) { std::for_each(all.begin(), all.end(), add); }, help)
                    ->allow_extra_args(false)
                    ->option_text(argument);
        added->group(group);
    }
    command.get_option("--no-scaling")->excludes(command.get_option("--score-scale"));
    command
        .add_option("--rather-than", ratherThan,
                    "Compare each chosen token with this one: a token, a word of one token, or #ID; for a "
                    "classifier, a class; where an answer is marked, a token of the text or #PLACE")
        ->group(group);
    command
        .add_option(
            "--random-twin", randomTwin,
            "Run the same network with random weights from this seed; heads runs it on the model's output")
        ->option_text("SEED")
        ->check(seedNumber())
        ->group(group);
}

CLI::Option* addAblation(CLI::App& command, trace::Ablation& ablation) {
    return command
        .add_option_function<std::string>(
            "--ablation",
            [&ablation](const std::string& text) {
                const auto given = trace::parseAblation(text);
                if (!given)
                    throw CLI::ValidationError("--ablation",
                                               "expected zero, mean or resample=SENTENCE, found " + text);
                ablation = *given;
            },
            "How importance and curve remove a head: its output becomes zero, its mean over the sample "
            "sentences, or its output for another sentence (default: zero)")
        ->option_text("zero|mean|resample=SENTENCE");
}

} // namespace headscope::app
