#pragma once

#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>

namespace headscope::text {

/// A SentencePiece model (.model, .spm). The file is checked before the library sees it.
/// Throws trace::Refusal.
std::unique_ptr<Tokenizer> openSentencePiece(const std::filesystem::path& path);

} // namespace headscope::text
