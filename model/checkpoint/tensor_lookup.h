#pragma once

#include "model/checkpoint/family.h"
#include "model/files/stored_tensor.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Numbers of heads, which no tensor tells; 0: not known.
struct HeadCounts {
    std::int64_t queries = 0;
    std::int64_t keyValues = 0;
};

/// What the names do not tell of a file.
struct LookupOptions {
    HeadCounts heads = {};   ///< for tensors that are divided by heads
    std::string prefix = {}; ///< the network's (NetworkPrefix)
    bool tiesStacks = false; ///< a module of the encoder may be stored as the decoder's, and the reverse
};

/// Finds a file's tensors by the roles of a family.
class TensorLookup {
  public:
    TensorLookup(const files::TensorFile& file, const Family& family, LookupOptions options = {});

    /// Names in the file, without prefixes where the tensor is the network's, including those of tied tensors
    /// that were not stored.
    std::set<std::string> names() const;
    /// The one of these names that a tensor has.
    std::string nameOf(const files::StoredTensor& tensor) const;
    /// Returns the tensor of a role, or of a role tied to it if the file stores only one of them; null if
    /// neither exists.
    const files::StoredTensor* find(const std::string& role) const;
    /// True if the file stores both roles as one tensor, or only one of them.
    bool areTied(const std::string& role, const std::string& other) const;
    /// Returns how many consecutive layers from 0 have the tensor of a role pattern with "{layer}".
    int countLayers(const std::string& rolePattern) const;

  private:
    const files::StoredTensor* stored(const std::string& role) const;

    const Family& family_;
    LookupOptions options_;
    std::set<std::string> strangers_; ///< names of tensors that are none of the network's
    std::map<std::string, const files::StoredTensor*> byName_;
    mutable std::map<std::string, files::StoredTensor>
        parts_; ///< transposed or parts of fused tensors, by "name^T[1/3]"
};

/// A parsed name: a tensor, whether it is transposed ("^T"), and then a part of its rows; part 0 of 1 for a
/// plain name.
struct TensorPart {
    /// How the rows are divided: into equal parts ("[1/3]"), into equal parts within the rows of each head
    /// ("[1/3 per head]"), or into the rows of query heads, of key heads and of value heads, which are part
    /// 0, 1 and 2 of 3 ("[query heads]"), also within each group of query heads that share a head of keys and
    /// one of values ("[query heads per group]").
    enum class Division { Equal, PerHead, HeadKinds, PerGroup };

    std::string name;
    bool isTransposed = false;
    std::int64_t part = 0;
    std::int64_t parts = 1;
    Division division = Division::Equal;
};
TensorPart partOf(const std::string& name);

/// Removes dimensions of size 1 until `rank` dimensions are left: [1, 5000, 256] becomes [5000, 256].
std::vector<std::int64_t> withoutOnes(std::vector<std::int64_t> shape, std::size_t rank);

} // namespace headscope::checkpoint
