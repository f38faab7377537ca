#include "model/trace/answer_span.h"

#include "model/trace/run_path.h"

#include <cmath>

namespace headscope::trace {

std::optional<AnswerSpan> answerSpan(const Run& run) {
    const auto& marks = run.spanLogProbabilities; // [2, S]
    std::optional<AnswerSpan> best;
    double bestSum = 0;
    std::optional<std::size_t> start; // the most probable one so far
    for (std::size_t i = run.secondText.value_or(0); i < marks.columns(); ++i) {
        if (isSpecial(run.source.at(i).role))
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

Token placedToken(const std::vector<Token>& source, TokenIndex place) {
    Token token = source.at(place);
    token.id = static_cast<std::int64_t>(place);
    return token;
}

} // namespace headscope::trace
