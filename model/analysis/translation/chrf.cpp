#include "model/analysis/translation/chrf.h"

#include "model/analysis/heads/white_space.h"

#include <algorithm>
#include <map>

namespace headscope::analysis {

namespace {

constexpr std::size_t characterOrders = 6;
using Ngrams = std::map<std::u32string_view, std::size_t>;
using Statistics = std::array<ChrfScore::Counts, characterOrders>;

std::u32string withoutWhiteSpace(std::string_view text) {
    std::u32string all;
    for (const auto part : splitAtWhiteSpace(text))
        all += codePoints(part);
    return all;
}

Ngrams ngramsOf(const std::u32string& text, std::size_t order) {
    Ngrams ngrams;
    const std::u32string_view view(text);
    for (std::size_t i = 0; i + order <= view.size(); ++i)
        ++ngrams[view.substr(i, order)];
    return ngrams;
}

ChrfScore::Counts compared(const Ngrams& hypothesis, const Ngrams& reference) {
    ChrfScore::Counts counts;
    for (const auto& [ngram, count] : reference)
        counts.reference += count;
    for (const auto& [ngram, count] : hypothesis) {
        counts.hypothesis += reference.empty() ? 0 : count;
        if (const auto found = reference.find(ngram); found != reference.end())
            counts.matches += std::min(count, found->second);
    }
    return counts;
}

double scoreOf(const Statistics& statistics) {
    constexpr double factor = 4; // beta^2
    double precision = 0;
    double recall = 0;
    double used = 0;
    for (const auto& counts : statistics) {
        if (counts.hypothesis == 0 || counts.reference == 0)
            continue;
        precision += static_cast<double>(counts.matches) / static_cast<double>(counts.hypothesis);
        recall += static_cast<double>(counts.matches) / static_cast<double>(counts.reference);
        ++used;
    }
    if (precision + recall == 0)
        return 0;
    precision /= used;
    recall /= used;
    return 100 * (1 + factor) * precision * recall / (factor * precision + recall);
}

} // namespace

void ChrfScore::add(std::string_view hypothesis, const std::vector<std::string>& references) {
    const auto own = withoutWhiteSpace(hypothesis);
    std::array<Ngrams, characterOrders> ownNgrams;
    for (std::size_t order = 0; order < characterOrders; ++order)
        ownNgrams[order] = ngramsOf(own, order + 1);
    double best = -1;
    Statistics chosen{};
    for (const auto& reference : references) {
        const auto other = withoutWhiteSpace(reference);
        Statistics statistics{};
        for (std::size_t order = 0; order < characterOrders; ++order)
            statistics[order] = compared(ownNgrams[order], ngramsOf(other, order + 1));
        if (const double score = scoreOf(statistics); score > best) {
            best = score;
            chosen = statistics;
        }
    }
    for (std::size_t order = 0; order < characterOrders; ++order) {
        counts_[order].hypothesis += chosen[order].hypothesis;
        counts_[order].reference += chosen[order].reference;
        counts_[order].matches += chosen[order].matches;
    }
}

double ChrfScore::result() const {
    return scoreOf(counts_);
}

} // namespace headscope::analysis
