#pragma once

#include <QString>
#include <QStringList>

#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

namespace headscope::widgets {

/// "cross-attention", short, for the heading of a row; the first one says that it is the model.
QString lensRowName(const LensTable& table, int row);
/// "After cross-attention, layer 1"; the first row: "... : what the model itself says".
QString lensStageInWords(const LensTable& table, int row);
/// "Step 5 of 12: after “seiner”, choosing “Tochter”"
QString lensStepInWords(const LensTable& table, int column);

/// One line for the status bar: step, stage, the most probable piece, and how the chosen one stands.
QString lensCellStatus(const LensTable& table, MapCell cell);
/// Line by line: stage, step, the five most probable pieces, and how the chosen one stands.
QStringList lensCellLines(const LensTable& table, MapCell cell);

/// What exactly is drawn, as sentences. Not of an empty table.
/// The model whose layers were read: the run's, or its random twin.
QString lensModelName(const trace::Run& run, const trace::Lens& lens);

QString lensCaption(const LensTable& table, LensTint tint);

} // namespace headscope::widgets
