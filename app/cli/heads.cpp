#include "app/cli/command.h"
#include "app/cli/finite.h"
#include "app/cli/head_statistics.h"
#include "app/models/corpus.h"
#include "app/traces/read_trace.h"

#include "model/analysis/heads/removal_orders.h"
#include "model/analysis/runs_beside.h"
#include "model/analysis/translation/bootstrap.h"
#include "model/trace/head_importance.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <numeric>
#include <utility>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;
using trace::HeadAddress;

struct HeadsOptions {
    CommonOptions common;
    ModelOptions model;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    std::string corpus;
    std::size_t sentences = 1'000'000;
    int curve = 0;
    trace::Ablation ablation;
    bool statistics = false;
    bool pairs = false;
};

/// Measurements; each vector has one entry per sentence.
struct Measured {
    struct Sums {
        std::vector<double> importance;
        std::vector<double> divergence;
    };
    std::vector<double> tokens;
    std::map<HeadAddress, Sums> heads;
    std::vector<trace::Request> requests; ///< for the removal curve
};

struct HeadLine {
    HeadAddress head;
    analysis::MeanInterval importance;
    analysis::MeanInterval divergence;
};

struct CurvePoint {
    std::size_t removed = 0;
    double change = 0; ///< mean change of a token's log-probability, compared with the contrast token's
};

/// Sorted by descending importance, that of numbers by its magnitude.
std::vector<HeadLine> ranked(const Measured& measured, bool byMagnitude) {
    std::vector<HeadLine> lines;
    for (const auto& [head, sums] : measured.heads)
        lines.push_back({.head = head,
                         .importance = analysis::bootstrapMean(sums.importance, measured.tokens),
                         .divergence = analysis::bootstrapMean(sums.divergence, measured.tokens)});
    const auto worth = [byMagnitude](const HeadLine& line) {
        return byMagnitude ? std::abs(line.importance.mean) : line.importance.mean;
    };
    std::ranges::stable_sort(lines, std::greater(), worth);
    return lines;
}

