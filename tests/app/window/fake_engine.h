#pragma once

#include "model/analysis/self_check.h"
#include "model/engine/engine.h"
#include "model/trace/missing_settings.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope::test {

/// An engine without LibTorch: one layer, one head, uniform attention. Decoding chooses the ids 10, 11, 12,
/// ... and ends with the end token after four of them.
class FakeEngine : public engine::Engine {
  public:
    /// What the test sees and steers, from its own thread.
    struct Script {
        std::mutex mutex;
        std::vector<trace::Request> requests;
        std::vector<std::filesystem::path> opened;
        std::vector<engine::Setting> settings;     ///< with which the last one was opened
        std::optional<trace::RefusalText> refusal; ///< of a model that was told how it is to be read
        std::function<void(trace::Run&)> tamper;   ///< changes a run before it is checked and delivered
        std::atomic<bool> holdRuns =
            false; ///< runs wait, reporting progress, until they are stopped or let go
        std::atomic<bool> needsBase = false;   ///< models that are opened without settings are refused
        std::atomic<bool> holdOpening = false; ///< the same of models
        std::atomic<int> cancelled = 0;
        std::atomic<int> lenses = 0;               ///< asked for
        std::atomic<std::size_t> sourceTokens = 3; ///< of every sentence, the end token among them
        std::vector<trace::KeyRange> causalKeys;   ///< asked for
    };

    explicit FakeEngine(Script& script) : script_(script) {}

