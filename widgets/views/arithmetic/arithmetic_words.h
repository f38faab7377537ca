#pragma once

#include <QStringList>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/viewed_weight.h"
#include "widgets/words/quantity.h"

namespace headscope::widgets {

/// "cross.2.5: after “seiner”, choosing “Tochter” → “daughter”"
QString arithmeticTitle(const trace::Run& run, const analysis::CellArithmetic& cell);

/// The cell's way from product to value, one step a line, with what the map shows beside what was computed.
/// `viewed` is null where the map shows every piece's own weight.
QStringList arithmeticInWords(const analysis::CellArithmetic& cell, const analysis::ViewedWeight* viewed);

/// What comes of it: how much the key adds to the residual stream, beside the head and the whole sublayer.
QString streamInWords(const analysis::StreamAddition& addition, trace::NormAfter norm);

/// That the arithmetic is that of the weight, where the map shows something else; else empty.
QString otherQuantityInWords(Quantity shown);

/// "The map shows the same." or by how much it differs.
QString differenceInWords(double computed, double shown);

} // namespace headscope::widgets
