#include "model/analysis/heads/offset_votes.h"

#include <cstdlib>

namespace headscope::analysis {

void OffsetVotes::addRow(int lowest, int highest, std::optional<int> chosen) {
    for (int offset = lowest; offset <= highest; ++offset)
        ++votes_[offset].possible;
    if (chosen)
        ++votes_[*chosen].chosen;
    ++rows_;
}

void OffsetVotes::add(const OffsetVotes& others) {
    for (const auto& [offset, votes] : others.votes_) {
        votes_[offset].chosen += votes.chosen;
        votes_[offset].possible += votes.possible;
    }
    rows_ += others.rows_;
}

std::optional<double> OffsetVotes::share(int offset) const {
    const auto found = votes_.find(offset);
    return found == votes_.end() || found->second.possible == 0
               ? std::nullopt
               : std::optional(static_cast<double>(found->second.chosen) /
                               static_cast<double>(found->second.possible));
}

std::optional<OffsetVotes::Best> OffsetVotes::best() const {
    std::optional<Best> best;
    for (const auto& [offset, votes] : votes_) {
        if (2 * votes.possible < rows_)
            continue;
        const double found = share(offset).value_or(0);
        if (!best || found > best->share ||
            (found == best->share && std::abs(offset) < std::abs(best->offset)))
            best = Best{.offset = offset, .share = found};
    }
    return best;
}

} // namespace headscope::analysis
