#pragma once

#include "app/traces/trace_file.h"
#include "model/files/findings.h"
#include "model/trace/token.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// The arrays of a trace file, as float32. Arrays of an unexpected shape are reported as findings.
class TraceTensors {
  public:
    using Entry = TraceFile::Entry;
    /// Bytes; float32 arrays of larger files are read on access only.
    static constexpr std::uint64_t largestReadWhole = std::uint64_t(1) << 30;

    TraceTensors(const std::filesystem::path& path, const std::stop_token& stop);
    /// Returns the arrays of the same file below `folder`, under names without that prefix.
    TraceTensors within(const std::string& folder) const;

    std::optional<std::string> words() const;
    /// Returns null if the file has no array of this name and shape; a negative size matches any size above
    /// 0.
    const Entry* find(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Returns the number of dimensions; 0 if there is no such array.
    std::size_t rank(const std::string& name) const;
    /// Returns all elements. Of files above 1 GiB float32 arrays are mapped, so that only what is looked at
    /// is read; others are converted, and refused if memory is too small. Of smaller files all is read.
    std::shared_ptr<const float> values(const Entry& entry) const;
    std::vector<float> list(const Entry& entry) const;
    /// Keeps float64 arrays in full precision.
    std::vector<double> doubles(const Entry& entry) const;
    /// Returns the elements of an int64 array; empty for other types, which are reported as a finding.
    std::vector<std::int64_t> integers(const Entry& entry);
    /// Sets the ids of tokens from an array, if the file has it.
    void readIds(const std::string& name, std::vector<trace::Token>& tokens);
    /// Whether the file is read as a whole, so that its numbers can be checked.
    bool isReadWhole() const { return bytes_ <= largestReadWhole; }
    /// Returns the unit roundoff of the least precise type in the file; 0 if it is float32 or better.
    double roundoff() const;
    const files::Findings& findings() const { return findings_; }
    void addFinding(std::string line) { findings_.add(std::move(line)); }

  private:
    std::shared_ptr<const TraceFile> file_;
    std::string folder_; ///< prefix of array names, with a slash at the end
    std::stop_token stop_;
    std::uint64_t bytes_ = 0;
    files::Findings findings_;
};

} // namespace headscope::app
