#pragma once

#include <QString>

#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/batch_question.h"

#include <vector>

namespace headscope::widgets {

/// Caption of the token rows: "A padded batch of 2 sentences ...".
QString batchCaption(const BatchAnswer& batch);

/// Caption of the masks of one sentence, with the effect of padding on its weights.
QString batchMasksCaption(const BatchAnswer& batch, std::size_t sentence);

/// The masks that the run applied in the encoder, the decoder and cross-attention. Rows of the decoder and of
/// cross-attention are the fed tokens.
std::vector<LinkedMap> batchMasks(const BatchedSentence& sentence);

/// Description of a cell of one of the masks.
QString batchCellInWords(const BatchedSentence& sentence, trace::AttentionKind kind, MapCell cell);

} // namespace headscope::widgets
