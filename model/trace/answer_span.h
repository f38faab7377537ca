#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Tokens that answer the question of a text.
struct AnswerSpan {
    std::size_t first = 0;
    std::size_t last = 0;   ///< the last token itself
    double probability = 0; ///< that it starts at `first`, times that it ends at `last`
    friend bool operator==(const AnswerSpan&, const AnswerSpan&) = default;
};

/// Returns the most probable span that does not end before it starts, of tokens of the second text, or of the
/// only one. Nullopt if the model marks no answers, or there is no such token.
std::optional<AnswerSpan> answerSpan(const Run& run);

/// Its words: pieces as they are spelled, those that continue a word ("##ing") joined to it.
std::string textOf(const AnswerSpan& span, const Run& run);

/// The tokens that may start (`end` 0) or end (1) the answer, most probable first, as placedToken().
std::vector<Candidate> candidatesOfEnd(const Run& run, std::size_t end);

/// A token of the source as that which a model chooses when it marks an answer: its id is its place.
Token placedToken(const std::vector<Token>& source, TokenIndex place);

/// Returns the token that a name means: "#" and its place, or its spelling, of the second text first.
std::optional<Token> placedTokenNamed(const std::string& name, const std::vector<Token>& source,
                                      std::optional<TokenIndex> second);

} // namespace headscope::trace
