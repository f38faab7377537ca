#pragma once

#include <QString>

#include "model/analysis/positions/position_origin.h"
#include "widgets/map/map_layout.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/position_table.h"

namespace headscope::widgets {

/// "R² 0.9993", or that there is none; beside that of an exact map also what the fit has.
QString rSquaredText(const analysis::PositionalShift& shift);
QString rSquaredText(const analysis::PositionalShift& shift,
                     const std::optional<analysis::PositionalShift>& fitted);
/// What a picture of M is of, and a cell of it.
QString shiftMapTitle(const analysis::PositionalShift& shift);
QString shiftCellInWords(float value, MapCell cell);
/// What is drawn and how it was found, for people; on the side whose table was measured.
QString wavelengthsCaption(const analysis::PositionalWavelengths& wavelengths, PositionSide side);
QString shiftCaption(const analysis::PositionalShift& shift,
                     const std::optional<analysis::PositionalShift>& fitted, PositionSide side);
QString sharesCaption(const TokenShares& shares, PositionSide side);

/// "4 of the 256 dimensions (32, 64, 96, 128) of the vectors"
QString dimensionsInWords(const std::vector<int>& shown, std::size_t all);

/// One mark in words.
QString wavelengthInWords(const analysis::PositionalWavelengths& wavelengths, int dimension);
QString shiftErrorInWords(const analysis::PositionalShift& shift, int position);

/// Where a table comes from: the formula, or training.
QString originInWords(const trace::ModelSummary& model, const analysis::PositionOrigin& origin);
QString jumpInWords(const analysis::LengthJump& jump);
/// Of a model that adds a bias by distance: what its curves or its table show.
QString distanceCaption(const trace::ModelSummary& model, PositionSide side, bool asTable);
/// Of a model that turns queries and keys.
QString rotationCaption(const trace::ModelSummary& model);
QString rotationInWords(const std::vector<double>& rotation, int pair);
/// What positions are in a model that adds no vectors to this side.
QString whyNoVectors(const trace::ModelSummary& model, PositionSide side);

/// Whether tokens of a run stand nowhere, or in another order.
bool placesChanged(const trace::Run& run);
/// Why the scores of a run are not taken apart, or empty where they can be.
QString whyNoTerms(const trace::Run& run, PositionSide side);
/// Why the words and positions of a run are not told apart, or empty where they can be.
QString whyNoShares(const trace::Run& run, PositionSide side);

} // namespace headscope::widgets
