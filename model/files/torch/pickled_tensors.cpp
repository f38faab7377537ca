#include "model/files/torch/pickled_tensors.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_set>

#include "model/files/stored_tensor.h"
#include "model/files/utf8.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

/// Keys under which checkpoints with additional data keep the weights.
constexpr std::array<const char*, 9> containers = {"state_dict", "model_state_dict", "model_state", "model",
                                                   "net",        "network",          "params",      "module",
                                                   "weights"};
/// A part of the network that OpenNMT-py keeps beside its container.
constexpr const char* partBeside = "generator";
/// A module may be reachable by several paths; these limits bound their total number.
constexpr std::size_t maximumVisits = 1'000'000;
constexpr std::size_t maximumModules = 100'000;

bool holdsTensor(const Pickle& pickle, const PickleDict& dict) {
    return std::ranges::any_of(dict.items,
                               [&](const auto& item) { return pickle.as<PickleTensor>(item.second); });
}

bool holdsOnlyTensors(const Pickle& pickle, const PickleDict& dict) {
    return holdsTensor(pickle, dict) && std::ranges::all_of(dict.items, [&](const auto& item) {
               return pickle.as<PickleTensor>(item.second);
           });
}

const PickleDict* stateOf(const Pickle& pickle, PickleId id) {
    const auto* object = pickle.as<PicklePlaceholder>(id);
    return object && object->state ? pickle.as<PickleDict>(*object->state) : nullptr;
}

/// Returns the last value under a key, as Python would.
std::optional<PickleId> valueOf(const Pickle& pickle, const PickleDict& dict, std::string_view key) {
    std::optional<PickleId> value;
    for (const auto& [itemKey, itemValue] : dict.items)
        if (const auto* text = pickle.as<std::string>(itemKey); text && *text == key)
            value = itemValue;
    return value;
}

/// Whether a tensor is of an unsupported kind: sparse, quantized, or of a type that PyTorch 1.13 lacks.
bool isForeignTensor(const Pickle& pickle, PickleId id) {
    const auto* object = pickle.as<PicklePlaceholder>(id);
    if (!object || !object->arguments)
        return false;
    // Only the first few: thousands of names may refer to one object with thousands of arguments.
    const std::span arguments(pickle.as<PickleTuple>(*object->arguments)->items);
    return object->name().starts_with("torch._utils._rebuild_") ||
           std::ranges::any_of(
               arguments.first(std::min<std::size_t>(arguments.size(), 8)), [&](PickleId argument) {
                   return pickle.as<PickleStorage>(argument) || pickle.as<PickleTensor>(argument);
               });
}

/// Collects tensors from dictionaries and modules, without recursion: the file determines the nesting depth.
class Collector {
  public:
    Collector(const Pickle& pickle, const std::string& where) : pickle_(pickle), where_(where) {}

    /// `beside`: a part of the network that has a dictionary of its own; may be null.
    PickledTensors collect(const PickleDict* start, const PickleDict* beside) {
        if (beside)
            open_.push_back({std::string(partBeside) + ".", beside});
        open_.push_back({"", start});
        while (!open_.empty()) {
            const Place place = std::move(open_.back());
            open_.pop_back();
            const std::size_t before = open_.size();
            for (const auto& [key, value] : place.dict->items)
                visit(place, key, value);
            // The last one opened is visited next, so reverse them to keep the order of the file.
            std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(before), open_.end());
        }
        return std::move(result_);
    }

  private:
    struct Place {
        std::string prefix;
        const PickleDict* dict;
    };

    void visit(const Place& place, PickleId key, PickleId value) {
        if (++visits_ > maximumVisits)
            refuse("at most " + std::to_string(maximumVisits) + " parts of modules", "more");
        const bool isTensor = pickle_.as<PickleTensor>(value);
        const auto* text = pickle_.as<std::string>(key);
        if (!text || text->size() + place.prefix.size() > maximumNameBytes || !isUtf8(*text)) {
            if (isTensor)
                result_.findings.add("a tensor under " + describe(pickle_[key]) + ", which is no name");
            return;
        }
        if (isTensor)
            addTensor(place.prefix + *text, value);
        else if (isForeignTensor(pickle_, value))
            result_.findings.add(printable(place.prefix + *text) + " is made by " +
                                 printable(pickle_.as<PicklePlaceholder>(value)->name()) +
                                 ", which is not known here");
        else if (const PickleDict* state = stateOf(pickle_, value))
            open(place.prefix + *text + ".", state);
        else if (*text == "_parameters" || *text == "_buffers" || *text == "_modules")
            if (const auto* members = pickle_.as<PickleDict>(value))
                open(place.prefix, members);
    }

    void open(std::string prefix, const PickleDict* dict) {
        if (++modules_ > maximumModules)
            refuse("at most " + std::to_string(maximumModules) + " modules", "more");
        open_.push_back({std::move(prefix), dict});
    }

    void addTensor(std::string name, PickleId tensor) {
        if (result_.tensors.size() == maximumTensors)
            refuse("at most " + std::to_string(maximumTensors) + " tensors", "more");
        if (!names_.insert(name).second)
            return result_.findings.add(printable(name) + " is there twice");
        result_.tensors.push_back({std::move(name), tensor});
    }

    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
        throw trace::Refusal({.what = "The checkpoint was refused",
                              .where = where_,
                              .expected = expected,
                              .found = found,
                              .wayOut = "Save the weights alone: torch.save(model.state_dict(), file)."});
    }

    const Pickle& pickle_;
    const std::string& where_;
    PickledTensors result_;
    std::unordered_set<std::string> names_;
    std::vector<Place> open_;
    std::size_t visits_ = 0;
    std::size_t modules_ = 0;
};

