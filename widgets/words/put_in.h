#pragma once

#include <QString>

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <string>

namespace headscope::widgets {

/// A text in which a token is replaced by another one, as a person would type it.
struct PutIn {
    std::string text;                  ///< the first text of a pair, or the only one
    std::optional<std::string> second; ///< of a pair
    /// Of the text in which the token is: before and after the replacement, and both tokens as typed.
    QString before, after, replaced, written;

    QString whole(bool isWritten) const { return before + (isWritten ? written : replaced) + after; }
};

/// Puts `token` in the place of a token of the run's source. A token that begins a word is put after a space,
/// one that continues a word beside it. Empty if the source is not typed, or the token is not of the text.
std::optional<PutIn> putIn(const trace::Run& run, std::size_t position, const trace::Token& token);

} // namespace headscope::widgets
