#include "model/checkpoint/missing_settings.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headscope::checkpoint {

namespace {

using network::Activation;
using network::NormScheme;
using trace::MissingSetting;
using trace::Need;

template <class... Enum>
std::vector<std::string> names(Enum... options) {
    return {std::string(network::name(options))...};
}

MissingSetting heads(std::int64_t queryRows) {
    MissingSetting setting{.key = "heads",
                           .question = "How many attention heads does a layer have?",
                           .known = "a number that divides the " + std::to_string(queryRows) +
                                    " rows of the query projection; weights do not tell it"};
    constexpr std::int64_t most = 65536; // limit of the command line
    for (std::int64_t count = 1; count <= std::min(queryRows, most); ++count)
        if (queryRows % count == 0)
            setting.possible.push_back(std::to_string(count));
    return setting;
}

std::vector<MissingSetting> ids(const network::NetworkConfig& sizes) {
    if (sizes.sourceVocabulary == 0 && sizes.encoder.layers > 0)
        return {};
    const bool decodes = sizes.decoder.layers > 0;
    const auto target = decodes ? sizes.targetVocabulary : sizes.sourceVocabulary;
    std::vector<MissingSetting> settings;
    if (decodes) {
        const bool isAlone = sizes.encoder.layers == 0; // its prompt is fed first
        settings.push_back({.key = "start_id",
                            .question = "Which id is the decoder fed first?",
                            .ids = target,
                            .need = isAlone ? Need::Optional : Need::ToDecode});
        settings.push_back({.key = "end_id",
                            .question = "Which id ends a decoded sentence?",
                            .ids = target,
                            .need = Need::Optional});
    }
    settings.push_back({.key = "pad_id",
                        .question = "Which id is padding?",
                        .ids = sizes.encoder.layers > 0 ? std::min(sizes.sourceVocabulary, target) : target,
                        .need = Need::Optional});
    return settings;
}

} // namespace

std::vector<MissingSetting> missingSettings(const network::NetworkConfig& sizes, std::int64_t queryRows,
                                            const Settings& settings) {
    std::vector<MissingSetting> all{
        heads(queryRows),
        {.key = "norm",
         .question = "Does the norm stand before or after each sublayer?",
         .possible = names(NormScheme::Pre, NormScheme::Post)},
        {.key = "activation",
         .question = "Which activation does the feed-forward network have?",
         .possible = names(Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu)}};
    for (auto& id : ids(sizes))
        all.push_back(std::move(id));
    std::erase_if(all, [&](const MissingSetting& setting) { return settings.find(setting.key).has_value(); });
    return all;
}

} // namespace headscope::checkpoint
