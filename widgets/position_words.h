#pragma once

#include <QString>

#include "widgets/position_question.h"
#include "widgets/position_table.h"

namespace headscope::widgets {

/// "R² 0.9993", or that there is none.
QString rSquaredText(const analysis::PositionalShift& shift);
/// What is drawn and how it was found, for people; on the side whose table was measured.
QString wavelengthsCaption(const analysis::PositionalWavelengths& wavelengths, PositionSide side);
QString shiftCaption(const analysis::PositionalShift& shift, PositionSide side);
QString sharesCaption(const TokenShares& shares, PositionSide side);

/// One mark in words.
QString wavelengthInWords(const analysis::PositionalWavelengths& wavelengths, int dimension);
QString shiftErrorInWords(const analysis::PositionalShift& shift, int position);

/// Why the words and positions of a run are not told apart, or empty where they can be.
QString whyNoShares(const trace::Run& run, PositionSide side);

} // namespace headscope::widgets
