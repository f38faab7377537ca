#pragma once

#include <QString>

#include "widgets/views/architecture/architecture_facts.h"

namespace headscope::widgets {

/// What stands in a block, such as "Encoder × 3" or "Masked self-attention".
QString blockTitle(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// The same with its place: "Decoder, layer 1: cross-attention".
QString blockName(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// "(N, T, d_model)".
QString tensorInLetters(const analysis::FlowingTensor& tensor);
/// "(N, T, d_model) = (1, 11, 256)"; the letters alone without a run.
QString tensorInWords(const ArchitectureFacts& facts, const analysis::FlowingTensor& tensor);

} // namespace headscope::widgets
