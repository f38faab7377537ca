#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace headscope::app {

namespace {

using trace::Lens;
using trace::LogitPart;
using trace::SublayerAddress;
using trace::SublayerKind;

constexpr const char* candidatesName = "lens/candidates";
constexpr const char* leadsName = "lens/leads";

std::string partName(const LogitPart& part) {
    switch (part.kind) {
    case LogitPart::Kind::Bias:
        return "bias";
    case LogitPart::Kind::Embedding:
        return "embedding";
    case LogitPart::Kind::Position:
        return "position";
    case LogitPart::Kind::Head:
        return toString(*part.sublayer) + "." + std::to_string(part.head);
    case LogitPart::Kind::AttentionBias:
        return toString(*part.sublayer) + ".bias";
    case LogitPart::Kind::FeedForward:
        return toString(*part.sublayer);
    }
    return {};
}

/// Returns all parts that a logit of this run can have, by name.
std::map<std::string, LogitPart> partsOf(const trace::Run& run) {
    std::map<std::string, LogitPart> parts;
    const auto add = [&](const LogitPart& part) { parts.emplace(partName(part), part); };
    for (const auto kind : {LogitPart::Kind::Bias, LogitPart::Kind::Embedding, LogitPart::Kind::Position})
        add({.kind = kind});
    for (const auto& [kind, records] :
         {std::pair(SublayerKind::EncoderSelf, &run.encoder),
          std::pair(SublayerKind::DecoderSelf, &run.decoder), std::pair(SublayerKind::Cross, &run.cross)})
        for (const auto& record : *records) {
            const SublayerAddress sublayer{kind, record.site.layer};
            for (std::size_t head = 0; head < record.heads(); ++head)
                add({.kind = LogitPart::Kind::Head, .sublayer = sublayer, .head = head});
            add({.kind = LogitPart::Kind::AttentionBias, .sublayer = sublayer});
        }
    for (const auto& [kind, layers] :
         {std::pair(SublayerKind::EncoderFeedForward, run.encoder.size()),
          std::pair(SublayerKind::DecoderFeedForward, std::max(run.decoder.size(), run.cross.size()))})
        for (std::size_t layer = 0; layer < layers; ++layer)
            add({.kind = LogitPart::Kind::FeedForward, .sublayer = SublayerAddress{kind, layer}});
    return parts;
}

/// The stages and, with as many candidates as there are, the readings are in the value already. `ids` are of
/// the candidates.
template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<Lens>& lens,
             typename Arrays::template Of<std::vector<std::int64_t>>& ids, bool withLeads) {
    const std::size_t stages = lens.stages.size(), each = lens.readings.front().front().candidates.size();
    const auto reading = [&](std::size_t i) -> auto& {
        return lens.readings[i / stages][i % stages];
    };
    const Shape shape{size(lens.readings.size()), size(stages)}, ofEach{shape[0], shape[1], size(each)};
    const bool found[]{
        arrays.list(candidatesName, ofEach, ids),
        arrays.each(
            "lens/candidate_log_probabilities",
            ofEach, [&](auto i) -> auto& { return reading(i / each).candidates[i % each].logProbability; }),
        arrays.each(
            "lens/log_probabilities",
            shape, [&](auto i) -> auto& { return reading(i).chosenLogProbability; }),
        arrays.each(
            "lens/ranks", shape, [&](auto i) -> auto& { return reading(i).chosenRank; }),
        arrays.each(
            "lens/divergence", shape, [&](auto i) -> auto& { return reading(i).divergence; })};
    if (withLeads)
        arrays.each(
            leadsName, shape, [&](auto i) -> auto& {
                if constexpr (Arrays::writes)
                    return reading(i).lead.value();
                else
                    return reading(i).lead.emplace();
            });
    return std::ranges::all_of(found, std::identity());
}

/// The model computes in float32.
template <class Arrays>
bool logitParts(Arrays& arrays, typename Arrays::template Of<std::vector<float>>& logits,
                typename Arrays::template Of<std::vector<float>>& values, std::size_t steps,
                std::size_t each) {
    const bool found[]{arrays.list("attribution/logits", {size(steps)}, logits),
                       arrays.list("attribution/parts", {size(steps), size(each)}, values)};
    return found[0] && found[1];
}

class LensReader {
  public:
    LensReader(TraceTensors& tensors, const LensWords& words, const trace::Run& run)
        : tensors_(tensors), words_(words), run_(run), answers_(run.answers()) {}

