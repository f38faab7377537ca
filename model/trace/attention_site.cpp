#include "model/trace/attention_site.h"

#include <array>
#include <charconv>

namespace headscope::trace {

namespace {

std::optional<int> parseIndex(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || digits.front() == '-')
        return std::nullopt;
    return value;
}

} // namespace

std::string_view name(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return "encoder";
    case AttentionKind::DecoderSelf:
        return "decoder";
    case AttentionKind::Cross:
        return "cross";
    }
    return {};
}

std::string toString(const AttentionSite& site) {
    return std::string(name(site.kind)) + "." + std::to_string(site.layer);
}

std::string toString(const HeadAddress& address) {
    return toString(address.site) + "." + std::to_string(address.head);
}

std::optional<HeadAddress> parseHeadAddress(std::string_view text) {
    const auto firstDot = text.find('.');
    const auto secondDot = firstDot == text.npos ? text.npos : text.find('.', firstDot + 1);
    if (secondDot == text.npos)
        return std::nullopt;
    const auto layer = parseIndex(text.substr(firstDot + 1, secondDot - firstDot - 1));
    const auto head = parseIndex(text.substr(secondDot + 1));
    for (const auto kind : attentionKinds)
        if (text.substr(0, firstDot) == name(kind) && layer && head)
            return HeadAddress{{kind, *layer}, *head};
    return std::nullopt;
}

} // namespace headscope::trace
