#pragma once

#include "model/text/tokenizer.h"

#include <memory>

namespace headscope::text {

/// Returns a tokenizer whose source and target have vocabularies of their own. Without `target`, its tokens,
/// `targetSize` of them, are shown by their ids, and a text of it is refused; the note says so.
std::unique_ptr<Tokenizer> pairOfTokenizers(std::unique_ptr<Tokenizer> source,
                                            std::unique_ptr<Tokenizer> target, std::int64_t targetSize = 0);

} // namespace headscope::text
