#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/files/foreign_files.h"

/// Writes pickles instruction by instruction, valid and invalid ones.
namespace pickle_text {

using foreign_files::littleEndian;

inline const std::string start = "\x80\x02";
inline const std::string mark = "(", stop = ".", tuple = "t", emptyTuple = ")", emptyDict = "}",
                         emptyList = "]", setItem = "s", setItems = "u", reduce = "R", build = "b",
                         persistentId = "Q", none = "N", append = "a", appends = "e", newFalse = "\x89",
                         newTrue = "\x88", newObject = "\x81";

inline std::string text(const std::string& value) {
    return "X" + littleEndian(value.size(), 4) + value;
}
/// LONG1 of 8 bytes.
inline std::string integer(std::int64_t value) {
    return "\x8a\x08" + littleEndian(static_cast<std::uint64_t>(value), 8);
}
inline std::string global(const std::string& module, const std::string& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string put(unsigned char number) {
    return "q" + littleEndian(number, 1);
}
inline std::string get(unsigned char number) {
    return "h" + littleEndian(number, 1);
}
inline std::string tupleOf(const std::string& items) {
    return mark + items + tuple;
}
inline std::string integers(const std::vector<std::int64_t>& values) {
    std::string items;
    for (const std::int64_t value : values)
        items += integer(value);
    return tupleOf(items);
}
inline std::string orderedDict() {
    return global("collections", "OrderedDict") + emptyTuple + reduce;
}

/// A tensor as in a state dictionary. Every part can be made invalid.
struct Tensor {
    std::string key = "0";
    std::int64_t elements = 6;
    std::vector<std::int64_t> shape = {2, 3};
    std::vector<std::int64_t> strides = {3, 1};
    std::int64_t offset = 0;
    std::string type = "FloatStorage";
    std::string location = "cpu";
};

inline std::string storage(const Tensor& tensor) {
    return tupleOf(text("storage") + global("torch", tensor.type) + text(tensor.key) + text(tensor.location) +
                   integer(tensor.elements)) +
           persistentId;
}

inline std::string rebuilt(const Tensor& tensor) {
    return global("torch._utils", "_rebuild_tensor_v2") +
           tupleOf(storage(tensor) + integer(tensor.offset) + integers(tensor.shape) +
                   integers(tensor.strides) + newFalse + orderedDict()) +
           reduce;
}

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// Only the dictionary, for nesting.
inline std::string stateDict(const std::vector<NamedTensor>& tensors) {
    std::string items;
    for (const NamedTensor& named : tensors)
        items += text(named.name) + rebuilt(named.tensor);
    return orderedDict() + mark + items + setItems;
}

/// The output of torch.save(model.state_dict()), with the `_metadata` that LibTorch's own reader cannot read.
inline std::string savedStateDict(const std::vector<NamedTensor>& tensors) {
    return start + stateDict(tensors) + emptyDict + text("_metadata") + orderedDict() + setItem + build +
           stop;
}

} // namespace pickle_text
