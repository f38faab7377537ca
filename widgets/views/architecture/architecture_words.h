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

/// The title in a block, such as "Encoder × 3" or "Masked self-attention".
QString blockTitle(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// The title with its place: "Decoder, layer 1: Cross-attention".
QString blockName(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// "(N, T, d_model)".
QString tensorInLetters(const analysis::FlowingTensor& tensor);
/// "(N, T, d_model) = (1, 11, 256)"; only letters without a run.
QString tensorInWords(const ArchitectureFacts& facts, const analysis::FlowingTensor& tensor);

} // namespace headscope::widgets
