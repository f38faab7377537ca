#pragma once

#include <QString>

#include "widgets/views/architecture/architecture_facts.h"

namespace headscope::widgets {

/// The title in a block, such as "Encoder × 3" or "Masked self-attention".
QString blockTitle(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// The title with its place: "Decoder, layer 1: Cross-attention".
QString blockName(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// "(N, T, d_model)".
QString tensorInLetters(const analysis::FlowingTensor& tensor);
/// "(N, T, d_model) = (1, 11, 256)"; only letters without a run.
QString tensorInWords(const ArchitectureFacts& facts, const analysis::FlowingTensor& tensor);

} // namespace headscope::widgets
