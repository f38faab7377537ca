#pragma once

#include "app/traces/json_fields.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"

#include <array>

namespace headscope::app {

// Names and fields of plain values in trace files.

/// Conversion between sizes and the elements of shapes.
inline std::int64_t size(std::size_t n) {
    return static_cast<std::int64_t>(n);
}
inline std::size_t count(std::int64_t size) {
    return static_cast<std::size_t>(size);
}

template <>
struct Names<trace::TokenRole> {
    static constexpr const char* what = "role of a token";
    static constexpr NameTable<trace::TokenRole, 5> table{{{trace::TokenRole::Text, "text"},
                                                           {trace::TokenRole::Unknown, "unknown"},
                                                           {trace::TokenRole::Start, "start"},
                                                           {trace::TokenRole::End, "end"},
                                                           {trace::TokenRole::Padding, "padding"}}};
};
template <>
struct Names<trace::CheckState> {
    static constexpr const char* what = "self-check";
    static constexpr NameTable<trace::CheckState, 5> table{
        {{trace::CheckState::Ok, "ok"},
         {trace::CheckState::Failed, "failed"},
         {trace::CheckState::Recorded, "recorded"},
         {trace::CheckState::NotChecked, "not checked"},
         {trace::CheckState::NotApplicable, "not applicable"}}};
};
template <>
struct Names<trace::PositionKind> {
    static constexpr const char* what = "kind of positions";
    static constexpr NameTable<trace::PositionKind, 5> table{
        {{trace::PositionKind::None, "none"},
         {trace::PositionKind::Added, "added"},
         {trace::PositionKind::DistanceBias, "distance-bias"},
         {trace::PositionKind::Rotation, "rotation"},
         {trace::PositionKind::Disentangled, "disentangled"}}};
};
/// The kind of attention precedes them in the names of arrays.
template <>
struct Names<trace::MapQuantity> {
    static constexpr NameTable<trace::MapQuantity, 4> table{
        {{trace::MapQuantity::NormWeighted, "norm_weighted"},
         {trace::MapQuantity::Rollout, "rollout"},
         {trace::MapQuantity::Contribution, "contributions"},
         {trace::MapQuantity::GradientAttention, "gradient"}}};
};

/// First part of an array's name.
template <>
struct Names<trace::AttentionKind> {
    static constexpr NameTable<trace::AttentionKind, 3> table{
        {{trace::AttentionKind::EncoderSelf, "encoder_self"},
         {trace::AttentionKind::DecoderSelf, "decoder_self"},
         {trace::AttentionKind::Cross, "cross"}}};
};
inline std::string arrayName(trace::AttentionKind kind, std::string_view part) {
    return std::string(nameOf(kind)) + "/" + std::string(part);
}
/// Prefix of the array names of a run for comparison.
inline std::string besideName(std::size_t number) {
    return "beside/" + std::to_string(number);
}

inline constexpr std::array<std::pair<trace::Finding trace::SelfCheck::*, const char*>, 5> checkNames{
    {{&trace::SelfCheck::rowsSumToOne, "rows_sum_to_one"},
     {&trace::SelfCheck::maskedCellsAreZero, "masked_cells_are_zero"},
     {&trace::SelfCheck::weightsAreSoftmax, "weights_are_softmax"},
     {&trace::SelfCheck::logProbabilities, "log_probabilities"},
     {&trace::SelfCheck::cachedEqualsFullPass, "cached_equals_full_pass"}}};

template <>
struct Form<trace::SublayerAddress> {
    static std::string of(const trace::SublayerAddress& address) { return toString(address); }
    static trace::SublayerAddress in(const nlohmann::json& name, const std::string& where);
};

/// The position of a token in its sentence is not one of its fields.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Token>& token) {
    visitor.usual("id", token.id, std::int64_t{-1});
    visitor.required("piece", token.piece);
    visitor.usual("role", token.role);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Candidate>& candidate) {
    fields(visitor, candidate.token);
    visitor.required("log_probability", candidate.logProbability);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::Finding>& finding) {
    visitor.usual("state", finding.state);
    visitor.measured("largest", finding.largest);
    visitor.usual("limit", finding.limit);
}

/// Missing checks count as not checked.
template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::SelfCheck>& check) {
    for (const auto& [finding, key] : checkNames)
        visitor.usual(key, check.*finding);
    visitor.ifAny("kernels", check.kernels);
}

/// The form printed by commands: the overall "state", then each check.
inline nlohmann::ordered_json selfCheckJson(const trace::SelfCheck& check) {
    nlohmann::ordered_json json{{"state", nameOf(check.state())}};
    json.update(toJson(check));
    return json;
}

} // namespace headscope::app
