#pragma once

#include "model/trace/figure_data.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/score_terms_words.h"

#include <string>
#include <vector>

namespace headscope::widgets {

// The numbers behind the figures of positions.

/// With labels from `first`; without, if it is 0.
trace::DataAxis positionAxis(std::string name, int first, std::size_t count);
trace::FigureData shareData(const TokenShares& shares);
trace::FigureData wavelengthData(const analysis::PositionalWavelengths& measured);
trace::FigureData shiftData(const PositionAnswer& known);
/// The scores and their terms; if `centred` is not null, the drawn centred ones first.
trace::FigureData termData(const trace::ScoreTerms& terms,
                           const std::vector<analysis::HeadScoreShares>& heads, std::size_t head,
                           const HeadTerms* centred);
/// The first rows of a table, restricted to some columns.
trace::DataArray tableData(const trace::Matrix& all, std::size_t rows, const std::vector<int>& columns,
                           trace::DataAxis down, const char* across);

} // namespace headscope::widgets
