#pragma once

#include <QString>

#include "model/analysis/positions/position_origin.h"
#include "model/trace/figure_data.h"
#include "widgets/map/map_layout.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/position_table.h"
#include "widgets/views/positions/score_terms_page.h"

#include <string>
#include <vector>

namespace headscope::widgets {

/// "R² 0.9993", or that it is undefined; for an exact rotation with the R² of the fit.
QString rSquaredText(const analysis::PositionalShift& shift);
QString rSquaredText(const analysis::PositionalShift& shift,
                     const std::optional<analysis::PositionalShift>& fitted);
/// Title of the picture of M, and description of one of its cells.
QString shiftMapTitle(const analysis::PositionalShift& shift);
QString shiftCellInWords(float value, MapCell cell);
/// Captions: what is drawn and how it was measured, for the given side.
QString wavelengthsCaption(const analysis::PositionalWavelengths& wavelengths, PositionSide side);
QString shiftCaption(const analysis::PositionalShift& shift,
                     const std::optional<analysis::PositionalShift>& fitted, PositionSide side);
QString sharesCaption(const TokenShares& shares, PositionSide side);

/// "4 of the 256 dimensions (32, 64, 96, 128) of the vectors"
QString dimensionsInWords(const std::vector<int>& shown, std::size_t all);

/// Description of a mark.
QString wavelengthInWords(const analysis::PositionalWavelengths& wavelengths, int dimension);
QString shiftErrorInWords(const analysis::PositionalShift& shift, int position);

/// What the model does about positions on a side, in a few words: "Sinusoids of base 10,000, added to the
/// embeddings". `origin`: of its table; null: it has none.
QString positionsInShort(const trace::ModelSummary& model, const analysis::PositionOrigin* origin,
                         PositionSide side);
/// The dimensions, or pairs, whose wavelength is nearest to a typed number, on a logarithmic scale; more than
/// one if they are equal. Empty if it is no number. Lengths of 0 are unknown.
std::vector<int> nearestWavelengths(const std::vector<double>& lengths, const QString& typed);

/// Whether a table follows the sinusoidal formula or was trained.
QString originInWords(const trace::ModelSummary& model, const analysis::PositionOrigin& origin);
QString jumpInWords(const analysis::LengthJump& jump);
/// Caption of the curves or the table of a distance bias.
QString distanceCaption(const trace::ModelSummary& model, PositionSide side, bool asTable);
/// Caption for a model that rotates queries and keys.
QString rotationCaption(const trace::ModelSummary& model);
QString rotationInWords(const std::vector<double>& rotation, bool interleaved, int pair);
/// What the model does about positions instead of adding vectors to this side.
QString whyNoVectors(const trace::ModelSummary& model, PositionSide side);

/// Returns true if a what-if removed or shuffled the positions.
bool placesChanged(const trace::Run& run);
/// Why the scores of a run cannot be split; empty if they can.
QString whyNoTerms(const trace::Run& run, PositionSide side);
/// Why word and position cannot be separated; empty if they can.
QString whyNoShares(const trace::Run& run, PositionSide side);

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
