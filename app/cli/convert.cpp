#include "app/cli/command.h"
#include "model/trace/joined.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iostream>
#include <map>
#include <string>

namespace headscope::app {

namespace {

const std::map<std::string, files::ElementType> precisions{{"f32", files::ElementType::Float32},
                                                           {"f16", files::ElementType::Float16},
                                                           {"bf16", files::ElementType::BFloat16}};

struct ConvertOptions {
    CommonOptions common;
    ModelOptions model;
    std::string random; ///< path of a configuration, instead of a model
    std::uint64_t seed = 1;
    std::string out;
    std::string precision = "f32";

    engine::ModelSource source() const {
        auto source = model.source();
        if (!random.empty()) {
            source.path = random;
            source.randomSeed = seed;
        }
        return source;
    }
};

void report(const trace::ModelSummary& model, const ConvertOptions& options) {
    if (options.common.json) {
        nlohmann::ordered_json json{{"out", options.out}, {"precision", options.precision}};
        if (!options.random.empty())
            json.update({{"seed", options.seed},
                         {"parameters", model.parameters},
                         {"ignored_keys", model.ignoredKeys}});
        std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
    if (!model.ignoredKeys.empty()) // also with --quiet, because it may be a misspelt key
        std::cerr << options.random << ": these keys mean nothing here: " << trace::joined(model.ignoredKeys)
                  << '\n';
    if (!options.common.json && !options.common.quiet)
        std::cerr << options.out << ": a model folder with model.safetensors and config.json\n";
}

int runConvert(const ConvertOptions& options, std::stop_token stop) {
    const auto engine = startEngine(options.common);
    const auto model = engine->open(options.source(), stop);
    engine->convert(options.out, precisions.at(options.precision), stop);
    report(*model, options);
    return 0;
}

} // namespace

void addConvert(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<ConvertOptions>();
    auto* command = program.add_subcommand(
        "convert", "Converts a checkpoint, or random weights, to a model folder with safetensors");
    options->model.addTo(*command);
    auto* model = command->get_option("MODEL")->required(false);
    auto* random =
        command
            ->add_option(
                "--random", options->random,
                "Create random weights for this config.json (as written by convert) instead of reading MODEL")
            ->type_name("CONFIG.json");
    command->add_option("--seed", options->seed, "Seed of the random weights")
        ->needs(random)
        ->check(seedNumber())
        ->capture_default_str();
    command->add_option("--out", options->out, "The folder to write")->required();
    command->add_option("--precision", options->precision, "Precision of the written weights")
        ->check(CLI::IsMember(precisions))
        ->capture_default_str();
    options->common.addTo(*command);
    command->callback([options, model, random, &chosen] {
        if ((model->count() > 0) == (random->count() > 0))
            throw CLI::ValidationError("MODEL", "expected either MODEL or --random CONFIG.json");
        if (random->count() > 0 && options->random.empty())
            throw CLI::ValidationError("--random", "expected a file's path");
        chosen = [options](std::stop_token stop) { return runConvert(*options, stop); };
    });
}

} // namespace headscope::app
