#include "model/analysis/translation/bleu.h"

#include "model/analysis/heads/white_space.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope::analysis {

namespace {

constexpr std::size_t wordOrders = 4;
using Counts = std::map<std::vector<std::string_view>, std::size_t>;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isStop(char c) {
    return c == '.' || c == ',';
}

/// ASCII punctuation except ' - , and the full stop.
bool standsApart(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// Inserts spaces before, between or after the characters of each pair that fits; pairs do not overlap.
template <class Fits>
std::string spread(const std::string& text, Fits&& fits, bool before, bool between, bool after) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i + 1 == text.size() || !fits(text[i], text[i + 1])) {
            result += text[i];
            continue;
        }
        result += before ? " " : "";
        result += text[i];
        result += between ? " " : "";
        result += text[i + 1];
        result += after ? " " : "";
        ++i;
    }
    return result;
}

Counts countNgrams(const std::vector<std::string_view>& tokens, std::size_t order) {
    Counts counts;
    for (std::size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[{tokens.begin() + static_cast<std::ptrdiff_t>(i),
                  tokens.begin() + static_cast<std::ptrdiff_t>(i + order)}];
    return counts;
}

} // namespace

std::string tokenize13a(std::string_view line) {
    std::string text = " " + std::string(line) + " ";
    replaceAll(text, "<skipped>", "");
    replaceAll(text, "-\n", "");
    replaceAll(text, "&quot;", "\"");
    replaceAll(text, "&amp;", "&");
    replaceAll(text, "&lt;", "<");
    replaceAll(text, "&gt;", ">");
    std::string apart;
    for (const char c : text)
        if (standsApart(c))
            apart += {' ', c, ' '};
        else
            apart += c;
    apart = spread(
        apart, [](char a, char b) { return !isDigit(a) && isStop(b); }, false, true, true);
    apart = spread(
        apart, [](char a, char b) { return isStop(a) && !isDigit(b); }, true, true, false);
    apart = spread(
        apart, [](char a, char b) { return isDigit(a) && b == '-'; }, false, true, true);
    std::string tokens;
    for (const auto token : splitAtWhiteSpace(apart)) {
        tokens += tokens.empty() ? "" : " ";
        tokens += token;
    }
    return tokens;
}

void BleuScore::add(std::string_view hypothesis, const std::vector<std::string>& references) {
    const auto text = tokenize13a(hypothesis);
    const auto tokens = splitAtWhiteSpace(text);
    std::vector<std::string> referenceTexts;
    for (const auto& reference : references)
        referenceTexts.push_back(tokenize13a(reference));
    std::vector<std::vector<std::string_view>> others;
    for (const auto& reference : referenceTexts)
        others.push_back(splitAtWhiteSpace(reference));

    std::size_t nearest = others.front().size();
    const auto distance = [&](std::size_t length) {
        return length > tokens.size() ? length - tokens.size() : tokens.size() - length;
    };
    for (const auto& other : others)
        if (distance(other.size()) < distance(nearest) ||
            (distance(other.size()) == distance(nearest) && other.size() < nearest))
            nearest = other.size();
    hypothesisLength_ += tokens.size();
    referenceLength_ += nearest;

    for (std::size_t order = 1; order <= wordOrders; ++order) {
        Counts most;
        for (const auto& other : others)
            for (const auto& [ngram, count] : countNgrams(other, order))
                most[ngram] = std::max(most[ngram], count);
        for (const auto& [ngram, count] : countNgrams(tokens, order)) {
            totals_[order - 1] += count;
            if (const auto found = most.find(ngram); found != most.end())
                matches_[order - 1] += std::min(count, found->second);
        }
    }
}

Bleu BleuScore::result() const {
    Bleu bleu{.hypothesisLength = hypothesisLength_, .referenceLength = referenceLength_};
    if (hypothesisLength_ > 0)
        bleu.brevityPenalty =
            hypothesisLength_ < referenceLength_
                ? std::exp(1 - static_cast<double>(referenceLength_) / static_cast<double>(hypothesisLength_))
                : 1;
    if (std::ranges::all_of(matches_, [](std::size_t count) { return count == 0; }))
        return bleu;
    double smoothing = 1;
    double logarithms = 0;
    for (std::size_t i = 0; i < wordOrders; ++i) {
        if (totals_[i] == 0)
            return bleu; // no sentence is long enough for this n-gram order
        const auto total = static_cast<double>(totals_[i]);
        if (matches_[i] == 0)
            smoothing *= 2;
        bleu.precisions[i] =
            100 * (matches_[i] == 0 ? 1 / smoothing : static_cast<double>(matches_[i])) / total;
        logarithms += std::log(bleu.precisions[i]);
    }
    bleu.score = bleu.brevityPenalty * std::exp(logarithms / wordOrders);
    return bleu;
}

} // namespace headscope::analysis
