#include "app/cli/command.h"
#include "app/cli/finite.h"
#include "app/cli/line_reader.h"
#include "app/cli/pace.h"
#include "app/cli/unknown_tokens.h"
#include "app/typed_arguments.h"

#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

#include <unistd.h>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;
using trace::Refusal;

struct TranslateOptions {
    CommonOptions common;
    ModelOptions model;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    InputOptions ids; ///< of one source, in place of texts
    std::vector<std::string> texts;
    std::string input;
};

/// Number of tokens before those that the model writes: the prompt of a decoder alone, else the start token.
std::size_t givenTokens(const trace::Run& run) {
    return run.model->isDecoderAlone() ? run.source.size() : 1;
}

std::string jsonLine(const trace::Source& source, const trace::Run* run) {
    ordered_json json;
    if (const auto* text = std::get_if<std::string>(&source))
        json["source"] = *text;
    json["output"] = run ? run->output : "";
    auto ids = ordered_json::array();
    auto pieces = ordered_json::array();
    double logProbability = 0;
    // The start token is left out; the prompt of a decoder alone, which it continues, is not.
    const bool isContinued = run && run->model->isDecoderAlone();
    const std::size_t given = run ? givenTokens(*run) : 1;
    const auto path = run ? trace::pathWithoutPadding(*run) : std::vector<trace::DecodeTree::NodeId>();
    for (std::size_t i = isContinued ? 0 : 1; i < path.size(); ++i) {
        const auto& node = run->tree.node(path[i]);
        ids.push_back(node.token.id);
        pieces.push_back(node.token.piece);
        if (i >= given)
            logProbability += node.logProbability;
    }
    json["source_ids"] = run ? trace::idsOf(run->source) : std::vector<std::int64_t>();
    json["ids"] = ids;
    json["pieces"] = pieces;
    json["log_probability"] = run ? ordered_json(logProbability) : ordered_json();
    json["cut_off"] = run ? ordered_json(trace::isCutOff(*run)) : ordered_json();
    const auto* best = run && !run->path.empty() ? &run->tree.node(run->path.back()) : nullptr;
    if (best && best->search)
        json["score"] = best->search->finalScore;
    if (run && run->request.randomTwin)
        json["random_twin"] = *run->request.randomTwin;
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool isBlank(const trace::Source& source) {
    const auto* line = std::get_if<std::string>(&source);
    return line && std::ranges::all_of(*line, [](unsigned char c) { return std::isspace(c); });
}

/// Without a tokenizer the ids, as --source-ids takes them.
std::string textOf(const trace::Run& run) {
    if (!run.output.empty() || !run.model->tokenizer.empty())
        return run.output;
    std::string ids;
    const auto path = trace::pathWithoutPadding(run);
    for (std::size_t i = givenTokens(run); i < path.size(); ++i)
        ids += (ids.empty() ? "" : ",") + std::to_string(run.tree.node(path[i]).token.id);
    return ids;
}

class Translator {
  public:
    Translator(const TranslateOptions& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)) {}

    /// A refused line gives an empty output line; the following lines are translated.
    void translate(const trace::Source& source, std::size_t number) {
        std::shared_ptr<const trace::Run> run;
        if (!isBlank(source))
            try {
                const auto name = "line " + std::to_string(number);
                const auto work = options_.common.quiet ? trace::Task(stop_) : reading(stop_, source, name);
                const auto translated = engine().of(request(source), trace::RunWhat(), work);
                refuseUnlessFinite(*translated);
                run = translated;
                noteUnknown(run->source, name + ": ");
                if (trace::isCutOff(*run))
                    std::cerr << name << ": stopped at the limit of " << limit()
                              << " tokens (no end token); --max-length allows more\n";
                for (const auto& change : run->unreached)
                    std::cerr << name << ": " << change
                              << ": no effect: there is no such row, or no such key that is not masked\n";
            } catch (const Refusal& refusal) {
                std::cerr << "line " << number << ": " << refusal.what() << '\n';
                refused_ = true;
            }
        std::cout << (options_.common.json ? jsonLine(source, run.get())
                      : run                ? textOf(*run)
                                           : "")
                  << std::endl;
        if (!std::cout)
            throw Refusal({.what = "The translation cannot be written", .where = "standard output"});
    }

    /// Reports progress every 100 lines. For an input file also every second, unless the translations appear
    /// on a terminal and show the progress themselves.
    void translateAll(LineReader lines) {
        const bool keepsPace = !options_.input.empty() && isatty(STDOUT_FILENO) == 0;
        Pace pace;
        for (std::size_t number = 1; const auto line = lines.next(); ++number) {
            translate(*line, number);
            if (!options_.common.quiet && (number % 100 == 0 || (keepsPace && pace.isDue())))
                std::cerr << number << (number == 1 ? " line\n" : " lines\n");
        }
    }

    int status() const { return refused_ ? 1 : 0; }

    engine::Engine& engine() {
        if (!engine_) {
            engine_ = startEngine(options_.common);
            model_ = engine_->open(options_.model.source(), stop_);
            if (model_->decoderLayers == 0)
                throw Refusal({.what = "This model does not translate: it has no decoder",
                               .where = model_->path,
                               .wayOut = "use the command " + commandFor(*model_)});
        }
        return *engine_;
    }

  private:
    int limit() const { return options_.decoding.newTokens(*model_); }

    trace::Request request(const trace::Source& source) const {
        return {.source = source,
                .padding = options_.decoding.padding(),
                .paths = {{.newTokens = limit()}},
                .decoding = options_.decoding.decoding(*model_),
                .interventions = options_.whatIf.interventions,
                .randomTwin = options_.whatIf.randomTwin,
                .ratherThan = options_.whatIf.ratherThan,
                .candidates = 1};
    }

    const TranslateOptions& options_;
    std::stop_token stop_;
    std::unique_ptr<engine::Engine> engine_;
    std::shared_ptr<const trace::ModelSummary> model_;
    bool refused_ = false;
};

int translate(const TranslateOptions& options, std::stop_token stop) {
    Translator translator(options, stop);
    const bool dash = options.texts.size() == 1 && options.texts.front() == "-";
    const bool isOfIds = !options.ids.sourceIds.empty();
    std::optional<LineReader> lines;
    if (!isOfIds && (!options.input.empty() || options.texts.empty() || dash))
        lines.emplace(options.input, stop);
    if (!options.input.empty() && !options.common.quiet)
        std::cerr << "opening " << options.model.model << std::endl;
    translator.engine(); // opens the model first, so that an error is reported once, not for every line
    if (isOfIds)
        translator.translate(options.ids.sourceValue(), 1);
    else if (lines)
        translator.translateAll(std::move(*lines));
    else
        for (std::size_t i = 0; i < options.texts.size(); ++i)
            translator.translate(options.texts[i], i + 1);
    return translator.status();
}

} // namespace

void addTranslate(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<TranslateOptions>();
    auto* command =
        program
            .add_subcommand("translate", "Translates sentences, or continues prompts with a decoder alone, "
                                         "one line out for every line in")
            ->alias("generate");
    options->model.addTo(*command);
    auto* texts = addTexts(*command, "TEXT", options->texts, "Sentences; none or - reads standard input");
    command->add_option("--input", options->input, "File with one sentence per line; - is standard input")
        ->excludes(texts);
    options->ids.addIdsTo(*command);
    options->decoding.addTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, command, &chosen] {
        options->ids.checkIds(*command);
        options->decoding.check();
        chosen = [options](std::stop_token stop) { return translate(*options, stop); };
    });
}

} // namespace headscope::app
