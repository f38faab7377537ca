#pragma once

#include <QString>
#include <QStringList>

#include "widgets/views/architecture/architecture_facts.h"

namespace headscope::widgets {

/// Everything known about a block, one or two sentences per line.
QStringList blockInWords(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// Memory of the open model and the run, in one line.
QString memoryInWords(const ArchitectureFacts& facts);

/// Caption of the diagram.
QString architectureCaption(const ArchitectureFacts& facts);
/// Caption of the table.
QString architectureTableCaption(const ArchitectureFacts& facts);

/// "20.4 MB", where 1 MB is a million bytes.
QString bytesInWords(double bytes);

/// Mean of `values`, one per token of a side, without padding; NaN if there are none.
double meanOf(const ArchitectureFacts& facts, analysis::Side side, const std::vector<double>& values);

} // namespace headscope::widgets
