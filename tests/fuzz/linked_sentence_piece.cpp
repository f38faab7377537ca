#include "model/text/sentence_piece.h"

/// The module's way in, linked instead of loaded: nothing of it should escape the sanitizers.
extern "C" std::unique_ptr<headscope::text::SentencePieceModel>
headscopeOpenSentencePiece(const std::filesystem::path& path);

namespace headscope::text {

std::unique_ptr<SentencePieceModel> openSentencePiece(const std::filesystem::path& path) {
    return headscopeOpenSentencePiece(path);
}

} // namespace headscope::text
