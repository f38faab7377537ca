#include "app/cli/command.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace headscope::app {

void addConvert(CLI::App& program, Action& chosen) {
    struct Options {
        CommonOptions common;
        ModelOptions model;
        std::string out;
        std::string precision = "f32";
    };
    auto options = std::make_shared<Options>();
    auto* command =
        program.add_subcommand("convert", "Any readable checkpoint to a model folder with safetensors");
    options->model.addTo(*command);
    command->add_option("--out", options->out, "The folder to write")->required();
    command->add_option("--precision", options->precision, "Of the weights that are written")
        ->check(CLI::IsMember({"f32", "f16"}))
        ->capture_default_str();
    options->common.addTo(*command);
    command->callback([options, &chosen] {
        chosen = [options](std::stop_token stop) {
            const auto engine = startEngine(options->common);
            engine->open(options->model.source(), stop);
            engine->convert(
                options->out,
                options->precision == "f16" ? engine::Precision::Float16 : engine::Precision::Float32, stop);
            if (options->common.json)
                std::cout
                    << nlohmann::ordered_json{{"out", options->out}, {"precision", options->precision}}.dump()
                    << '\n';
            else if (!options->common.quiet)
                std::cerr << options->out << ": a model folder with model.safetensors and config.json\n";
            return 0;
        };
    });
}

} // namespace headscope::app
