#pragma once

#include "model/training/packed_sentences.h"

#include <ATen/core/Tensor.h>

namespace headscope::training {

/// Packed sentences in rows of the same length, several short ones in a row: LibTorch multiplies one row of
/// one head at a time, so that many short rows would take longer than the few cells between sentences that
/// are computed in vain. Places behind the last sentence of a row repeat its last token; nothing reads what
/// becomes of them.
struct SentenceRows {
    std::int64_t rows = 0;
    std::int64_t length = 0;
    at::Tensor ids;      ///< [rows * length] int64
    at::Tensor places;   ///< [rows * length] int64, index of each token in its sentence
    at::Tensor sentence; ///< [rows, length] int64, number of the sentence
    at::Tensor isRest;   ///< [rows, length] bool, behind the last sentence
    at::Tensor tokens;   ///< [tokens] int64, where each packed token is

    /// `rowBegins`: the first sentence of each row, and the number of sentences.
    SentenceRows(const PackedSentences& packed, const std::vector<std::size_t>& rowBegins);
};

/// Divides the sentences of a batch into rows, which are the same for both sides. A classifier's are one a
/// row.
std::vector<std::size_t> rowBegins(const PackedBatch& batch);

} // namespace headscope::training
