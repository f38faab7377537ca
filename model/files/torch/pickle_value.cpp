#include "model/files/torch/pickle_value.h"

#include "model/files/findings.h"

namespace headscope::files {

namespace {

struct Describer {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return "the integer " + std::to_string(value); }
    std::string operator()(double value) const { return "the number " + std::to_string(value); }
    std::string operator()(const std::string& text) const { return "the text \"" + printable(text) + "\""; }
    std::string operator()(const PickleList& list) const {
        return "a list of " + std::to_string(list.items.size());
    }
    std::string operator()(const PickleTuple& tuple) const {
        return "a tuple of " + std::to_string(tuple.items.size());
    }
    std::string operator()(const PickleDict& dict) const {
        return "a dictionary of " + std::to_string(dict.items.size());
    }
    std::string operator()(const PickleStorage& storage) const {
        return "a storage of " + printable(*storage.typeName);
    }
    std::string operator()(const PickleTensor& tensor) const {
        return "a tensor of shape " + shapeText(tensor.shape);
    }
    std::string operator()(const PicklePlaceholder& object) const {
        return "the object " + printable(object.name());
    }
};

} // namespace

std::string describe(const PickleValue& value) {
    return std::visit(Describer(), value);
}

} // namespace headscope::files
