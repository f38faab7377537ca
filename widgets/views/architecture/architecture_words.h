#pragma once

#include <QString>
#include <QStringList>

#include "widgets/views/architecture/architecture_facts.h"

namespace headscope::widgets {

/// Everything that is known of a block, one sentence or two a line.
QStringList blockInWords(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// What the open model and the run take in memory, in a line.
QString memoryInWords(const ArchitectureFacts& facts);

/// What exactly the picture shows.
QString architectureCaption(const ArchitectureFacts& facts);
/// The same of the table.
QString architectureTableCaption(const ArchitectureFacts& facts);

/// "20.4 MB"; a million bytes are one MB.
QString bytesInWords(double bytes);

/// The mean of one value a token of a side, padding left out; NaN of nothing.
double meanOf(const ArchitectureFacts& facts, analysis::Side side, const std::vector<double>& values);

} // namespace headscope::widgets
