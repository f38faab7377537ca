#pragma once

#include "model/trace/quantity_maps.h"
#include "model/trace/refusal.h"
#include "model/trace/run.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::app {

/// Conversion between sizes and the elements of shapes.
inline std::int64_t size(std::size_t n) {
    return static_cast<std::int64_t>(n);
}
inline std::size_t count(std::int64_t size) {
    return static_cast<std::size_t>(size);
}

// Names of the program's values in trace files.

inline constexpr std::array<std::pair<trace::TokenRole, std::string_view>, 5> roleNames{
    {{trace::TokenRole::Text, "text"},
     {trace::TokenRole::Unknown, "unknown"},
     {trace::TokenRole::Start, "start"},
     {trace::TokenRole::End, "end"},
     {trace::TokenRole::Padding, "padding"}}};

inline constexpr std::array<std::pair<trace::CheckState, std::string_view>, 5> stateNames{
    {{trace::CheckState::Ok, "ok"},
     {trace::CheckState::Failed, "failed"},
     {trace::CheckState::Recorded, "recorded"},
     {trace::CheckState::NotChecked, "not checked"},
     {trace::CheckState::NotApplicable, "not applicable"}}};

inline constexpr std::array<std::pair<trace::Finding trace::SelfCheck::*, const char*>, 5> checkNames{
    {{&trace::SelfCheck::rowsSumToOne, "rows_sum_to_one"},
     {&trace::SelfCheck::maskedCellsAreZero, "masked_cells_are_zero"},
     {&trace::SelfCheck::weightsAreSoftmax, "weights_are_softmax"},
     {&trace::SelfCheck::logProbabilities, "log_probabilities"},
     {&trace::SelfCheck::cachedEqualsFullPass, "cached_equals_full_pass"}}};

inline constexpr std::array<std::pair<trace::PositionKind, std::string_view>, 4> positionKindNames{
    {{trace::PositionKind::None, "none"},
     {trace::PositionKind::Added, "added"},
     {trace::PositionKind::DistanceBias, "distance-bias"},
     {trace::PositionKind::Rotation, "rotation"}}};

/// Names of an enumeration's values, and what is said of others.
template <class Enum>
struct Names;
template <>
struct Names<trace::TokenRole> {
    static constexpr auto& table = roleNames;
    static constexpr const char* what = "role of a token";
};
template <>
struct Names<trace::CheckState> {
    static constexpr auto& table = stateNames;
    static constexpr const char* what = "self-check";
};
template <>
struct Names<trace::PositionKind> {
    static constexpr auto& table = positionKindNames;
    static constexpr const char* what = "kind of positions";
};

/// Names of the arrays with analyses of the model; the kind of attention precedes them.
inline constexpr std::array<std::pair<trace::MapQuantity, std::string_view>, 4> quantityNames{
    {{trace::MapQuantity::NormWeighted, "norm_weighted"},
     {trace::MapQuantity::Rollout, "rollout"},
     {trace::MapQuantity::Contribution, "contributions"},
     {trace::MapQuantity::GradientAttention, "gradient"}}};
inline constexpr std::string_view scoreTermsName = "score_terms";

/// First part of an array's name.
inline constexpr std::string_view kindName(trace::AttentionKind kind) {
    return kind == trace::AttentionKind::EncoderSelf   ? "encoder_self"
           : kind == trace::AttentionKind::DecoderSelf ? "decoder_self"
                                                       : "cross";
}

/// Prefix of the array names of a run for comparison.
inline std::string besideName(std::size_t number) {
    return "beside/" + std::to_string(number);
}

/// Returns the name of a value, which must be in the table.
template <class Table, class Value>
std::string_view nameIn(const Table& table, Value value) {
    return std::ranges::find(table, value, [](const auto& entry) { return entry.first; })->second;
}

/// The inverse. Throws trace::Refusal for an unknown name; `what` describes it in the error.
template <class Table>
auto valueIn(const Table& table, const std::string& name, const std::string& where, const char* what) {
    const auto found = std::ranges::find(table, name, [](const auto& entry) { return entry.second; });
    if (found != table.end())
        return found->first;
    std::string expected;
    for (const auto& entry : table)
        expected += (expected.empty() ? "" : ", ") + std::string(entry.second);
    throw trace::Refusal({.what = std::string("This trace has a ") + what + " that means nothing",
                          .where = where,
                          .expected = expected,
                          .found = name,
                          .wayOut = "write it anew"});
}

} // namespace headscope::app
