#pragma once

#include <QString>

#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/batch_question.h"

#include <vector>

namespace headscope::widgets {

/// What the rows of tokens show: "A padded batch of 2 sentences ...".
QString batchCaption(const BatchAnswer& batch);

/// What the maps of one sentence of the batch show, and what padding did to its weights.
QString batchMasksCaption(const BatchAnswer& batch, std::size_t sentence);

/// The masks of one sentence's run: encoder, decoder and cross-attention, as they were applied. Rows of the
/// decoder and of cross-attention carry what was fed.
std::vector<LinkedMap> batchMasks(const BatchedSentence& sentence);

/// A cell of one of them.
QString batchCellInWords(const BatchedSentence& sentence, trace::AttentionKind kind, MapCell cell);

} // namespace headscope::widgets
