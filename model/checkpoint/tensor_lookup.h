#pragma once

#include "model/checkpoint/family.h"
#include "model/files/stored_tensor.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// A file's tensors by the roles of a family.
class TensorLookup {
  public:
    TensorLookup(const files::TensorFile& file, const Family& family);

    std::set<std::string> names() const;
    /// The tensor of a role, or of a role tied to it where the file stores only one of them; null if neither
    /// is there.
    const files::StoredTensor* find(const std::string& role) const;
    /// True if the file stores both roles as one tensor, or only one of them.
    bool areTied(const std::string& role, const std::string& other) const;

  private:
    const files::StoredTensor* stored(const std::string& role) const;

    const Family& family_;
    std::map<std::string, const files::StoredTensor*> byName_;
};

/// Leading dimensions of size 1 say nothing: a table stored as [1, 5000, 256] is [5000, 256].
std::vector<std::int64_t> withoutLeadingOnes(const std::vector<std::int64_t>& shape, std::size_t rank);

} // namespace headscope::checkpoint
