#include "model/analysis/compare/run_comparison.h"

#include "model/trace/class_label.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headscope::analysis {

namespace {

using trace::Token;

bool beginsWord(const Token& token) {
    return token.piece.starts_with(trace::spaceMark) || isSpecial(token.role);
}

/// lengths(i, j) is the length of the longest common subsequence of before[i...] and after[j...].
trace::BasicMatrix<std::size_t> commonLengths(std::span<const Token> before, std::span<const Token> after) {
    trace::BasicMatrix<std::size_t> lengths(before.size() + 1, after.size() + 1);
    for (std::size_t i = before.size(); i-- > 0;)
        for (std::size_t j = after.size(); j-- > 0;)
            lengths(i, j) = before[i].id == after[j].id ? 1 + lengths(i + 1, j + 1)
                                                        : std::max(lengths(i + 1, j), lengths(i, j + 1));
    return lengths;
}

std::size_t topOf(std::span<const float> logProbabilities) {
    return std::ranges::max_element(logProbabilities) - logProbabilities.begin();
}

/// Null if the step was not computed or its distribution was not kept.
const std::vector<float>* distribution(const trace::Run& run, std::size_t step) {
    const auto& row = run.tree.node(run.path.at(step)).row;
    return row && !row->logProbabilities.empty() ? &row->logProbabilities : nullptr;
}

/// Throws std::out_of_range for a token that a trace names outside of its vocabulary.
double valueOf(const Token& token, std::span<const float> logProbabilities) {
    if (token.id < 0 || token.id >= std::ssize(logProbabilities))
        throw std::out_of_range("a token outside of the vocabulary");
    return logProbabilities[token.id];
}

/// Compares two distributions over the same vocabulary.
StepComparison effectOn(const Token& token, const std::optional<Token>& contrast, std::span<const float> p,
                        std::span<const float> q) {
    const auto of = [&](std::span<const float> values) {
        return contrast ? valueOf(token, values) - valueOf(*contrast, values) : valueOf(token, values);
    };
    return {.token = token,
            .contrast = contrast,
            .before = of(p),
            .after = of(q),
            .divergence = divergence(p, q),
            .topChanged = topOf(p) != topOf(q)};
}

std::vector<StepComparison> effectOnMasks(const trace::Run& before, const trace::Run& after) {
    const auto &p = before.sourceLogProbabilities, &q = after.sourceLogProbabilities; // [S, vocabulary]
    std::vector<StepComparison> masks;
    for (const auto& [place, candidates] : before.maskCandidates)
        if (place < p.rows() && place < q.rows() && !candidates.empty())
            masks.push_back(effectOn(candidates.front().token, before.contrast, p.row(place), q.row(place)));
    return masks;
}

std::vector<StepComparison> effectOnAnswer(const trace::Run& before, const trace::Run& after) {
    const auto &p = before.spanLogProbabilities, &q = after.spanLogProbabilities; // [2, S]
    std::vector<StepComparison> ends;
    const auto answer = before.answers();
    for (std::size_t end = 0; end < answer.size() && end < q.rows() && p.columns() == q.columns(); ++end)
        ends.push_back(effectOn(answer[end], before.contrast, p.row(end), q.row(end)));
    return ends;
}

std::vector<StepComparison> effectOnNumbers(const trace::Run& before, const trace::Run& after) {
    std::vector<StepComparison> numbers;
    const auto named = before.answers();
    for (std::size_t i = 0; i < named.size() && i < after.numbers.size(); ++i) {
        const double one = before.numbers[i], other = after.numbers[i];
        numbers.push_back({.token = named[i],
                           .before = one,
                           .after = other,
                           .divergence = std::abs(other - one),
                           .isNumber = true});
    }
    return numbers;
}

bool areClassesSeparate(const trace::Run& run) {
    return run.model && run.model->areClassesSeparate;
}

/// Contribution of an outcome to a divergence, by its log-probabilities.
double divergenceOfOutcome(double before, double after) {
    const double share = std::exp(before);
    return share > 0 ? share * (before - after) : 0; // p log p tends to 0
}

double divergenceOfClass(double before, double after, bool isSeparate) {
    const auto complement = [](double logProbability) { return std::log(-std::expm1(logProbability)); };
    return divergenceOfOutcome(before, after) +
           (isSeparate ? divergenceOfOutcome(complement(before), complement(after)) : 0);
}

std::vector<StepComparison> effectOnClasses(const trace::Run& before, const trace::Run& after) {
    const auto &p = before.classLogProbabilities, &q = after.classLogProbabilities;
    std::vector<StepComparison> classes;
    for (std::size_t c = 0; c < p.size() && p.size() == q.size(); ++c) {
        classes.push_back(
            {.token = {.id = static_cast<std::int64_t>(c), .piece = trace::classLabel(before.model.get(), c)},
             .before = p[c],
             .after = q[c],
             .divergence = divergenceOfClass(p[c], q[c], areClassesSeparate(before)),
             .topChanged = topOf(p) != topOf(q)});
    }
    return classes;
}

} // namespace

