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

/// The number of a value within its Pickle. Values refer to each other by number, so that shared, cyclic and
/// deeply nested ones cost nothing special to keep and to destroy.
using PickleId = std::uint32_t;

struct PickleList {
    std::vector<PickleId> items;
};

struct PickleTuple {
    std::vector<PickleId> items;
};

/// In the order of insertion; a key may come twice, then Python would see the last.
struct PickleDict {
    std::vector<std::pair<PickleId, PickleId>> items;
};

/// A storage named by a persistent id: its bytes lie elsewhere.
struct PickleStorage {
    std::string key;
    std::optional<ElementType> type;             ///< none if no such elements are known here
    std::shared_ptr<const std::string> typeName; ///< "torch.FloatStorage"
    std::int64_t elements = 0;
};

/// A view of a storage as the file claims it; nothing about its bounds has been checked.
struct PickleTensor {
    PickleId storage = 0;
    std::int64_t offset = 0; ///< in elements, as are the strides
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< as many as the shape has
};

/// A class or function the file names, or what it would have made of it. It is only a name: never looked up,
/// never called.
struct PicklePlaceholder {
    std::shared_ptr<const std::string>
        sharedName;                    ///< "module.name"; shared, for a file may repeat it at no cost
    std::optional<PickleId> arguments; ///< what it would have been called with
    std::optional<PickleId> state;     ///< what the object would have been filled with

    const std::string& name() const { return *sharedName; }
};

using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, PickleList,
                                 PickleTuple, PickleDict, PickleStorage, PickleTensor, PicklePlaceholder>;

/// What one pickle says, as plain values.
struct Pickle {
    std::vector<PickleValue> values;
    PickleId root = 0;
    std::size_t bytes = 0; ///< length of the pickle up to its end mark; more may follow it

    const PickleValue& operator[](PickleId id) const { return values[id]; }
    /// The value if it is a T, else null.
    template <class T>
    const T* as(PickleId id) const {
        return std::get_if<T>(&values[id]);
    }
};

/// "a list of 3", "the object torch.device": for messages.
std::string describe(const PickleValue& value);

} // namespace headscope::files
