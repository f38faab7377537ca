#include "model/engine/score_terms.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/engine/tensor_values.h"
#include "model/engine/whole_path.h"
#include "model/network/score_parts.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <array>

namespace headscope::engine {

namespace {

using trace::AttentionKind;
using trace::Refusal;
using trace::ScorePart;

constexpr std::array parts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};

[[noreturn]] void refuse(const trace::AttentionSite& site, std::string expected, std::string found,
                         std::string wayOut) {
    throw Refusal({.what = "These scores are no sum of content and position",
                   .where = toString(site),
                   .expected = std::move(expected),
                   .found = std::move(found),
                   .wayOut = std::move(wayOut)});
}

/// Adds content and distance terms. The model computes the scores as their sum.
void addDistanceTerms(trace::ScoreTerms& terms, const OpenModel& model,
                      const network::Interventions& interventions, const trace::AttentionRecord& record) {
    const bool encoder = terms.site.kind == AttentionKind::EncoderSelf;
    const auto tokens = static_cast<std::int64_t>(terms.tokens.size());
    const auto& positions = encoder ? model.network->encoderPositions(terms.site.layer)
                                    : model.network->decoderPositions(terms.site.layer);
    const auto distance =
        positions.of(0, tokens, encoder ? tokens : 0, {.interventions = &interventions}).bias.rows(0, tokens);
    terms.terms.push_back({.product = trace::ScoreTerm::Product{ScorePart::Content, ScorePart::Content},
                           .values = headStack(overValues(record.scores) - distance)});
    terms.terms.push_back({.product = std::nullopt, .values = headStack(distance)});
}

/// Keeps the terms of one attention of a pass.
class TermRecorder : public network::ForwardObserver {
  public:
    TermRecorder(const trace::AttentionSite& site, std::stop_token stop)
        : site_(site), stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override {
        trace::throwIfStopped(stop_);
        if (report.site != site_)
            return;
        content = at::bmm(report.q, report.k.transpose(1, 2)) * report.scale;
        terms = report.bias.terms;
    }
    void residual(network::Stack, int, const at::Tensor&) override {}

    at::Tensor content; ///< [heads, queries, keys]
    network::DistanceTerms terms;

