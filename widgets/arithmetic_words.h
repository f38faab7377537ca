#pragma once

#include <QStringList>

#include "model/analysis/cell_arithmetic.h"

namespace headscope::widgets {

/// "cross.2.5: after “seiner”, choosing “Tochter” → “daughter”"
QString arithmeticTitle(const trace::Run& run, const analysis::CellArithmetic& cell);

/// The cell's way from product to value, one step a line, with what the map shows beside what was computed.
QStringList arithmeticInWords(const analysis::CellArithmetic& cell);

/// "The map shows the same." or by how much it differs.
QString differenceInWords(double computed, double shown);

} // namespace headscope::widgets
