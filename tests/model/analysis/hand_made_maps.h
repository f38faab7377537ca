#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Maps with known statistics, on distinct tokens.
namespace headscope::hand_made {

inline constexpr auto encoder = trace::AttentionKind::EncoderSelf;
inline constexpr auto decoder = trace::AttentionKind::DecoderSelf;
inline constexpr trace::HeadAddress crossHead{{trace::AttentionKind::Cross, 0}, 0};

inline std::vector<trace::Token> words(std::size_t count) {
    std::vector<trace::Token> tokens;
    for (std::size_t i = 0; i < count; ++i)
        tokens.push_back({.id = static_cast<std::int64_t>(10 + i), .piece = "w" + std::to_string(i)});
    return tokens;
}

/// One token per letter.
inline std::vector<trace::Token> pieces(const std::string& letters) {
    std::vector<trace::Token> tokens;
    for (const char letter : letters)
        tokens.push_back({.id = letter, .piece = std::string(1, letter)});
    return tokens;
}

/// Words and an end token.
inline std::vector<trace::Token> sentence(std::size_t count) {
    auto tokens = words(count - 1);
    tokens.push_back({.id = 3, .piece = "</s>", .role = trace::TokenRole::End});
    return tokens;
}

/// One head with `weight` of (query, key), rows normalised over the allowed keys. Causal for a decoder.
inline trace::AttentionRecord map(trace::AttentionKind kind, std::size_t queries, std::size_t keys,
                                  const std::function<double(std::size_t, std::size_t)>& weight) {
    trace::AttentionRecord record{
        .site = {kind, 0}, .mask = trace::MaskMatrix(queries, keys), .weights = {1, queries, keys}};
    for (std::size_t query = 0; query < queries; ++query) {
        double sum = 0;
        for (std::size_t key = 0; key < keys; ++key) {
            record.mask(query, key) = kind != trace::AttentionKind::DecoderSelf || key <= query;
            sum += record.mask(query, key) ? weight(query, key) : 0;
        }
        for (std::size_t key = 0; key < keys; ++key)
            if (record.mask(query, key) && sum > 0)
                record.weights.at(0, query, key) = static_cast<float>(weight(query, key) / sum);
    }
    return record;
}

inline double evenly(std::size_t, std::size_t) {
    return 1;
}
/// Each row attends to the previous token; the first row to itself.
inline double shifted(std::size_t query, std::size_t key) {
    return key + 1 == query || (query == 0 && key == 0) ? 1 : 0;
}
inline double diagonal(std::size_t query, std::size_t key) {
    return query == key ? 1 : 0;
}
inline std::function<double(std::size_t, std::size_t)> column(std::size_t wanted) {
    return [wanted](std::size_t, std::size_t key) { return key == wanted ? 1.0 : 0.0; };
}

} // namespace headscope::hand_made
