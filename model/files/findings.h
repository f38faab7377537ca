#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::files {

/// Collects all problems of a file for a single error message. Only the first 20 lines are kept.
class Findings {
  public:
    void add(std::string line) {
        if (++count_ <= shown)
            lines_.push_back(std::move(line));
    }
    bool empty() const { return count_ == 0; }
    std::string text() const {
        std::string result;
        for (const std::string& line : lines_)
            result += (result.empty() ? "" : "; ") + line;
        if (count_ > shown)
            result += "; and " + std::to_string(count_ - shown) + " more";
        return result;
    }

  private:
    static constexpr std::size_t shown = 20;
    std::size_t count_ = 0;
    std::vector<std::string> lines_;
};

/// Returns the start of an untrusted text for an error message: at most `bytes` bytes, cut between
/// characters, and "..." if it was cut; control characters and invalid UTF-8 are replaced by '?'.
std::string printable(std::string_view text, std::size_t bytes = 120);

} // namespace headscope::files
