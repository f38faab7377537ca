#pragma once

#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Fills what of `run` depends on the path that is shown, from its tree: path, target, next, forcedRows, the
/// decoder's and cross-attention's records, output.
void showPath(Run& run, const RunPath& path);

/// The number of the request's path that is shown; nothing where it is none of them, but another node's.
std::optional<std::size_t> shownPath(const Run& run);

/// True if the shown path was forced on the decoder as a whole: nothing along it was chosen, and Run::next
/// holds what would have been.
bool readsReference(const Run& run);

/// The number of the last path that beam search decoded: the search records of the tree are its own.
std::optional<std::size_t> searchedPath(const Run& run);

/// True if every row of every path is in the tree as it belongs to that path. False where the mask was
/// lifted: a row depends on what comes later then, and is there for the path that was decoded last only.
/// False of a trace, which holds one path whole.
bool canShowEveryPath(const Run& run);

/// The same run, showing the path to another node of its tree; for where canShowEveryPath(). The self-check
/// is that of the path that was shown before.
std::shared_ptr<Run> atPath(const Run& run, DecodeTree::NodeId leaf);

/// Tokens as text, without special ones and without a tokenizer: U+2581 becomes a space; where no piece has
/// one, pieces are words. A tokenizer's own text may differ in spaces and punctuation.
std::string joinedText(const std::vector<Token>& tokens);

} // namespace headscope::trace