    std::shared_ptr<const Lens> read() {
        const auto stages = words_.stages.size();
        const auto* stored = !answers_.empty() && stages > 0
                                 ? tensors_.find(candidatesName, {size(answers_.size()), size(stages), -1})
                                 : nullptr;
        if (!stored)
            return nullptr;
        const trace::LensReading empty{.candidates = std::vector<trace::Candidate>(count(stored->shape[2]))};
        lens_->stages = words_.stages;
        lens_->finalNorm = words_.finalNorm;
        lens_->areNumbers = run_.answerKind() == trace::AnswerKind::Numbers;
        lens_->whyNoAttribution = words_.whyNoAttribution;
        lens_->readings.assign(answers_.size(), std::vector(stages, empty));
        // Older files have only the parts against the contrast.
        const bool withLeads = words_.contrast && tensors_.rank(leadsName) > 0;
        std::vector<std::int64_t> ids;
        if (!numbers(reader_, *lens_, ids, withLeads) || !nameCandidates(ids))
            return nullptr;
        for (auto& step : lens_->readings)
            for (auto& reading : step)
                reading.chosenRank = std::max<std::int64_t>(0, reading.chosenRank);
        if (lens_->readings.front().front().lead)
            lens_->contrast = words_.contrast;
        if (!words_.parts.empty())
            readParts();
        return lens_;
    }

  private:
    bool nameCandidates(const std::vector<std::int64_t>& ids) {
        std::map<std::int64_t, const trace::Token*> tokens;
        for (const auto& token : words_.tokens)
            tokens.emplace(token.id, &token);
        auto id = ids.begin();
        for (auto& step : lens_->readings)
            for (auto& reading : step)
                for (auto& candidate : reading.candidates) {
                    const auto token = tokens.find(*id++);
                    if (token == tokens.end()) {
                        tensors_.addFinding("\"" + std::string(candidatesName) + "\" holds the id " +
                                            std::to_string(id[-1]) + ", which \"lens.tokens\" does not name");
                        return false;
                    }
                    candidate.token = *token->second;
                }
        return true;
    }

    /// The run has no model yet, which names classes; the candidates of the last stage do.
    trace::Token answer(std::size_t t) const {
        if (run_.target.empty())
            for (const auto& candidate : lens_->readings[t].back().candidates)
                if (candidate.token.id == answers_[t].id)
                    return candidate.token;
        return answers_[t];
    }

    void readParts() {
        std::vector<float> logits, values;
        if (!logitParts(reader_, logits, values, answers_.size(), words_.parts.size()))
            return;
        const auto known = partsOf(run_);
        auto value = values.begin();
        for (std::size_t t = 0; t < answers_.size(); ++t) {
            trace::LogitAttribution attribution{
                .token = answer(t), .contrast = words_.contrast, .logit = logits[t]};
            for (const auto& name : words_.parts) {
                const auto part = known.find(name);
                if (part == known.end())
                    return tensors_.addFinding("\"lens.parts\" names " + name +
                                               ", which is no part of this run's logits");
                attribution.parts.push_back(part->second);
                attribution.parts.back().value = *value++;
            }
            lens_->attributions.push_back(std::move(attribution));
        }
    }

    TraceTensors& tensors_;
    ArrayReader reader_{tensors_};
    const LensWords& words_;
    const trace::Run& run_;
    std::vector<trace::Token> answers_;
    std::shared_ptr<Lens> lens_ = std::make_shared<Lens>();
};

} // namespace

std::vector<files::NamedArray> lensArrays(const Lens& lens) {
    ArrayWriter writer;
    if (lens.readings.empty() || lens.stages.empty())
        return {};
    std::vector<std::int64_t> ids;
    for (const auto& step : lens.readings)
        for (const auto& reading : step)
            for (const auto& candidate : reading.candidates)
                ids.push_back(candidate.token.id);
    numbers(writer, lens, ids, lens.contrast.has_value());
    std::vector<float> logits, values;
    for (const auto& attribution : lens.attributions) {
        logits.push_back(static_cast<float>(attribution.logit));
        for (const auto& part : attribution.parts)
            values.push_back(static_cast<float>(part.value));
    }
    if (!logits.empty())
        logitParts(writer, logits, values, logits.size(), lens.attributions.front().parts.size());
    return writer.arrays();
}

LensWords wordsOf(const Lens& lens) {
    std::map<std::int64_t, trace::Token> named;
    for (const auto& step : lens.readings)
        for (const auto& reading : step)
            for (const auto& candidate : reading.candidates)
                named.emplace(candidate.token.id, candidate.token);
    LensWords words{.stages = lens.stages,
                    .finalNorm = lens.finalNorm,
                    .whyNoAttribution = lens.whyNoAttribution,
                    .tokens = {},
                    .parts = {},
                    .contrast = lens.contrast};
    for (auto& [id, token] : named)
        words.tokens.push_back(std::move(token));
    if (lens.attributions.empty())
        return words;
    words.contrast = lens.attributions.front().contrast;
    for (const auto& part : lens.attributions.front().parts)
        words.parts.push_back(partName(part));
    return words;
}

std::shared_ptr<const trace::Lens> readLens(TraceTensors& tensors, const LensWords& words,
                                            const trace::Run& run) {
    return LensReader(tensors, words, run).read();
}

std::shared_ptr<const trace::Lens> withoutAttributions(const trace::Lens& lens) {
    auto alone = std::make_shared<trace::Lens>(lens);
    alone->attributions.clear();
    return alone;
}

} // namespace headscope::app