    std::shared_ptr<const trace::ModelSummary> open(const engine::ModelSource& source,
                                                    std::stop_token stop) override {
        while (script_.holdOpening) {
            if (stop.stop_requested())
                throw trace::Cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        const std::lock_guard lock(script_.mutex);
        if (source.path.string().find("bad") != std::string::npos || source.path.filename() == "several")
            throw trace::Refusal(
                {.what = "This is no model", .where = source.path.string(), .wayOut = "open another"});
        if (script_.needsBase && source.settings.empty())
            throw trace::Refusal({.what = "The base was not found", .wayOut = "give --base"});
        askFor(source);
        if (script_.refusal && !source.settings.empty())
            throw trace::Refusal(*script_.refusal);
        script_.opened.push_back(source.path);
        script_.settings = source.settings;
        auto model = std::make_shared<trace::ModelSummary>();
        model->name = source.path.filename().string();
        model->path = source.path.string();
        model->encoderLayers = model->decoderLayers = 1;
        model->encoderHeads = model->decoderHeads = 2;
        model->special = {.start = 2, .end = 3, .padding = 0};
        model->tokenizer = source.path.string().find("ids") == std::string::npos ? "fake" : "";
        model->sourceVocabulary = 40;
        if (source.path.extension() == ".gguf")
            model->architecture = {{"format", "GGUF (Q4_K, float32)"}};
        if (model->name == "adapter")
            model->architecture = {{"base", (source.path.parent_path() / "base").string()}};
        if (model->name == "noted")
            model->notes = {"an id is left out"};
        if (source.path.string().find("multilingual") != std::string::npos)
            model->targetLanguages = {"de", "fra", "xyz"};
        if (source.path.string().find("many-to-many") != std::string::npos) {
            model->languages = {"deu_Latn", "eng_Latn", "fra_Latn"};
            model->sourceLanguage = "eng_Latn";
            model->targetLanguage = "deu_Latn";
            for (const auto& [key, value] : source.settings)
                (key == "source_language" ? model->sourceLanguage : model->targetLanguage) = value;
        }
        model->modelWidth = 4;
        if (source.path.string().find("opens-at") != std::string::npos)
            model->opensAt = trace::HeadAddress{{trace::AttentionKind::EncoderSelf, 0}, 1};
        model_ = model;
        return model;
    }

    /// Sure of its words with four heads and the norm before.
    std::optional<engine::Trial> tryOut(const engine::ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) override {
        while (script_.holdRuns)
            if (stop.stop_requested())
                throw trace::Cancelled();
        double logProbability = -0.25;
        for (const auto& [key, value] : source.settings)
            if ((key == "heads" && value != "4") || (key == "norm" && value != "pre"))
                logProbability -= 2;
        return engine::Trial{
            .meanLogProbability = logProbability, .input = sentence, .output = "said of " + sentence};
    }

    std::vector<trace::Token> tokensOf(const std::string&, const std::optional<std::string>&) override {
        return {};
    }

    /// Characters are tokens, capitals unknown ones; "(" is no pattern.
    std::vector<trace::Token> tokensByPattern(const std::string& pattern, const std::string& text) override {
        if (pattern == "(")
            throw trace::Refusal(
                {.what = "No pattern", .where = "--tokenizer-pattern", .expected = "a regular expression"});
        std::vector<trace::Token> tokens;
        for (const char c : text)
            tokens.push_back(
                {.id = 5,
                 .piece = std::string(1, c),
                 .role = c >= 'A' && c <= 'Z' ? trace::TokenRole::Unknown : trace::TokenRole::Text});
        return tokens;
    }

    void convert(const std::filesystem::path&, files::ElementType, std::stop_token) override {}
    std::string description() const override { return "fake"; }

    trace::Answer answer(const trace::Question& question, const trace::Task& work,
                         const trace::Partial& partial) override {
        return std::visit(
            [&](const auto& what) { return trace::Answer(answerTo(what, question.request, work, partial)); },
            question.what);
    }

  protected:
    using Request = trace::Request;
    using Task = trace::Task;
    using Partial = trace::Partial;

    virtual std::shared_ptr<const trace::Run> run(const Request& request, const Task& work,
                                                  const Partial& partial) {
        {
            const std::lock_guard lock(script_.mutex);
            script_.requests.push_back(request);
        }
        while (script_.holdRuns) {
            if (work.stop().stop_requested()) {
                ++script_.cancelled;
                throw trace::Cancelled();
            }
            work.report(0.25);
            if (partial)
                partial(makeRun(request, false));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return makeRun(request, true);
    }

    std::shared_ptr<const trace::Run> answerTo(const trace::RunWhat&, const Request& request,
                                               const Task& work, const Partial& partial) {
        return run(request, work, partial);
    }

    /// The further back a head stands, the less it is worth: the last ones hurt. Knows no contrast "nothing".
    std::shared_ptr<const trace::HeadImportance>
    answerTo(const trace::ImportanceWhat&, const Request& request, const Task& work, const Partial& partial) {
        if (request.ratherThan == "nothing")
            throw trace::Refusal({.what = "This is no token", .wayOut = "type another"});
        auto importance = std::make_shared<trace::HeadImportance>();
        importance->request = request;
        if (partial && script_.holdRuns)
            partial(std::make_shared<trace::HeadImportance>(*importance));
        const auto ran = run(request, work, {});
        importance->tokens = ran->next;
        if (request.ratherThan)
            importance->contrast = trace::Token{.piece = *request.ratherThan};
        float worth = request.ratherThan ? 1 : 0.5F;
        for (const auto kind : {trace::AttentionKind::EncoderSelf, trace::AttentionKind::DecoderSelf,
                                trace::AttentionKind::Cross})
            for (int head = 0; head < model_->heads(kind); ++head, worth -= 0.25F)
                importance->effects.push_back({.head = {{kind, 0}, head},
                                               .importance = std::vector<float>(ran->next.size(), worth),
                                               .divergence = std::vector<float>(ran->next.size(), 0.125F)});
        importance->complete = true;
        return importance;
    }

    /// Every head that is removed costs each token a quarter.
    std::shared_ptr<const trace::RemovalCurve>
    answerTo(const trace::RemovalWhat& what, const Request& request, const Task& work, const Partial&) {
        const auto ran = run(request, work, {});
        auto curve = std::make_shared<trace::RemovalCurve>();
        curve->request = request;
        curve->ablation = what.ablation;
        curve->order = what.order;
        curve->removed = what.removed;
        curve->tokens = ran->next;
        for (const auto removed : what.removed)
            curve->values.emplace_back(ran->next.size(), -0.25F * static_cast<float>(removed));
        curve->complete = true;
        return curve;
    }

    /// Every stage says what the model says; the logit is 2 + 1 - 0.5. Knows no contrast "nothing".
    std::shared_ptr<const trace::Lens> answerTo(const trace::LensWhat&, const Request& request,
                                                const Task& work, const Partial&) {
        if (request.ratherThan == "nothing")
            throw trace::Refusal({.what = "This is no token", .wayOut = "type another"});
        ++script_.lenses;
        const auto ran = run(request, work, {});
        auto lens = std::make_shared<trace::Lens>();
        lens->request = request;
        lens->stages = {"embedding", "decoder.0", "cross.0", "decoder-ff.0"};
        const trace::SublayerAddress cross{trace::SublayerKind::Cross, 0};
        for (std::size_t t = 0; t < ran->next.size(); ++t) {
            const auto& candidates = ran->row(t).candidates;
            lens->readings.emplace_back(
                4, trace::LensReading{.candidates = candidates,
                                      .chosenLogProbability = candidates.front().logProbability});
            lens->attributions.push_back(
                {.token = ran->next[t],
                 .logit = 2.5,
                 .parts = {
                     {.kind = trace::LogitPart::Kind::Embedding, .value = 2},
                     {.kind = trace::LogitPart::Kind::Head, .sublayer = cross, .head = 0, .value = 1},
                     {.kind = trace::LogitPart::Kind::Head, .sublayer = cross, .head = 1, .value = -0.5}}});
            if (request.ratherThan) {
                lens->contrast = trace::Token{.piece = *request.ratherThan};
                lens->attributions.back().contrast = lens->contrast;
                for (auto& reading : lens->readings.back())
                    reading.lead = 1.0F;
            }
        }
        return lens;
    }

    std::shared_ptr<const trace::ScoreTerms>
    answerTo(const trace::ScoreTermsWhat& what, const Request& request, const Task& work, const Partial&) {
        auto terms = std::make_shared<trace::ScoreTerms>();
        const auto run = this->run(request, work, {});
        const auto& record = *run->record(what.site);
        terms->request = request;
        terms->site = record.site;
        terms->tokens = run->queryTokens(record.site.kind);
        terms->terms = {{.product = trace::ScoreTerm::Product{}, .values = record.scores}};
        terms->scores = record.scores;
        terms->mask = record.mask;
        return terms;
    }

    std::shared_ptr<const trace::RowContributions>
    answerTo(const trace::ContributionsWhat& what, const Request& request, const Task& work, const Partial&) {
        const auto& [head, query] = what;
        const auto shown = run(request, work, {});
        const auto& record = *shown->record(head.site);
        const auto weights = record.weights.head(static_cast<std::size_t>(head.head)).row(query);
        auto row = std::make_shared<trace::RowContributions>();
        row->request = request;
        row->head = head;
        row->query = query;
        row->weights = {weights.begin(), weights.end()};
        row->added = {weights.size(), 4};
        for (std::size_t key = 0; key < weights.size(); ++key)
            for (std::size_t d = 0; d < 4; ++d)
                row->added(key, d) = weights[key] * static_cast<float>(key + d);
        row->bias = {0.1F, 0, 0, 0};
        row->before = {1, 2, 3, 4};
        row->sublayer = {0.5F, 0, -0.5F, 1};
        return row;
    }

    std::shared_ptr<const trace::CausalRow> answerTo(const trace::CausalRowWhat& what, const Request& request,
                                                     const Task& work, const Partial&) {
        const auto& [step, head, keys] = what;
        {
            const std::lock_guard lock(script_.mutex);
            script_.causalKeys.push_back(keys);
        }
        const auto ran = run(request, work, {});
        auto row = std::make_shared<trace::CausalRow>();
        row->request = request;
        row->step = step;
        row->head = head;
        row->token = ran->next.at(step);
        row->logProbability = -0.5;
        for (std::size_t key = 0; key < ran->source.size(); ++key)
            row->drops.push_back(keys.first <= key && key < keys.last
                                     ? 0.25 * static_cast<double>(key)
                                     : std::numeric_limits<double>::quiet_NaN());
        return row;
    }

    std::shared_ptr<const trace::ModelFlow> answerTo(const trace::FlowWhat&, const Request& request,
                                                     const Task& work, const Partial&) {
        const auto ran = run(request, work, {});
        auto flow = std::make_shared<trace::ModelFlow>();
        flow->request = request;
        flow->sourceEmbedding.assign(ran->source.size(), 1.0);
        flow->targetEmbedding.assign(ran->target.size(), 1.0);
        flow->encoderOutput = flow->sourceEmbedding;
        flow->decoderOutput = flow->targetEmbedding;
        return flow;
    }

    std::shared_ptr<const trace::ClassifierReading> answerTo(const trace::ClassifierWhat&, const Request&,
                                                             const Task&, const Partial&) {
        throw trace::Refusal(
            {.what = "This model chooses between no classes", .wayOut = "open a classifier"});
    }

    std::shared_ptr<const trace::ExpertRouting> answerTo(const trace::RoutingWhat&, const Request&,
                                                         const Task&, const Partial&) {
        throw trace::Refusal({.what = "This model has no experts", .wayOut = "open a model with experts"});
    }

    std::shared_ptr<const trace::QuantityMaps> answerTo(const trace::MapsWhat& what, const Request& request,
                                                        const Task& work, const Partial&) {
        const auto& [quantity, site, step] = what;
        if (request.ratherThan == "nothing" && quantity == trace::MapQuantity::GradientAttention)
            throw trace::Refusal({.what = "This is no token", .wayOut = "type another"});
        const auto ran = run(request, work, {});
        if (!ran->record(site))
            throw trace::Refusal({.what = "There is no such attention", .wayOut = "choose another"});
        auto maps = std::make_shared<trace::QuantityMaps>();
        const auto& record = *ran->record(site);
        maps->request = request;
        maps->quantity = quantity;
        maps->site = site;
        maps->values = record.weights;
        maps->mask = record.mask;
        maps->sourceColumns = site.kind == trace::AttentionKind::DecoderSelf ? 0 : record.mask.columns();
        maps->step = step;
        return maps;
    }

  private:
    /// A "bare" model does not say its heads, norm and start id.
    static void askFor(const engine::ModelSource& source) {
        if (source.path.string().find("bare") == std::string::npos)
            return;
        std::vector<trace::MissingSetting> missing{
            {.key = "heads", .question = "How many heads?", .possible = {"1", "2", "4", "8"}},
            {.key = "norm", .question = "Which norm?", .possible = {"pre", "post"}},
            {.key = "start_id", .question = "Which start?", .ids = 10, .need = trace::Need::ToDecode},
            {.key = "pad_id", .question = "Which padding?", .ids = 10, .need = trace::Need::Optional}};
        for (const auto& [key, value] : source.settings)
            std::erase_if(missing, [key = key](const auto& setting) { return setting.key == key; });
        if (missing.size() > 1) // padding may stay open
            throw trace::MissingSettings(std::move(missing), source.path.string());
    }

    trace::Token token(std::int64_t id) const {
        const auto role = id == 2   ? trace::TokenRole::Start
                          : id == 3 ? trace::TokenRole::End
                          : id == 0 ? trace::TokenRole::Padding
                                    : trace::TokenRole::Text;
        return {.id = id, .piece = "t" + std::to_string(id), .role = role};
    }

    static trace::AttentionRecord uniform(trace::AttentionKind kind, std::size_t queries, std::size_t keys) {
        trace::AttentionRecord record{.site = {kind, 0}, .mask = trace::MaskMatrix(queries, keys, 1)};
        record.scores = trace::HeadStack(2, queries, keys);
        record.weights = trace::HeadStack(2, queries, keys);
        for (std::size_t h = 0; h < 2; ++h)
            for (std::size_t q = 0; q < queries; ++q)
                for (std::size_t k = 0; k < keys; ++k)
                    record.weights.at(h, q, k) = 1.0f / static_cast<float>(keys);
        return record;
    }

    trace::DecodeTree::NodeId feed(trace::DecodeTree& tree, trace::DecodeTree::NodeId node) const {
        const auto length = tree.path(node).size();
        auto row = std::make_shared<trace::DecodeRow>();
        row->self = {uniform(trace::AttentionKind::DecoderSelf, 1, length)};
        row->cross = {uniform(trace::AttentionKind::Cross, 1, script_.sourceTokens)};
        row->scoresOfEarlierQueries = {trace::HeadStack(2, length - 1, 1)};
        const std::int64_t best = length > 4 ? 3 : 9 + static_cast<std::int64_t>(length);
        for (std::int64_t i = 0; i < 5; ++i)
            row->candidates.push_back({token(i == 0 ? best : 20 + i), -static_cast<float>(i) - 0.5f});
        tree.setRow(node, row);
        return node;
    }

    std::shared_ptr<const trace::Run> makeRun(const trace::Request& request, bool complete) const {
        auto run = std::make_shared<trace::Run>();
        run->request = request;
        run->model = model_;
        const std::size_t length = script_.sourceTokens;
        for (std::size_t i = 0; i + 1 < length; ++i)
            run->source.push_back(token(30 + static_cast<std::int64_t>(i)));
        run->source.push_back(token(3));
        run->encoder = {uniform(trace::AttentionKind::EncoderSelf, length, length)};
        auto& tree = run->tree;
        tree.add({.token = token(2)});
        for (const auto& path : request.paths) {
            trace::DecodeTree::NodeId node = 0;
            const auto* forced = std::get_if<trace::TargetIds>(&path.forced);
            const auto step = [&](std::int64_t id) {
                feed(tree, node);
                const auto known = tree.child(node, id);
                node =
                    known ? *known : tree.add({.parent = node, .token = token(id), .logProbability = -0.5});
            };
            for (std::size_t i = 1; forced && i < forced->ids.size(); ++i)
                step(forced->ids[i]);
            for (int i = 0; !path.ends && i < path.newTokens && tree.node(node).token.id != 3; ++i) {
                feed(tree, node);
                step(tree.node(node).row->candidates.front().token.id);
            }
            if (path.newTokens == 0)
                feed(tree, node);
            std::vector<trace::Token> tokens;
            for (const auto id : tree.path(node))
                tokens.push_back(tree.node(id).token);
            run->paths.push_back({.leaf = node,
                                  .forcedTokens = forced ? forced->ids.size() : 1,
                                  .decodedOn = path.newTokens > 0,
                                  .output = trace::joinedText(tokens)});
        }
        trace::showPath(*run, run->paths.back());
        for (std::size_t q = 0; !run->decoder.empty() && q < run->target.size(); ++q)
            for (std::size_t k = q + 1; k < run->target.size(); ++k)
                run->decoder.front().mask(q, k) = 0;
        if (script_.tamper)
            script_.tamper(*run);
        run->complete = complete;
        run->selfCheck = analysis::selfCheck(*run, complete ? std::optional(0.0) : std::nullopt);
        return run;
    }

    Script& script_;
    std::shared_ptr<const trace::ModelSummary> model_;
};

} // namespace headscope::test
