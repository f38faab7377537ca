#pragma once

#include "model/trace/run.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace headscope::app {

// The words of trace files for values of the program.

inline constexpr std::array<std::pair<trace::TokenRole, std::string_view>, 5> roleNames{
    {{trace::TokenRole::Text, "text"},
     {trace::TokenRole::Unknown, "unknown"},
     {trace::TokenRole::Start, "start"},
     {trace::TokenRole::End, "end"},
     {trace::TokenRole::Padding, "padding"}}};

inline constexpr std::array<std::pair<trace::CheckState, std::string_view>, 4> stateNames{
    {{trace::CheckState::Ok, "ok"},
     {trace::CheckState::Failed, "failed"},
     {trace::CheckState::NotChecked, "not checked"},
     {trace::CheckState::NotApplicable, "not applicable"}}};

inline constexpr std::array<std::pair<trace::Finding trace::SelfCheck::*, const char*>, 3> checkNames{
    {{&trace::SelfCheck::rowsSumToOne, "rows_sum_to_one"},
     {&trace::SelfCheck::maskedCellsAreZero, "masked_cells_are_zero"},
     {&trace::SelfCheck::cachedEqualsFullPass, "cached_equals_full_pass"}}};

/// The word for a value; every value has one.
template <class Table, class Value>
std::string_view nameIn(const Table& table, Value value) {
    return std::ranges::find(table, value, [](const auto& entry) { return entry.first; })->second;
}

} // namespace headscope::app
