#pragma once

#include <QStringList>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/viewed_weight.h"
#include "widgets/words/quantity.h"

namespace headscope::widgets {

/// "cross.2.5: after “seiner”, choosing “Tochter” → “daughter”"
QString arithmeticTitle(const trace::Run& run, const analysis::CellArithmetic& cell);

/// The steps from product to value, one per entry, each compared with the map. `viewed` is null if the map
/// shows the weights of single tokens.
QStringList arithmeticInWords(const analysis::CellArithmetic& cell, const analysis::ViewedWeight* viewed);

/// How much the key adds to the residual stream, compared with the head and the whole sublayer.
QString streamInWords(const analysis::StreamAddition& addition, trace::NormAfter norm);

/// A note that the weight is explained although the map shows another quantity; empty if it does not.
QString otherQuantityInWords(Quantity shown);

/// "The map shows the same." or the difference.
QString differenceInWords(double computed, double shown);

} // namespace headscope::widgets
