#include "model/trace/answer_span.h"

#include "model/trace/class_label.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::trace {

namespace {

/// Returns true for text of the second sentence, or of the only one, and false for special tokens.
bool mayAnswer(const Run& run, TokenIndex place) {
    return place >= run.secondText.value_or(0) && !isSpecial(run.source.at(place).role);
}

} // namespace

std::optional<AnswerSpan> answerSpan(const Run& run) {
    const auto& marks = run.spanLogProbabilities; // [2, S]
    std::optional<AnswerSpan> best;
    double bestSum = 0;
    std::optional<std::size_t> start; // the most probable one so far
    for (std::size_t i = 0; i < marks.columns(); ++i) {
        if (!mayAnswer(run, i))
            continue;
        if (!start || marks(0, i) > marks(0, *start))
            start = i;
        const double sum = double{marks(0, *start)} + double{marks(1, i)};
        if (best && sum <= bestSum)
            continue;
        bestSum = sum;
        best = AnswerSpan{.first = *start, .last = i, .probability = std::exp(sum)};
    }
    return best;
}

std::string textOf(const AnswerSpan& span, const Run& run) {
    constexpr std::string_view continues = "##"; // of a WordPiece vocabulary
    std::vector<Token> words;
    for (std::size_t i = span.first; i <= span.last; ++i) {
        const auto& token = run.source.at(i);
        if (!words.empty() && token.piece.starts_with(continues))
            words.back().piece += token.piece.substr(continues.size());
        else
            words.push_back(token);
    }
    return joinedText(words);
}

std::vector<Candidate> candidatesOfEnd(const Run& run, std::size_t end) {
    std::vector<Candidate> all;
    const auto& marks = run.spanLogProbabilities;
    for (std::size_t place = 0; end < marks.rows() && place < marks.columns(); ++place)
        if (mayAnswer(run, place))
            all.push_back({.token = placedToken(run.source, place), .logProbability = marks(end, place)});
    std::ranges::stable_sort(all, std::greater(), &Candidate::logProbability);
    return all;
}

Token placedToken(const std::vector<Token>& source, TokenIndex place) {
    Token token = source.at(place);
    token.id = static_cast<std::int64_t>(place);
    return token;
}

std::optional<Token> placedTokenNamed(const std::string& name, const std::vector<Token>& source,
                                      std::optional<TokenIndex> second) {
    if (const auto place = numberNamed(name))
        return *place >= 0 && *place < std::ssize(source) ? std::optional(placedToken(source, *place))
                                                          : std::nullopt;
    std::optional<Token> inFirst;
    for (std::size_t place = 0; place < source.size(); ++place)
        if (const auto& piece = source[place].piece;
            piece == name || piece == std::string(spaceMark) + name) {
            if (place >= second.value_or(0))
                return placedToken(source, place);
            if (!inFirst)
                inFirst = placedToken(source, place);
        }
    return inFirst;
}

} // namespace headscope::trace
