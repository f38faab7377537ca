#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::text {

/// Finds all texts of a set that are prefixes of a given text.
class PrefixSearch {
  public:
    /// Texts are numbered in order. Of equal texts, the first one counts.
    explicit PrefixSearch(std::vector<std::pair<std::string, std::int64_t>> entries)
        : entries_(std::move(entries)) {
        std::ranges::stable_sort(entries_, {}, &Entry::first);
    }

    /// Calls `visit(bytes, number)` for each prefix of `text`, the shortest first.
    template <class Visit>
    void forEachPrefixOf(std::string_view text, Visit&& visit) const {
        auto first = entries_.begin();
        auto last = entries_.end();
        for (std::size_t depth = 0; depth < text.size() && first != last; ++depth) {
            const auto byteAt = [depth](const Entry& entry) {
                return static_cast<unsigned char>(entry.first[depth]);
            };
            const auto byte = static_cast<unsigned char>(text[depth]);
            // Texts that end here are first, and were visited.
            first = std::partition_point(first, last,
                                         [&](const Entry& entry) { return entry.first.size() <= depth; });
            first =
                std::partition_point(first, last, [&](const Entry& entry) { return byteAt(entry) < byte; });
            last =
                std::partition_point(first, last, [&](const Entry& entry) { return byteAt(entry) == byte; });
            if (first != last && first->first.size() == depth + 1)
                visit(depth + 1, first->second);
        }
    }

  private:
    using Entry = std::pair<std::string, std::int64_t>;
    std::vector<Entry> entries_;
};

} // namespace headscope::text
