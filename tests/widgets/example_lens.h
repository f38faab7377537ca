#pragma once

#include "model/trace/lens.h"
#include "tests/widgets/example_run.h"

#include <cmath>
#include <memory>

namespace headscope::example {

/// What stands in the last row is what the run says; below it, made up: the later a step, the later it is
/// decided.
inline trace::LensReading reading(const trace::Run& run, std::size_t t, std::size_t stage,
                                  std::size_t stages) {
    const auto& said = run.row(t).candidates;
    const std::size_t decided = std::min(stages - 1, 2 + t % stages);
    const double missing = static_cast<double>(stages - 1 - stage) / static_cast<double>(stages);
    trace::LensReading reading{.candidates = said};
    reading.chosenLogProbability = static_cast<float>(said.front().logProbability - 9 * missing);
    reading.chosenRank = stage >= decided ? 0 : std::lround(std::pow(10, 4 * missing));
    reading.divergence = static_cast<float>(8 * missing * missing);
    if (stage < decided)
        std::rotate(reading.candidates.begin(),
                    reading.candidates.begin() + 1 + static_cast<std::ptrdiff_t>((t + stage) % 8),
                    reading.candidates.end());
    for (auto& candidate : reading.candidates)
        candidate.logProbability -= static_cast<float>(missing);
    return reading;
}

/// Parts of either sign that sum to the logit.
inline trace::LogitAttribution attribution(const trace::Run& run, std::size_t t,
                                           std::optional<trace::Token> contrast) {
    using Kind = trace::LogitPart::Kind;
    using enum trace::SublayerKind;
    trace::LogitAttribution made{.token = run.next[t], .contrast = std::move(contrast)};
    const auto add = [&](trace::LogitPart part) {
        const auto place = static_cast<double>(made.parts.size() + t);
        part.value = std::sin(place * 1.3) * (0.4 + 0.02 * place);
        made.logit += part.value;
        made.parts.push_back(part);
    };
    for (const auto kind : {Kind::Bias, Kind::Embedding, Kind::Position})
        add({.kind = kind});
    for (int layer = 0; layer < run.model->decoderLayers; ++layer) {
        for (const auto attention : {DecoderSelf, Cross}) {
            for (int head = 0; head < run.model->decoderHeads; ++head)
                add({.kind = Kind::Head, .sublayer = trace::SublayerAddress{attention, layer}, .head = head});
            add({.kind = Kind::AttentionBias, .sublayer = trace::SublayerAddress{attention, layer}});
        }
        add({.kind = Kind::FeedForward, .sublayer = trace::SublayerAddress{DecoderFeedForward, layer}});
    }
    return made;
}

inline std::shared_ptr<trace::Lens> lens(const trace::Run& run, std::optional<trace::Token> contrast = {}) {
    using enum trace::SublayerKind;
    auto made = std::make_shared<trace::Lens>();
    made->request = run.request;
    made->finalNorm = true;
    made->contrast = contrast;
    made->stages = {"embedding"};
    for (int layer = 0; layer < run.model->decoderLayers; ++layer)
        for (const auto kind : {DecoderSelf, Cross, DecoderFeedForward})
            made->stages.push_back(toString(trace::SublayerAddress{kind, layer}));
    for (std::size_t t = 0; t < run.next.size(); ++t) {
        made->readings.emplace_back();
        for (std::size_t stage = 0; stage < made->stages.size(); ++stage)
            made->readings.back().push_back(reading(run, t, stage, made->stages.size()));
        for (auto& one : made->readings.back())
            if (contrast)
                one.lead = 2 - one.divergence;
        made->attributions.push_back(attribution(run, t, contrast));
    }
    return made;
}

} // namespace headscope::example