  private:
    trace::AttentionSite site_;
    std::stop_token stop_;
};

/// Adds content, content to position, and position to content.
void addDisentangledTerms(trace::ScoreTerms& terms, const OpenModel& model, const EncodedSource& source,
                          const network::Interventions& interventions, const std::stop_token& stop) {
    TermRecorder recorder(terms.site, stop);
    model.network->encode(source.embedded, source.open,
                          {.observer = &recorder, .interventions = &interventions});
    const auto add = [&](ScorePart query, ScorePart key, const at::Tensor& values) {
        terms.terms.push_back(
            {.product = trace::ScoreTerm::Product{query, key}, .values = headStack(values)});
    };
    add(ScorePart::Content, ScorePart::Content, recorder.content);
    if (!recorder.terms.defined())
        return; // positions were removed
    add(ScorePart::Content, ScorePart::Position, recorder.terms.ofQueries());
    add(ScorePart::Position, ScorePart::Content, recorder.terms.ofKeys());
}

void refuseOtherStreams(const OpenModel& model, const trace::Run& run, const trace::AttentionSite& site) {
    const bool encoder = site.kind == AttentionKind::EncoderSelf;
    if (site.kind == AttentionKind::Cross || site.layer > 0)
        refuse(site, "self-attention in the first layer of encoder or decoder",
               "attention to what other layers have made of words and positions",
               "choose a head of encoder.0 or decoder.0");
    if (encoder && std::holds_alternative<trace::SourceEmbeddings>(run.request.source))
        refuse(site, "a source of tokens", "vectors, which are fed as they are",
               "give a sentence or ids, or look at decoder.0");
    const auto& summary = *model.summary;
    if (!(encoder ? summary.sourcePositions : summary.targetPositions))
        refuse(site, "a model that adds positional vectors, or a bias by distance",
               summary.positionKind == trace::PositionKind::Rotation
                   ? "one that turns queries and keys by their place"
                   : "one that adds none",
               "open another model");
}

void refuseMissingTarget(const trace::Run& run, const trace::AttentionSite& site) {
    if (site.kind == AttentionKind::DecoderSelf && run.target.empty())
        refuse(site, "a target", "none: nothing was decoded", "decode the sentence, or force a target");
}

void refuseTooMany(const trace::AttentionRecord& record, const trace::AttentionSite& site) {
    constexpr double most = 2e9; // bytes, for all terms and their sum
    const auto cells = static_cast<double>(record.heads() * record.queries() * record.keys());
    if (cells * sizeof(float) * (parts.size() * parts.size() + 1) <= most)
        return;
    throw Refusal({.what = "The parts of so many scores do not fit into memory",
                   .where = toString(site),
                   .expected = "at most 2 GB of maps",
                   .found = std::to_string(record.queries()) + " tokens in " +
                            std::to_string(record.heads()) + " heads",
                   .wayOut = "shorten the sentence"});
}

at::Tensor idTensor(const std::vector<trace::Token>& tokens) {
    return at::tensor(trace::idsOf(tokens), at::kLong);
}

network::ScoreParts partsOf(const OpenModel& model, const EncodedSource& source,
                            const network::Interventions& interventions, const trace::Run& run,
                            const trace::AttentionSite& site) {
    const auto& network = *model.network;
    const auto scheme = network.config().stackOf(site.kind).normScheme;
    const auto first = network.attention(site);
    if (site.kind == AttentionKind::EncoderSelf) {
        const auto positions = at::tensor(source.positions.values(), at::kFloat)
                                   .view({static_cast<std::int64_t>(source.positions.rows()), -1});
        const auto& embedding = network.sourceEmbedding();
        return network::scoreParts(embedding, first, scheme,
                                   embedding.words(idTensor(source.tokens), source.segments), positions);
    }
    const auto ids = idTensor(run.target);
    const auto positions = network.targetPositions(0, ids.size(0), {.interventions = &interventions});
    const auto& embedding = network.targetEmbedding();
    return network::scoreParts(embedding, first, scheme, embedding.words(ids), positions);
}

void addProducts(trace::ScoreTerms& terms, const network::ScoreParts& of, double scale,
                 const std::stop_token& stop) {
    for (std::size_t query = 0; query < parts.size(); ++query)
        for (std::size_t key = 0; key < parts.size(); ++key) {
            trace::throwIfStopped(stop);
            const auto values = at::bmm(of.q[query], of.k[key].transpose(1, 2)).mul_(scale);
            terms.terms.push_back({.product = trace::ScoreTerm::Product{parts[query], parts[key]},
                                   .values = headStack(values)});
        }
}

} // namespace

std::shared_ptr<const trace::ScoreTerms> scoreTerms(const OpenModel& model, const EncodedSource& source,
                                                    const network::Interventions& interventions,
                                                    const trace::Run& run, const trace::AttentionSite& site,
                                                    std::stop_token stop) {
    refuseMissingSite(*model.summary, site);
    const auto& config = model.network->config();
    const bool byDistance = config.hasDistanceBias() && site.kind != AttentionKind::Cross;
    const bool isDisentangled = config.positions == network::PositionScheme::Disentangled;
    if (!byDistance && !isDisentangled)
        refuseOtherStreams(model, run, site);
    if (config.queryKeyNorm != network::QueryKeyNorm::None && !byDistance)
        refuse(site, "queries and keys as they are projected", "queries and keys with a norm of their own",
               "open another model");
    if (config.scoreCap > 0)
        refuse(site, "scores that are products of queries and keys", "scores with a cap",
               "open another model");
    refuseMissingTarget(run, site);
    refuseTooMany(*run.record(site), site);
    const auto record = analysis::withMaps(*run.record(site), stop);
    auto terms = std::make_shared<trace::ScoreTerms>();
    terms->request = run.request;
    terms->site = site;
    terms->tokens = run.queryTokens(site.kind);
    terms->scores = record.scores;
    terms->mask = record.mask;
    if (isDisentangled)
        addDisentangledTerms(*terms, model, source, interventions, stop);
    else if (byDistance)
        addDistanceTerms(*terms, model, interventions, record);
    else
        addProducts(*terms, partsOf(model, source, interventions, run, site),
                    interventions.scoreScale(config.stackOf(site.kind).scoreScale), stop);
    return terms;
}

} // namespace headscope::engine