class HeadsCommand {
  public:
    HeadsCommand(const HeadsOptions& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)) {}

    int run() {
        refuseTrace(options_.model.source().path);
        const auto sources = texts();
        engine_ = startEngine(options_.common);
        model_ = engine_->open(options_.model.source(), stop_);
        if (!options_.statistics && !model_->hasAnswers())
            throw trace::Refusal(
                {.what = "The heads of this model have no importance to measure",
                 .where = model_->path,
                 .expected = "a model that decodes, classifies, labels tokens, marks an answer, predicts a "
                             "number or masked tokens",
                 .found = "an encoder alone",
                 .wayOut = "give --statistics, or use the command " + commandFor(*model_)});
        if (model_->tokenizer.empty())
            throw trace::Refusal({.what = "This model reads ids only: it has no tokenizer",
                                  .where = model_->path,
                                  .expected = "a tokenizer's file beside the weights",
                                  .found = "none",
                                  .wayOut = "give --tokenizer"});
        for (const auto& source : sources) {
            tell("measured " + std::to_string(done()) + " of " + std::to_string(sources.size()));
            try {
                options_.statistics ? addStatistics(source) : measure(source);
            } catch (const trace::Refusal& refusal) {
                std::cerr << "\"" << source.text << "\": " << refusal.what() << '\n';
                refused_ = true;
            }
        }
        if (done() == 0)
            throw trace::Refusal({.what = "No sentence of the corpus could be measured",
                                  .where = options_.corpus,
                                  .expected = "sentences that the model reads",
                                  .found = "none; the reasons are listed above",
                                  .wayOut = "give another corpus or model"});
        print();
        return refused_ ? 1 : 0;
    }

  private:
    std::vector<CorpusText> texts() const {
        if (options_.pairs)
            return readPairs(options_.corpus, options_.sentences);
        std::vector<CorpusText> texts;
        for (auto& source : readSources(options_.corpus, options_.sentences))
            texts.push_back({.text = std::move(source), .second = std::nullopt});
        return texts;
    }

    std::size_t done() const {
        return options_.statistics ? statistics_.sentences() : measured_.tokens.size();
    }

    void print() {
        if (options_.statistics)
            return options_.common.json ? printHeadStatisticsAsJson(statistics_, options_.whatIf.randomTwin)
                                        : printHeadStatistics(statistics_, options_.whatIf.randomTwin);
        const auto lines = ranked(measured_, model_->numbers > 0);
        const auto curve = options_.curve > 0 ? removalCurve(lines) : std::vector<CurvePoint>();
        if (options_.common.json)
            printJson(lines, curve);
        else
            print(lines, curve);
    }

    void tell(const std::string& text) const {
        if (!options_.common.quiet)
            std::cerr << text << '\n';
    }

    /// A random twin reads what the model says: decoding for itself, it would be measured on other tokens.
    trace::Request requestOf(const CorpusText& source) {
        trace::Request request{.source = source.text,
                               .second = source.second,
                               .paths = {{.newTokens = options_.decoding.newTokens(*model_)}},
                               .decoding = options_.decoding.decoding(*model_),
                               .interventions = options_.whatIf.interventions,
                               .ratherThan = options_.whatIf.ratherThan,
                               .candidates = 1};
        const auto seed = options_.whatIf.randomTwin;
        if (!seed)
            return request;
        if (model_->decoderLayers == 0) { // reads the source alone
            request.randomTwin = seed;
            return request;
        }
        const auto run = engine_->of(request, trace::RunWhat(), stop_);
        refuseUnlessFinite(*run);
        return analysis::twinReadingRequest(std::move(request), *run, *seed);
    }

    void addStatistics(const CorpusText& source) {
        const auto run = engine_->of(requestOf(source), trace::RunWhat(), stop_);
        refuseUnlessFinite(*run);
        statistics_.add(source.text, analysis::statisticsOfHeads(*run));
    }

    void measure(const CorpusText& source) {
        const auto request = requestOf(source);
        const auto importance = engine_->of(request, trace::ImportanceWhat{options_.ablation}, stop_);
        for (const float value : importance->original)
            refuseUnlessFinite(value, "a log-probability of", *model_);
        measured_.tokens.push_back(static_cast<double>(importance->tokens.size()));
        for (const auto& effect : importance->effects) {
            refuseUnlessFinite(effect.total(), "an importance of " + toString(effect.head) + " of", *model_);
            auto& sums = measured_.heads[effect.head];
            sums.importance.push_back(effect.total());
            sums.divergence.push_back(
                std::accumulate(effect.divergence.begin(), effect.divergence.end(), 0.0));
        }
        measured_.requests.push_back(request);
    }

    /// Removes more and more heads, the least important first (Michel, Levy, Neubig 2019, section 4.2).
    std::vector<CurvePoint> removalCurve(const std::vector<HeadLine>& lines) {
        trace::RemovalWhat what{.order = {},
                                .removed = analysis::removedAt(options_.curve, lines.size()),
                                .ablation = options_.ablation};
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            what.order.push_back(line->head);
        std::vector<CurvePoint> curve;
        for (const auto removed : what.removed)
            curve.push_back({.removed = removed});
        for (std::size_t i = 0; i < measured_.requests.size(); ++i) {
            tell("curve: " + std::to_string(i) + " of " + std::to_string(measured_.requests.size()));
            const auto left = engine_->of(measured_.requests[i], what, stop_)->of(std::nullopt);
            for (std::size_t point = 0; point < curve.size(); ++point)
                curve[point].change += (left[point] - left.front()) / static_cast<double>(tokens());
        }
        return curve;
    }

    std::size_t tokens() const {
        return static_cast<std::size_t>(
            std::accumulate(measured_.tokens.begin(), measured_.tokens.end(), 0.0));
    }

    void print(const std::vector<HeadLine>& lines, const std::vector<CurvePoint>& curve) const {
        if (const auto seed = options_.whatIf.randomTwin)
            std::printf("random twin, seed %llu\n", static_cast<unsigned long long>(*seed));
        const bool areNumbers = model_->numbers > 0;
        std::printf("%zu sentences, %zu %s; importance = %s; ablation %s\n", measured_.tokens.size(),
                    tokens(), areNumbers ? "numbers" : "tokens",
                    areNumbers ? "number(all) - number(head off)"
                               : "log p(token | all) - log p(token | head off), a token",
                    toString(options_.ablation).c_str());
        std::printf("%-14s %12s %25s %12s\n", "head", "importance", "95 % interval",
                    areNumbers ? "distance" : "KL, nats");
        for (const auto& line : lines)
            std::printf("%-14s %12.6f %12.6f %12.6f %12.6f\n", toString(line.head).c_str(),
                        line.importance.mean, line.importance.low, line.importance.high,
                        line.divergence.mean);
        for (const auto& point : curve)
            std::printf("%zu heads removed: %.6f a %s\n", point.removed, point.change,
                        areNumbers ? "number" : "token");
    }

    void printJson(const std::vector<HeadLine>& lines, const std::vector<CurvePoint>& curve) const {
        ordered_json json{{"sentences", measured_.tokens.size()}, {"tokens", tokens()}};
        if (const auto seed = options_.whatIf.randomTwin)
            json["random_twin"] = *seed;
        json["ablation"] = toString(options_.ablation);
        json["heads"] = ordered_json::array();
        for (const auto& line : lines)
            json["heads"].push_back({{"head", toString(line.head)},
                                     {"importance", line.importance.mean},
                                     {"interval", {line.importance.low, line.importance.high}},
                                     {"divergence", line.divergence.mean}});
        json["curve"] = ordered_json::array();
        for (const auto& point : curve)
            json["curve"].push_back({{"removed", point.removed}, {"change", point.change}});
        std::cout << json.dump(2) << '\n';
    }

    const HeadsOptions& options_;
    std::stop_token stop_;
    std::unique_ptr<engine::Engine> engine_;
    std::shared_ptr<const trace::ModelSummary> model_;
    Measured measured_;
    analysis::CorpusStatistics statistics_;
    bool refused_ = false;
};

} // namespace

void addHeads(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<HeadsOptions>();
    auto* command = program.add_subcommand(
        "heads", "Measures the importance or the statistics of every head over a corpus");
    options->model.addTo(*command);
    command
        ->add_option(
            "--corpus", options->corpus,
            "Text file with one sentence per line, or tab-separated with the source first; may be .gz")
        ->required();
    command->add_option("--sentences", options->sentences, "Use only the first N distinct sources")
        ->check(wholeNumber(1, 1'000'000));
    command->add_flag("--pairs", options->pairs,
                      "The second column is the second text of a pair, for a model that reads pairs");
    auto* statistics = command->add_flag(
        "--statistics", options->statistics,
        "Print statistics of the heads instead: entropy, distances, shares, and roles with their heads");
    command
        ->add_option("--curve", options->curve,
                     "Also remove heads cumulatively, the least important first, in N steps")
        ->excludes(statistics)
        ->check(wholeNumber(1, 10'000));
    addAblation(*command, options->ablation)->excludes(statistics);
    options->decoding.addSearchTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, &chosen] {
        options->decoding.check();
        chosen = [options](std::stop_token stop) { return HeadsCommand(*options, std::move(stop)).run(); };
    });
}

} // namespace headscope::app
