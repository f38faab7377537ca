#include "model/engine/score_terms.h"

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

void refuseOtherStreams(const OpenModel& model, const trace::Run& run, const trace::AttentionSite& site) {
    const bool encoder = site.kind == AttentionKind::EncoderSelf;
    if (site.kind == AttentionKind::Cross || site.layer > 0)
        refuse(site, "self-attention in the first layer of encoder or decoder",
               "attention to what other layers have made of words and positions",
               "choose a head of encoder.0 or decoder.0");
    if (encoder && std::holds_alternative<trace::SourceEmbeddings>(run.request.source))
        refuse(site, "a source of tokens", "vectors, which are fed as they are",
               "give a sentence or ids, or look at decoder.0");
    if (!encoder && run.target.empty())
        refuse(site, "a target", "none: nothing was decoded", "decode the sentence, or force a target");
    const auto& summary = *model.summary;
    if (!(encoder ? summary.sourcePositions : summary.targetPositions))
        refuse(site, "a model that adds positional vectors", "one that adds none", "open another model");
}

void refuseTooMany(const at::Tensor& q, const trace::AttentionSite& site) {
    constexpr double most = 2e9; // bytes, for all terms and their sum
    const auto cells = static_cast<double>(q.size(0)) * static_cast<double>(q.size(1) * q.size(1));
    if (cells * sizeof(float) * (parts.size() * parts.size() + 1) <= most)
        return;
    throw Refusal({.what = "The parts of so many scores do not fit into memory",
                   .where = toString(site),
                   .expected = "at most 2 GB of maps",
                   .found = std::to_string(q.size(1)) + " tokens in " + std::to_string(q.size(0)) + " heads",
                   .wayOut = "shorten the sentence"});
}

at::Tensor idsOf(const std::vector<trace::Token>& tokens) {
    std::vector<std::int64_t> ids;
    for (const auto& token : tokens)
        ids.push_back(token.id);
    return at::tensor(ids, at::kLong);
}

network::ScoreParts partsOf(const OpenModel& model, const EncodedSource& source,
                            const network::Interventions& interventions, const trace::Run& run,
                            const trace::AttentionSite& site) {
    const auto& network = *model.network;
    const auto scheme = network.config().normScheme;
    const auto first = network.attention(site);
    if (site.kind == AttentionKind::EncoderSelf) {
        const auto positions = at::tensor(source.positions.values(), at::kFloat)
                                   .view({static_cast<std::int64_t>(source.positions.rows()), -1});
        return network::scoreParts(network.sourceEmbedding(), first, scheme, idsOf(source.tokens), positions);
    }
    const auto ids = idsOf(run.target);
    const auto positions = network.targetPositions(0, ids.size(0), {.interventions = &interventions});
    return network::scoreParts(network.targetEmbedding(), first, scheme, ids, positions);
}

} // namespace

std::shared_ptr<const trace::ScoreTerms> scoreTerms(const OpenModel& model, const EncodedSource& source,
                                                    const network::Interventions& interventions,
                                                    const trace::Run& run, const trace::AttentionSite& site,
                                                    std::stop_token stop) {
    refuseMissingSite(*model.summary, site);
    refuseOtherStreams(model, run, site);
    const auto of = partsOf(model, source, interventions, run, site);
    refuseTooMany(of.q.front(), site);
    const auto scale = interventions.scoreScale(model.network->config().scoreScale);
    auto terms = std::make_shared<trace::ScoreTerms>();
    terms->request = run.request;
    terms->site = site;
    terms->tokens = run.queryTokens(site.kind);
    for (std::size_t query = 0; query < parts.size(); ++query)
        for (std::size_t key = 0; key < parts.size(); ++key) {
            trace::throwIfStopped(stop);
            const auto values = at::bmm(of.q[query], of.k[key].transpose(1, 2)).mul_(scale);
            terms->terms.push_back({.product = trace::ScoreTerm::Product{parts[query], parts[key]},
                                    .values = headStack(values)});
        }
    const auto& record = *run.record(site);
    terms->scores = record.scores;
    terms->mask = record.mask;
    return terms;
}

} // namespace headscope::engine