/// Returns the dictionary that a value is, or the state of the object that it is.
const PickleDict* membersOf(const Pickle& pickle, PickleId id) {
    const auto* state = stateOf(pickle, id);
    return state ? state : pickle.as<PickleDict>(id);
}

/// Whether a dictionary holds a tensor that is no single number, such as a loss.
bool holdsParameter(const Pickle& pickle, const PickleDict& dict) {
    return std::ranges::any_of(dict.items, [&](const auto& item) {
        const auto* tensor = pickle.as<PickleTensor>(item.second);
        return tensor && !tensor->shape.empty();
    });
}

/// Returns what a known key holds; else the only member whose first entry is a tensor.
std::optional<PickleId> containerIn(const Pickle& pickle, const PickleDict& dict) {
    for (const char* key : containers)
        if (const auto value = valueOf(pickle, dict, key); value && membersOf(pickle, *value))
            return value;
    std::optional<PickleId> only;
    for (const auto& [key, value] : dict.items) {
        const auto* members = pickle.as<PickleDict>(value);
        if (!members || members->items.empty() || !pickle.as<PickleTensor>(members->items.front().second))
            continue;
        if (only || holdsParameter(pickle, dict))
            return std::nullopt;
        only = value;
    }
    return only;
}

/// Where the weights are in a checkpoint.
struct Weights {
    const PickleDict* dict = nullptr; ///< null: there are none
    const PickleDict* beside = nullptr;
};

Weights weightsIn(const Pickle& pickle, PickleId root) {
    Weights found;
    for (int level = 0; level < 4; ++level) {
        if (const PickleDict* state = stateOf(pickle, root))
            return {state};
        const auto* dict = pickle.as<PickleDict>(root);
        if (!dict)
            return found;
        if (holdsTensor(pickle, *dict))
            found = {dict};
        if (holdsOnlyTensors(pickle, *dict))
            return found;
        const auto inner = containerIn(pickle, *dict);
        if (!inner)
            return found;
        const auto part = valueOf(pickle, *dict, partBeside);
        const auto* beside = part && part != inner ? membersOf(pickle, *part) : nullptr;
        if (const auto* members = membersOf(pickle, *inner); members && holdsTensor(pickle, *members))
            return {.dict = members, .beside = beside};
        root = *inner;
    }
    return found;
}

std::string keysOf(const Pickle& pickle, PickleId root) {
    const auto* dict = pickle.as<PickleDict>(root);
    if (!dict)
        return describe(pickle[root]);
    std::string keys;
    for (std::size_t i = 0; i < std::min<std::size_t>(dict->items.size(), 10); ++i)
        keys += (i == 0 ? " with the keys: " : ", ") + describe(pickle[dict->items[i].first]);
    return describe(pickle[root]) + keys;
}

} // namespace

PickledTensors findTensors(const Pickle& pickle, const std::string& where) {
    PickledTensors result;
    if (const auto weights = weightsIn(pickle, pickle.root); weights.dict)
        result = Collector(pickle, where).collect(weights.dict, weights.beside);
    if (result.tensors.empty() && result.findings.empty())
        throw trace::Refusal({.what = "The checkpoint holds no weights that could be found",
                              .where = where,
                              .expected = "a dictionary from names to tensors, alone or under state_dict, "
                                          "model_state_dict, model, net, params or module",
                              .found = keysOf(pickle, pickle.root),
                              .wayOut = "Save the weights alone: torch.save(model.state_dict(), file)."});
    return result;
}

} // namespace headscope::files
