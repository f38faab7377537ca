#include "app/traces/trace_lens.h"

#include "app/traces/token_json.h"
#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::LogitPart;
using trace::SublayerAddress;
using trace::SublayerKind;

constexpr const char* candidatesName = "lens/candidates";
constexpr const char* candidateValuesName = "lens/candidate_log_probabilities";
constexpr const char* chosenValuesName = "lens/log_probabilities";
constexpr const char* ranksName = "lens/ranks";
constexpr const char* lensDivergenceName = "lens/divergence";
constexpr const char* leadsName = "lens/leads";
constexpr const char* logitsName = "attribution/logits";
constexpr const char* partsName = "attribution/parts";

std::string nameOf(const LogitPart& part) {
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
    const auto add = [&](const LogitPart& part) { parts.emplace(nameOf(part), part); };
    for (const auto kind : {LogitPart::Kind::Bias, LogitPart::Kind::Embedding, LogitPart::Kind::Position})
        add({.kind = kind});
    for (const auto& [kind, records] :
         {std::pair(SublayerKind::DecoderSelf, &run.decoder), std::pair(SublayerKind::Cross, &run.cross)})
        for (const auto& record : *records) {
            const SublayerAddress sublayer{kind, record.site.layer};
            for (std::size_t head = 0; head < record.heads(); ++head)
                add({.kind = LogitPart::Kind::Head, .sublayer = sublayer, .head = static_cast<int>(head)});
            add({.kind = LogitPart::Kind::AttentionBias, .sublayer = sublayer});
        }
    for (std::size_t layer = 0; layer < std::max(run.decoder.size(), run.cross.size()); ++layer)
        add({.kind = LogitPart::Kind::FeedForward,
             .sublayer = SublayerAddress{SublayerKind::DecoderFeedForward, static_cast<int>(layer)}});
    return parts;
}

/// Returns one number per reading, ordered by step.
template <class Number, class Of>
std::vector<Number> ofReadings(const trace::Lens& lens, const Of& of) {
    std::vector<Number> values;
    for (const auto& step : lens.readings)
        for (const auto& reading : step)
            values.push_back(of(reading));
    return values;
}

template <class Number, class Of>
std::vector<Number> ofCandidates(const trace::Lens& lens, const Of& of) {
    std::vector<Number> values;
    for (const auto& step : lens.readings)
        for (const auto& reading : step)
            for (const auto& candidate : reading.candidates)
                values.push_back(of(candidate));
    return values;
}

class LensReader {
  public:
    LensReader(TraceTensors& tensors, const LensWords& words, const trace::Run& run)
        : tensors_(tensors), words_(words), run_(run), steps_(run.target.size()) {}

    std::shared_ptr<const trace::Lens> read() {
        const auto steps = size(steps_), stages = size(words_.stages.size());
        if (steps == 0 || stages == 0 || !readCandidates({steps, stages, -1}) || !readChosen({steps, stages}))
            return nullptr;
        if (words_.contrast && tensors_.rank(leadsName) > 0) // older files have only the parts against it
            readLeads({steps, stages});
        lens_->stages = words_.stages;
        lens_->finalNorm = words_.finalNorm;
        lens_->whyNoAttribution = words_.whyNoAttribution;
        if (!words_.parts.empty())
            readParts({steps, size(words_.parts.size())});
        return lens_;
    }

  private:
    using Shape = std::vector<std::int64_t>;

    /// Reads the readings' candidates.
    bool readCandidates(const Shape& shape) {
        const auto* stored = tensors_.find(candidatesName, shape);
        const auto* values = stored ? tensors_.find(candidateValuesName, stored->shape) : nullptr;
        if (!values)
            return false;
        std::map<std::int64_t, const trace::Token*> tokens;
        for (const auto& token : words_.tokens)
            tokens.emplace(token.id, &token);
        const auto ids = tensors_.integers(*stored);
        const auto each = static_cast<std::size_t>(stored->shape[2]);
        const auto logProbabilities = tensors_.values(*values);
        lens_->readings.assign(steps_, std::vector<trace::LensReading>(words_.stages.size()));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto token = tokens.find(ids[i]);
            if (token == tokens.end()) {
                tensors_.addFinding("\"" + std::string(candidatesName) + "\" holds the id " +
                                    std::to_string(ids[i]) + ", which \"lens.tokens\" does not name");
                return false;
            }
            reading(i / each).candidates.push_back(
                {.token = *token->second, .logProbability = logProbabilities.get()[i]});
        }
        return !ids.empty();
    }

    /// Reads the readings' values for the chosen token.
    bool readChosen(const Shape& shape) {
        const auto *values = tensors_.find(chosenValuesName, shape), *ranks = tensors_.find(ranksName, shape),
                   *divergence = tensors_.find(lensDivergenceName, shape);
        if (!values || !ranks || !divergence)
            return false;
        const auto logProbabilities = tensors_.values(*values), nats = tensors_.values(*divergence);
        const auto places = tensors_.integers(*ranks);
        for (std::size_t i = 0; i < places.size(); ++i) {
            auto& one = reading(i);
            one.chosenLogProbability = logProbabilities.get()[i];
            one.chosenRank = std::max<std::int64_t>(0, places[i]);
            one.divergence = nats.get()[i];
        }
        return !places.empty();
    }

    void readLeads(const Shape& shape) {
        const auto* leads = tensors_.find(leadsName, shape);
        if (!leads)
            return;
        const auto values = tensors_.values(*leads);
        for (std::size_t i = 0; i < steps_ * words_.stages.size(); ++i)
            reading(i).lead = values.get()[i];
        lens_->contrast = words_.contrast;
    }

    void readParts(const Shape& shape) {
        const auto *parts = tensors_.find(partsName, shape), *logits = tensors_.find(logitsName, {shape[0]});
        if (!parts || !logits)
            return;
        const auto known = partsOf(run_);
        const auto values = tensors_.values(*parts), sums = tensors_.values(*logits);
        for (std::size_t t = 0; t < steps_; ++t) {
            trace::LogitAttribution attribution{
                .token = run_.next[t], .contrast = words_.contrast, .logit = sums.get()[t]};
            for (std::size_t i = 0; i < words_.parts.size(); ++i) {
                const auto part = known.find(words_.parts[i]);
                if (part == known.end())
                    return tensors_.addFinding("\"lens.parts\" names " + words_.parts[i] +
                                               ", which is no part of this run's logits");
                attribution.parts.push_back(part->second);
                attribution.parts.back().value = values.get()[t * words_.parts.size() + i];
            }
            lens_->attributions.push_back(std::move(attribution));
        }
    }

    trace::LensReading& reading(std::size_t i) {
        return lens_->readings[i / words_.stages.size()][i % words_.stages.size()];
    }

    TraceTensors& tensors_;
    const LensWords& words_;
    const trace::Run& run_;
    std::size_t steps_;
    std::shared_ptr<trace::Lens> lens_ = std::make_shared<trace::Lens>();
};

} // namespace

