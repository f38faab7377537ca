#include "app/cli/command.h"
#include "app/cli/finite.h"
#include "app/cli/pace.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/read_trace.h"

#include "model/analysis/translation/bleu.h"
#include "model/analysis/translation/chrf.h"
#include "model/corpus/parallel_corpus.h"
#include "model/files/atomic_file.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;

struct EvaluateOptions {
    CommonOptions common;
    ModelOptions model;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    std::string corpus;
    std::string out;
    int sentences = 1'000'000;
};

struct Scores {
    std::size_t sentences = 0;
    std::size_t references = 0;
    std::optional<analysis::Bleu> bleu; ///< for models that translate
    double chrf = 0;
    std::optional<engine::CorpusLoss> loss; ///< empty if not measured
    std::string whyNoLoss;
};

class EvaluateCommand {
  public:
    EvaluateCommand(const EvaluateOptions& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)) {}

    int run() {
        refuseTrace(options_.model.source().path);
        const auto engine = startEngine(options_.common);
        const auto model = engine->open(options_.model.source(), stop_);
        if (model->tokenizer.empty())
            throw trace::Refusal({.what = "This model reads ids only: it has no tokenizer",
                                  .where = model->path,
                                  .expected = "a tokenizer's file beside the weights",
                                  .found = "none",
                                  .wayOut = "give --tokenizer"});
        if (model->isDecoderAlone())
            throw trace::Refusal({.what = "This model has no source that it could translate",
                                  .where = model->path,
                                  .expected = "a model that translates or classifies",
                                  .found = "a decoder alone",
                                  .wayOut =
                                      "continue prompts with generate, or write their probabilities with "
                                      "trace --log-probabilities"});
        const bool translates = model->decoderLayers > 0;
        if (!translates && model->classes == 0)
            throw trace::Refusal({.what = "This model neither translates nor classifies",
                                  .where = model->path,
                                  .expected = "a model with a decoder or classes",
                                  .found = "an encoder alone",
                                  .wayOut = "use the command " + commandFor(*model)});
        if (model->areClassesSeparate)
            throw trace::Refusal({.what = "This model gives a text any number of labels",
                                  .where = model->path,
                                  .expected = "a classifier that chooses one class",
                                  .found = "labels that have a probability each",
                                  .wayOut = "use the command " + commandFor(*model)});
        if (!translates && !options_.out.empty())
            throw trace::Refusal({.what = "A classifier writes no outputs",
                                  .where = "--out " + options_.out,
                                  .expected = "a model that translates",
                                  .found = "one that classifies",
                                  .wayOut = "leave --out away; trace says the class of a text"});
        auto pairs =
            translates ? corpus::readTextPairs(options_.corpus) : corpus::readLabelledTexts(options_.corpus);
        if (!options_.out.empty())
            files::refuseUnlessSavable(options_.out); // translating may take hours
        auto sources = corpus::groupReferences(pairs);
        sources.resize(std::min<std::size_t>(sources.size(), options_.sentences));
        pairs.clear();
        for (const auto& source : sources)
            for (const auto& reference : source.references)
                pairs.push_back({source.source, reference});
        Scores scores{.sentences = sources.size(), .references = pairs.size()};
        measureLoss(sources, pairs, translates, scores);
        if (scores.loss)
            refuseUnlessFinite(scores.loss->loss, "a loss of", *model);
        if (translates)
            translate(*engine, *model, sources, scores);
        options_.common.json ? printJson(scores) : print(scores);
        return 0;
    }

  private:
    void measureLoss(const std::vector<corpus::ReferencedSource>& sources,
                     const std::vector<corpus::TextPair>& pairs, bool translates, Scores& scores) const {
        const auto trainer = loadTrainer({.familyFolders = familyFolders(),
                                          .device = options_.common.device,
                                          .threads = options_.common.threads});
        const auto model = options_.model.source();
        if (translates)
            trainer->refuseUnreadable(model, sources, options_.decoding.padding().source, stop_);
        if (!options_.whatIf.interventions.empty() || options_.whatIf.randomTwin)
            return;
        if (!options_.common.quiet)
            std::cerr << "measuring the loss of " << pairs.size() << (translates ? " pairs" : " texts")
                      << std::endl;
        scores.loss = trainer->loss(model, pairs, stop_);
        if (!scores.loss && !translates)
            throw trace::Refusal({.what = "The loss of this classifier cannot be measured",
                                  .where = options_.model.model,
                                  .expected = "a classifier of the kind that train makes",
                                  .found = "one with another head or embedding",
                                  .wayOut = "use the command predict"});
        if (!scores.loss)
            scores.whyNoLoss = "not measured: the trainer does not compute networks of this kind";
    }

    void translate(engine::Engine& engine, const trace::ModelSummary& model,
                   const std::vector<corpus::ReferencedSource>& sources, Scores& scores) const {
        analysis::BleuScore bleu;
        analysis::ChrfScore chrf;
        std::string outputs;
        Pace pace;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto run = engine.of({.source = sources[i].source,
                                        .padding = options_.decoding.padding(),
                                        .paths = {{.newTokens = options_.decoding.newTokens(model)}},
                                        .decoding = options_.decoding.decoding(model),
                                        .interventions = options_.whatIf.interventions,
                                        .randomTwin = options_.whatIf.randomTwin,
                                        .candidates = 1},
                                       trace::RunWhat(), stop_);
            refuseUnlessFinite(*run);
            bleu.add(run->output, sources[i].references);
            chrf.add(run->output, sources[i].references);
            outputs += run->output + "\n";
            if (!options_.common.quiet && ((i + 1) % 100 == 0 || i + 1 == sources.size() || pace.isDue()))
                std::cerr << "translated " << i + 1 << " of " << sources.size() << '\n';
        }
        scores.bleu = bleu.result();
        scores.chrf = chrf.result();
        if (!options_.out.empty())
            files::saveAtomically(options_.out, outputs);
    }

    static void print(const Scores& scores) {
        if (const auto& bleu = scores.bleu) {
            std::printf("%zu sources, %zu references\n", scores.sentences, scores.references);
            std::printf("BLEU  %.2f  (13a; %.1f/%.1f/%.1f/%.1f, brevity penalty %.3f, %zu of %zu tokens)\n",
                        bleu->score, bleu->precisions[0], bleu->precisions[1], bleu->precisions[2],
                        bleu->precisions[3], bleu->brevityPenalty, bleu->hypothesisLength,
                        bleu->referenceLength);
            std::printf("chrF2 %.2f\n", scores.chrf);
        }
        if (const auto& loss = scores.loss)
            std::printf("loss  %.4f nats each of %zu %s; %.2f %% right\n", loss->loss, loss->tokens,
                        scores.bleu ? "tokens" : "texts", 100 * loss->accuracy);
        if (scores.loss && scores.loss->leftOut > 0)
            std::printf("      without %zu pairs that are longer than the model's positions\n",
                        scores.loss->leftOut);
        if (!scores.whyNoLoss.empty())
            std::printf("loss  %s\n", scores.whyNoLoss.c_str());
    }

    static void printJson(const Scores& scores) {
        ordered_json json{{"sources", scores.sentences}, {"references", scores.references}};
        if (const auto& bleu = scores.bleu)
            json.update({{"bleu", bleu->score},
                         {"precisions", bleu->precisions},
                         {"brevity_penalty", bleu->brevityPenalty},
                         {"hypothesis_length", bleu->hypothesisLength},
                         {"reference_length", bleu->referenceLength},
                         {"chrf", scores.chrf}});
        if (const auto& loss = scores.loss)
            json.update({{"loss", loss->loss},
                         {"tokens", loss->tokens},
                         {"accuracy", loss->accuracy},
                         {"left_out", loss->leftOut}});
        std::cout << json.dump() << '\n';
    }

    const EvaluateOptions& options_;
    std::stop_token stop_;
};

} // namespace

void addEvaluate(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<EvaluateOptions>();
    auto* command = program.add_subcommand(
        "evaluate", "Computes BLEU, chrF and loss over a corpus; for a classifier, loss and accuracy");
    options->model.addTo(*command);
    command
        ->add_option("--corpus", options->corpus,
                     "Source and translation per line, separated by a tab; a repeated source has several "
                     "references. For a classifier, label and text. May be .gz")
        ->required();
    command->add_option("--sentences", options->sentences, "Use only the first N distinct sources")
        ->check(wholeNumber(1, 1'000'000));
    command->add_option("--out", options->out, "Also write the outputs, one per line");
    options->decoding.addTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, &chosen] {
        options->decoding.check();
        chosen = [options](std::stop_token stop) { return EvaluateCommand(*options, std::move(stop)).run(); };
    });
}

} // namespace headscope::app
