#pragma once

#include "model/trace/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Sets the members of `run` that depend on the shown path from its tree: path, target, next, forcedRows,
/// decoder, cross and output.
void showPath(Run& run, const RunPath& path);

/// Returns the index of the request's path that is shown; nullopt if the shown path leads to another node.
std::optional<std::size_t> shownPath(const Run& run);

/// Returns the shown path without the padding that the request appends. Padding tokens that were typed or
/// chosen stay.
std::vector<DecodeTree::NodeId> pathWithoutPadding(const Run& run);

/// Returns true if the shown path was forced on the decoder as a whole. Nothing along it was chosen then, and
/// Run::next holds the tokens that would have been.
bool readsReference(const Run& run);

/// Returns true if the shown path ends without the model's end token. False if the model has none.
bool isCutOff(const Run& run);

/// Returns the index of the last path decoded by beam search; the search records of the tree belong to it.
std::optional<std::size_t> searchedPath(const Run& run);

/// Returns true if the tree holds all rows of all paths. False if the mask was lifted: rows then depend on
/// later tokens and exist only for the last decoded path. False for a trace, which holds one path whole.
bool canShowEveryPath(const Run& run);

/// Returns a copy of the run that shows the path to another node. Requires canShowEveryPath(). The self-check
/// is still that of the previously shown path.
std::shared_ptr<Run> atPath(const Run& run, DecodeTree::NodeId leaf);

/// Returns the run's branches but one, each as one word: its ids, as in "2,8,9", followed by "+" if the last
/// token was also fed.
std::vector<std::string> otherBranches(const Run& run, std::size_t shown);
/// The inverse for one of them; empty if the text is invalid.
std::optional<DecodePath> branchPath(const std::string& text);

/// Joins tokens to text without special tokens and without a tokenizer. U+2581 becomes a space; if no token
/// has one, tokens are joined as words. A tokenizer's own text may differ in spaces and punctuation.
std::string joinedText(const std::vector<Token>& tokens);

} // namespace headscope::trace