std::vector<OutputWord> outputWords(std::span<const Token> tokens, const std::vector<bool>& paired) {
    const bool marked = std::ranges::any_of(
        tokens, [](const Token& token) { return token.piece.starts_with(trace::spaceMark); });
    std::vector<OutputWord> words;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        if (words.empty() || !marked || beginsWord(tokens[t]))
            words.push_back({.begin = t, .end = t});
        words.back().end = t + 1;
        words.back().changed = words.back().changed || !paired[t];
    }
    return words;
}

OutputComparison compareOutputs(std::span<const Token> before, std::span<const Token> after) {
    const auto lengths = commonLengths(before, after);
    OutputComparison comparison;
    std::vector<bool> pairedBefore(before.size()), pairedAfter(after.size());
    for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
        if (before[i].id == after[j].id) {
            comparison.pairs.emplace_back(i, j);
            pairedBefore[i++] = pairedAfter[j++] = true;
        } else if (lengths(i + 1, j) > lengths(i, j + 1)) {
            ++i;
        } else {
            ++j;
        }
    }
    comparison.before = outputWords(before, pairedBefore);
    comparison.after = outputWords(after, pairedAfter);
    return comparison;
}

std::vector<Token> outputTokens(const trace::Run& run) {
    std::vector<Token> tokens;
    for (std::size_t t = 0; t < run.next.size() && t < run.target.size(); ++t) {
        // A model may use the pad token as start token; padding after that was requested.
        const bool padding = t > 0 && run.target[t].role == trace::TokenRole::Padding;
        if (!padding && run.next[t].role != trace::TokenRole::Padding)
            tokens.push_back(run.next[t]);
    }
    return tokens;
}

double divergence(std::span<const float> before, std::span<const float> after) {
    if (before.size() != after.size())
        throw std::invalid_argument("distributions over different vocabularies");
    double sum = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        const double logP = before[v];
        if (std::isinf(logP))
            continue; // p log p tends to 0
        if (std::isinf(after[v]))
            return std::numeric_limits<double>::infinity();
        sum += std::exp(logP) * (logP - static_cast<double>(after[v]));
    }
    return std::max(0.0, sum); // rounding may give a tiny negative value
}

double StepComparison::change() const {
    return contrast || isNumber ? after - before : std::exp(after) - std::exp(before);
}

Compared comparedIn(const trace::Run& run) {
    if (!run.path.empty())
        return Compared::Steps;
    switch (run.answerKind()) {
    case trace::AnswerKind::Classes:
        return Compared::Classes;
    case trace::AnswerKind::Numbers:
        return Compared::Numbers;
    case trace::AnswerKind::Ends:
        return Compared::Answer;
    default:
        return run.model && run.model->tokenLabels > 0 ? Compared::Labels : Compared::Masks;
    }
}

std::vector<StepComparison> compareSteps(const trace::Run& before, const trace::Run& after) {
    switch (comparedIn(before)) {
    case Compared::Masks:
    case Compared::Labels:
        return effectOnMasks(before, after);
    case Compared::Classes:
        return effectOnClasses(before, after);
    case Compared::Answer:
        return effectOnAnswer(before, after);
    case Compared::Numbers:
        return effectOnNumbers(before, after);
    case Compared::Steps:
        break;
    }
    std::vector<StepComparison> steps;
    const auto tokens = outputTokens(before);
    const std::size_t most = std::min(tokens.size(), after.target.size());
    for (std::size_t t = 0; t < most && before.target[t].id == after.target[t].id; ++t) {
        const auto* p = distribution(before, t);
        const auto* q = distribution(after, t);
        if (!p || !q)
            break;
        steps.push_back(effectOn(tokens[t], before.contrast, *p, *q));
    }
    return steps;
}

} // namespace headscope::analysis