std::vector<NamedArray> lensArrays(const trace::Lens& lens) {
    const std::vector<std::int64_t> shape{size(lens.readings.size()), size(lens.stages.size())};
    auto ofEach = shape;
    if (!lens.readings.empty() && !lens.stages.empty())
        ofEach.push_back(size(lens.readings.front().front().candidates.size()));
    using Reading = trace::LensReading;
    using Candidate = trace::Candidate;
    const auto floats = [&](const char* name, float Reading::*member) {
        return files::floatArray(
            name, shape, ofReadings<float>(lens, [=](const Reading& reading) { return reading.*member; }));
    };
    std::vector<NamedArray> arrays{
        files::integerArray(
            candidatesName, ofEach,
            ofCandidates<std::int64_t>(lens, [](const Candidate& one) { return one.token.id; })),
        files::floatArray(candidateValuesName, ofEach,
                          ofCandidates<float>(lens, [](const Candidate& one) { return one.logProbability; })),
        floats(chosenValuesName, &Reading::chosenLogProbability),
        files::integerArray(
            ranksName, shape,
            ofReadings<std::int64_t>(lens, [](const Reading& reading) { return reading.chosenRank; })),
        floats(lensDivergenceName, &Reading::divergence)};
    if (lens.contrast)
        arrays.push_back(files::floatArray(
            leadsName, shape,
            ofReadings<float>(lens, [](const Reading& reading) { return reading.lead.value(); })));
    if (lens.attributions.empty())
        return arrays;
    std::vector<float> logits, parts; // the model computes in float32
    for (const auto& attribution : lens.attributions) {
        logits.push_back(static_cast<float>(attribution.logit));
        for (const auto& part : attribution.parts)
            parts.push_back(static_cast<float>(part.value));
    }
    const auto steps = size(lens.attributions.size());
    arrays.push_back(files::floatArray(logitsName, {steps}, logits));
    arrays.push_back(
        files::floatArray(partsName, {steps, size(lens.attributions.front().parts.size())}, parts));
    return arrays;
}

nlohmann::ordered_json wordsOf(const trace::Lens& lens) {
    std::map<std::int64_t, trace::Token> named;
    for (const auto& step : lens.readings)
        for (const auto& reading : step)
            for (const auto& candidate : reading.candidates)
                named.emplace(candidate.token.id, candidate.token);
    std::vector<trace::Token> tokens;
    for (auto& [id, token] : named)
        tokens.push_back(std::move(token));
    nlohmann::ordered_json json{
        {"stages", lens.stages}, {"final_norm", lens.finalNorm}, {"tokens", toJson(tokens)}};
    if (!lens.whyNoAttribution.empty())
        json["why_no_attribution"] = lens.whyNoAttribution;
    const auto& contrast = lens.attributions.empty() ? lens.contrast : lens.attributions.front().contrast;
    if (contrast)
        json["contrast"] = toJson(*contrast);
    if (lens.attributions.empty())
        return json;
    json["parts"] = nlohmann::ordered_json::array();
    for (const auto& part : lens.attributions.front().parts)
        json["parts"].push_back(nameOf(part));
    return json;
}

LensWords lensWords(const nlohmann::json& object, const std::string& where) {
    LensWords words{.stages = files::stringsAt(object, "stages", where),
                    .finalNorm = files::booleanAt(object, "final_norm", where, false),
                    .whyNoAttribution = files::stringAt(object, "why_no_attribution", where, std::string()),
                    .tokens = tokensAt(object, "tokens", where)};
    if (object.contains("parts"))
        words.parts = files::stringsAt(object, "parts", where);
    if (object.contains("contrast"))
        words.contrast = tokenOf(files::objectAt(object, "contrast", where), where);
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
