#include "model/analysis/heads/offset_votes.h"

#include <algorithm>
#include <cstdlib>

namespace headscope::analysis {

void OffsetVotes::addRow(int lowest, int highest, std::optional<int> chosen) {
    if (lowest <= highest)
        cover(lowest, highest);
    for (int offset = lowest; offset <= highest; ++offset)
        ++votes_[indexOf(offset)].possible;
    if (chosen) {
        cover(*chosen, *chosen);
        ++votes_[indexOf(*chosen)].chosen;
    }
    ++rows_;
}

void OffsetVotes::add(const OffsetVotes& others) {
    rows_ += others.rows_;
    if (others.votes_.empty())
        return;
    cover(others.lowest_, others.offsetAt(others.votes_.size() - 1));
    const auto first = indexOf(others.lowest_);
    for (std::size_t i = 0; i < others.votes_.size(); ++i) {
        votes_[first + i].chosen += others.votes_[i].chosen;
        votes_[first + i].possible += others.votes_[i].possible;
    }
}

std::optional<double> OffsetVotes::share(int offset) const {
    if (votes_.empty() || offset < lowest_ || offset > offsetAt(votes_.size() - 1))
        return std::nullopt;
    return votes_[indexOf(offset)].share();
}

std::optional<OffsetVotes::Best> OffsetVotes::best() const {
    std::optional<Best> best;
    for (std::size_t i = 0; i < votes_.size(); ++i) {
        const auto share = votes_[i].share();
        if (!share || 2 * votes_[i].possible < rows_)
            continue;
        const int offset = offsetAt(i);
        if (!best || *share > best->share ||
            (*share == best->share && std::abs(offset) < std::abs(best->offset)))
            best = Best{.offset = offset, .share = *share};
    }
    return best;
}

/// Makes room for these offsets.
void OffsetVotes::cover(int lowest, int highest) {
    if (votes_.empty())
        lowest_ = lowest;
    if (lowest < lowest_) {
        votes_.insert(votes_.begin(), lowest_ - lowest, Votes());
        lowest_ = lowest;
    }
    votes_.resize(std::max(votes_.size(), indexOf(highest) + 1));
}

} // namespace headscope::analysis
