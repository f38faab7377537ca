#include "app/cli/command.h"
#include "app/cli/finite.h"
#include "app/cli/line_reader.h"
#include "app/cli/unknown_tokens.h"
#include "app/typed_arguments.h"

#include "model/trace/answer_span.h"
#include "model/trace/class_label.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;
using trace::Refusal;
using trace::TokenPrediction;

struct PredictOptions {
    CommonOptions common;
    ModelOptions model;
    WhatIfOptions whatIf;
    InputOptions ids; ///< of one source, in place of texts
    std::vector<std::string> texts;
    std::optional<std::string> second;
    int top = 5;
};

std::string text(double probability) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.4f", probability);
    return digits.data();
}

/// Indices of the classes, the most probable first.
std::vector<std::size_t> rankedClasses(const trace::Run& run) {
    std::vector<std::size_t> classes(run.classLogProbabilities.size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    std::ranges::stable_sort(classes, std::greater(), [&](auto c) { return run.classLogProbabilities[c]; });
    return classes;
}

void addLabels(ordered_json& json, const trace::Run& run) {
    for (const auto& [index, labels] : run.maskCandidates) {
        ordered_json token{
            {"index", index}, {"id", run.source[index].id}, {"piece", run.source[index].piece}};
        for (const auto& [label, logProbability] : labels)
            token["labels"].push_back({{"label", label.piece}, {"probability", std::exp(logProbability)}});
        json["tokens"].push_back(std::move(token));
    }
}

void addSpan(ordered_json& json, const trace::Run& run) {
    const auto& marks = run.spanLogProbabilities;
    for (std::size_t i = 0; i < marks.columns(); ++i)
        json["tokens"].push_back({{"id", run.source[i].id},
                                  {"piece", run.source[i].piece},
                                  {"start", std::exp(marks(0, i))},
                                  {"end", std::exp(marks(1, i))}});
    if (const auto span = trace::answerSpan(run))
        json["answer"] = {{"first", span->first},
                          {"last", span->last},
                          {"text", trace::textOf(*span, run)},
                          {"probability", span->probability}};
}

ordered_json toJson(const trace::Run& run) {
    ordered_json json;
    if (const auto* text = std::get_if<std::string>(&run.request.source))
        json["source"] = *text;
    if (run.request.second)
        json["second"] = *run.request.second;
    json["source_ids"] = trace::idsOf(run.source);
    for (const auto c : rankedClasses(run))
        json["classes"].push_back({{"class", c},
                                   {"label", trace::classLabel(run.model.get(), c)},
                                   {"probability", std::exp(run.classLogProbabilities[c])}});
    for (std::size_t i = 0; i < run.numbers.size(); ++i)
        json["numbers"].push_back(
            {{"label", trace::classLabel(run.model.get(), i)}, {"value", run.numbers[i]}});
    if (run.model->tokenLabels > 0) {
        addLabels(json, run);
        return json;
    }
    addSpan(json, run);
    for (const auto& [index, candidates] : run.maskCandidates) {
        ordered_json mask{{"index", index}};
        for (const auto& [token, logProbability] : candidates)
            mask["candidates"].push_back({{"id", token.id},
                                          {"piece", token.piece},
                                          {"probability", std::exp(logProbability)},
                                          {"log_probability", logProbability}});
        json["masks"].push_back(std::move(mask));
    }
    for (std::size_t i = 0; i < run.replacedProbabilities.size(); ++i)
        json["tokens"].push_back({{"id", run.source[i].id},
                                  {"piece", run.source[i].piece},
                                  {"replaced", run.replacedProbabilities[i]}});
    return json;
}

/// One prediction a line, columns separated by tabs.
void print(const trace::Run& run) {
    for (const auto c : rankedClasses(run))
        std::cout << trace::classLabel(run.model.get(), c) << '\t'
                  << text(std::exp(run.classLogProbabilities[c])) << '\n';
    for (std::size_t i = 0; i < run.numbers.size(); ++i)
        std::cout << trace::classLabel(run.model.get(), i) << '\t' << text(run.numbers[i]) << '\n';
    if (const auto span = trace::answerSpan(run))
        std::cout << trace::textOf(*span, run) << '\t' << text(span->probability) << '\n';
    const bool areLabels = run.model->tokenLabels > 0;
    for (const auto& [index, candidates] : run.maskCandidates)
        if (areLabels)
            std::cout << run.source[index].piece << '\t' << candidates.front().token.piece << '\t'
                      << text(std::exp(candidates.front().logProbability)) << '\n';
        else
            for (const auto& [token, logProbability] : candidates)
                std::cout << index << '\t' << token.piece << '\t' << text(std::exp(logProbability)) << '\n';
    for (std::size_t i = 0; i < run.replacedProbabilities.size(); ++i)
        std::cout << run.source[i].piece << '\t' << text(run.replacedProbabilities[i]) << '\n';
}

class Predictor {
  public:
    Predictor(const PredictOptions& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)), engine_(startEngine(options.common)),
          model_(engine_->open(options.model.source(), stop_)) {
        if (commandFor(*model_) != "predict")
            throw Refusal({.what = "This model predicts neither masked tokens nor classes",
                           .where = model_->path,
                           .expected = "an encoder with a head",
                           .found = model_->decoderLayers > 0 ? "a model with a decoder" : "an encoder alone",
                           .wayOut = "use the command " + commandFor(*model_)});
    }

    /// Predictions of several texts are separated by a blank line. A refused text has none.
    void predict(const trace::Source& source, std::size_t number) {
        if (number > 1 && !options_.common.json)
            std::cout << '\n';
        try {
            const auto run = engine_->of({.source = source,
                                          .second = options_.second,
                                          .interventions = options_.whatIf.interventions,
                                          .randomTwin = options_.whatIf.randomTwin,
                                          .ratherThan = options_.whatIf.ratherThan,
                                          .candidates = options_.top},
                                         trace::RunWhat(), stop_);
            refuse(*run);
            noteUnknown(run->source, "line " + std::to_string(number) + ": ");
            if (options_.common.json)
                std::cout << toJson(*run).dump(-1, ' ', false, ordered_json::error_handler_t::replace)
                          << '\n';
            else
                print(*run);
        } catch (const Refusal& refusal) {
            std::cerr << "line " << number << ": " << refusal.what() << '\n';
            refused_ = true;
        }
        if (!std::cout.flush())
            throw Refusal({.what = "The predictions cannot be written", .where = "standard output"});
    }

    int status() const { return refused_ ? Refused : Done; }

  private:
    /// Throws trace::Refusal for a text without a mask, or numbers that are not finite.
    void refuse(const trace::Run& run) const {
        if (model_->tokenPrediction == TokenPrediction::Masked && run.maskCandidates.empty())
            throw Refusal({.what = "There is no token to predict",
                           .where = "the text",
                           .expected = "the mask token " + maskPiece() + " in place of a word",
                           .found = "none",
                           .wayOut = "write it into the text; trace takes texts without one"});
        refuseUnlessFinite(run);
    }

    std::string maskPiece() const {
        return model_->maskPiece.empty() ? std::string() : "\"" + model_->maskPiece + "\"";
    }

    const PredictOptions& options_;
    std::stop_token stop_;
    std::unique_ptr<engine::Engine> engine_;
    std::shared_ptr<const trace::ModelSummary> model_;
    bool refused_ = false;
};

int predict(const PredictOptions& options, std::stop_token stop) {
    Predictor predictor(options, stop);
    if (!options.ids.sourceIds.empty())
        predictor.predict(options.ids.sourceValue(), 1);
    else
        forEachText(options.texts, stop,
                    [&](const std::string& text, std::size_t number) { predictor.predict(text, number); });
    return predictor.status();
}

} // namespace

void addPredict(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<PredictOptions>();
    auto* command = program.add_subcommand(
        "predict",
        "Predicts masked tokens, classes or numbers of texts, labels of tokens, answers, or which tokens "
        "were replaced");
    options->model.addTo(*command);
    addTexts(*command, "TEXT", options->texts, "Texts; without any, or with -, standard input is read");
    command->add_option("--second", options->second, "The second text of a pair, the same for all texts");
    command->add_option("--top", options->top, "Number of tokens per mask (default: 5)")
        ->check(wholeNumber(1, 1000));
    options->ids.addIdsTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, command, &chosen] {
        options->ids.checkIds(*command);
        chosen = [options](std::stop_token stop) { return predict(*options, stop); };
    });
}

} // namespace headscope::app
