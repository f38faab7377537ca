#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Index of a value within its Pickle. Values refer to each other by index, so that shared, cyclic and deeply
/// nested values need no special care to store or destroy.
using PickleId = std::uint32_t;

struct PickleList {
    std::vector<PickleId> items;
};

struct PickleTuple {
    std::vector<PickleId> items;
};

/// Items in order of insertion. A key may occur twice; in Python the last one would win.
struct PickleDict {
    std::vector<std::pair<PickleId, PickleId>> items;
};

/// A storage named by a persistent id; its bytes are outside the pickle.
struct PickleStorage {
    std::string key;
    std::optional<ElementType> type;             ///< empty if the element type is not supported
    std::shared_ptr<const std::string> typeName; ///< "torch.FloatStorage"
    std::int64_t elements = 0;
};

/// A view of a storage as the file states it; its bounds have not been checked.
struct PickleTensor {
    PickleId storage = 0;
    std::int64_t offset = 0; ///< in elements
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< in elements, one per dimension
};

/// A class or function that the file names, or the object it would have created with it. Only a name: never
/// looked up, never called.
struct PicklePlaceholder {
    std::shared_ptr<const std::string>
        sharedName;                    ///< "module.name"; shared because a file can repeat it for free
    std::optional<PickleId> arguments; ///< arguments of the call that was not made
    std::optional<PickleId> state;     ///< state that the object would have been given

    const std::string& name() const { return *sharedName; }
};

using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, PickleList,
                                 PickleTuple, PickleDict, PickleStorage, PickleTensor, PicklePlaceholder>;

/// The content of one pickle as plain values.
struct Pickle {
    std::vector<PickleValue> values;
    PickleId root = 0;
    std::size_t bytes = 0; ///< length of the pickle including its end mark; more data may follow

    const PickleValue& operator[](PickleId id) const { return values[id]; }
    /// Returns null if the value is not a T.
    template <class T>
    const T* as(PickleId id) const {
        return std::get_if<T>(&values[id]);
    }
};

/// For error messages: "a list of 3", "the object torch.device".
std::string describe(const PickleValue& value);

} // namespace headscope::files
