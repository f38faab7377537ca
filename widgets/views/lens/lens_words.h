#pragma once

#include <QString>
#include <QStringList>

#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

namespace headscope::widgets {

/// "cross-attention", for the heading of a row; the first row adds "= model".
QString lensRowName(const LensTable& table, int row);
/// "After cross-attention, layer 1"; the first row adds ": the model's own prediction".
QString lensStageInWords(const LensTable& table, int row);
/// "Step 5 of 12: after “seiner”, choosing “Tochter”"
QString lensStepInWords(const LensTable& table, int column);

/// One line for the status bar: step, stage, the most probable token, and probability and rank of the chosen
/// one.
QString lensCellStatus(const LensTable& table, MapCell cell);
/// Lines of text: stage, step, the five most probable tokens, and probability and rank of the chosen one.
QStringList lensCellLines(const LensTable& table, MapCell cell);

/// Sentences that define what is drawn. `table` must not be empty.
QString lensCaption(const LensTable& table, LensTint tint);

} // namespace headscope::widgets
