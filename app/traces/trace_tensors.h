#pragma once

#include "model/files/findings.h"
#include "model/files/safetensors.h"
#include "model/trace/token.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// The arrays of a trace file, as float32. What does not have the shape that is asked for is a finding.
class TraceTensors {
  public:
    using Entry = files::SafetensorsEntry;
    /// Metadata that says what the tokens are.
    static constexpr const char* wordsKey = "tokens.json";
    /// Bytes; of a larger file only what is looked at is read.
    static constexpr std::uint64_t largestReadWhole = std::uint64_t(1) << 30;

    TraceTensors(const std::filesystem::path& path, const std::stop_token& stop);
    /// Of the same file, those whose names begin with `folder`, called by the rest of them.
    TraceTensors within(const std::string& folder) const;

    std::optional<std::string> words() const;
    /// Null where the file has no such array, or one of another shape; a negative size may be any.
    const Entry* find(const std::string& name, const std::vector<std::int64_t>& shape);
    /// All elements. Of a file above 1 GiB it is a look at the file, of which what is looked at is read and
    /// converted; of a smaller one all is.
    std::shared_ptr<const float> values(const Entry& entry) const;
    std::vector<float> list(const Entry& entry) const;
    /// In full precision, where the file has them so.
    std::vector<double> doubles(const Entry& entry) const;
    /// All elements of an array of int64; of another one a finding, and nothing.
    std::vector<std::int64_t> integers(const Entry& entry);
    /// Gives tokens the ids that the file has for them.
    void readIds(const std::string& name, std::vector<trace::Token>& tokens);
    /// The numbers are read whole, so that what must hold of them can be checked.
    bool isReadWhole() const { return bytes_ <= largestReadWhole; }
    /// Unit roundoff of the least exact type in the file; 0 of float32.
    double roundoff() const;
    const files::Findings& findings() const { return findings_; }
    void addFinding(std::string line) { findings_.add(std::move(line)); }

  private:
    std::shared_ptr<const files::SafetensorsFile> file_;
    std::string folder_; ///< with a slash at its end
    std::stop_token stop_;
    std::uint64_t bytes_ = 0;
    files::Findings findings_;
};

} // namespace headscope::app
