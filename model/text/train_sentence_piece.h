#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::text {

/// What SentencePiece is to make of sentences. Ids: 0 pads, 1 is unknown, 2 starts, 3 ends.
struct SentencePieceTraining {
    std::string kind = "unigram"; ///< or "bpe"
    std::int64_t size = 8000;     ///< pieces at most, the four special ones among them
    int threads = 1;
};

/// Trains a vocabulary of pieces and writes it. The trainer's own reports go nowhere. Throws trace::Refusal,
/// such as where there are more different characters than pieces.
void trainSentencePiece(const std::vector<std::string>& sentences, const SentencePieceTraining& training,
                        const std::filesystem::path& path);

} // namespace headscope::text
