#include "model/files/torch/unpickler.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "model/files/torch/pickle_input.h"
#include "model/files/torch/pickle_opcodes.h"
#include "model/files/torch/pickle_stack.h"
#include "model/files/torch/torch_objects.h"

namespace headscope::files {

namespace {

/// The stack machine. The cost of every opcode is bounded by the bytes read so far, and values are created
/// only within the limits.
class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits)
        : input_(bytes, where), limits_(limits), stack_(input_, limits) {}

    Pickle run() {
        for (;;) {
            const auto opcode = static_cast<unsigned char>(input_.take(1)[0]);
            if (opcode == Stop)
                break;
            if (!pushScalar(opcode) && !pushText(opcode) && !pushContainer(opcode) &&
                !fillContainer(opcode) && !remember(opcode) && !makeObject(opcode))
                input_.fail("an instruction that only builds values",
                            "instruction " + std::to_string(opcode));
        }
        pickle_.root = stack_.last();
        pickle_.bytes = input_.position();
        return std::move(pickle_);
    }

  private:
    bool makeName(std::string name) {
        return make(PicklePlaceholder{.sharedName = std::make_shared<const std::string>(std::move(name))});
    }

    bool make(PickleValue value) {
        pickle_.values.push_back(std::move(value));
        return pushMade(static_cast<PickleId>(pickle_.values.size() - 1));
    }

    bool pushMade(PickleId id) {
        if (pickle_.values.size() > limits_.values)
            input_.fail("at most " + std::to_string(limits_.values) + " values", "more");
        stack_.push(id);
        return true;
    }

    bool pushScalar(unsigned char opcode) {
        switch (opcode) {
        case Proto:
            if (const std::uint64_t version = input_.integer(1); version < 2 || version > 5)
                input_.fail("protocol 2 to 5", std::to_string(version));
            return true;
        case Frame:
            input_.integer(8); // frame length, only a hint for reading ahead
            return true;
        case None:
            return make(std::monostate());
        case NewTrue:
            return make(true);
        case NewFalse:
            return make(false);
        case BinInt:
            return make(std::int64_t{static_cast<std::int32_t>(input_.integer(4))});
        case BinInt1:
            return make(static_cast<std::int64_t>(input_.integer(1)));
        case BinInt2:
            return make(static_cast<std::int64_t>(input_.integer(2)));
        case Long1:
            return pushLong();
        case BinFloat:
            return pushFloat();
        default:
            return false;
        }
    }

    bool pushLong() {
        const std::size_t bytes = input_.integer(1);
        if (bytes > 8) { // larger than any tensor size: kept as a name, so that only its use is refused
            input_.take(bytes);
            return makeName("an integer of " + std::to_string(bytes) + " bytes");
        }
        std::uint64_t value = input_.integer(bytes);
        const bool negative = bytes > 0 && (value >> (8 * bytes - 1) & 1);
        if (negative && bytes < 8)
            value |= ~std::uint64_t{0} << (8 * bytes);
        return make(static_cast<std::int64_t>(value));
    }

    bool pushFloat() {
        std::uint64_t bits = 0; // floats are big-endian, unlike all other numbers
        for (const char byte : input_.take(8))
            bits = bits << 8 | static_cast<unsigned char>(byte);
        return make(std::bit_cast<double>(bits));
    }

    bool pushText(unsigned char opcode) {
        switch (opcode) {
        case ShortBinString:
        case ShortBinUnicode:
            return make(std::string(input_.take(input_.integer(1))));
        case BinUnicode:
            return make(std::string(input_.take(input_.integer(4))));
        case BinUnicode8:
            return make(std::string(input_.take(input_.integer(8))));
        default:
            return false;
        }
    }

    bool pushContainer(unsigned char opcode) {
        switch (opcode) {
        case Mark:
            stack_.mark();
            return true;
        case EmptyDict:
            return make(PickleDict{});
        case EmptyList:
            return make(PickleList{});
        case EmptyTuple:
            return make(PickleTuple{});
        case Tuple:
            return make(PickleTuple{stack_.popToMark()});
        case Tuple1:
        case Tuple2:
        case Tuple3:
            return make(PickleTuple{stack_.pop(opcode - Tuple1 + 1u)});
        default:
            return false;
        }
    }

    bool fillContainer(unsigned char opcode) {
        switch (opcode) {
        case Append:
            return append(stack_.pop(1));
        case Appends:
            return append(stack_.popToMark());
        case SetItem:
            return setItems(stack_.pop(2));
        case SetItems:
            return setItems(stack_.popToMark());
        default:
            return false;
        }
    }

    bool append(const std::vector<PickleId>& items) {
        PickleValue& target = pickle_.values[stack_.top()];
        if (auto* list = std::get_if<PickleList>(&target))
            list->items.insert(list->items.end(), items.begin(), items.end());
        else if (!std::get_if<PicklePlaceholder>(&target)) // an unknown container stays empty
            input_.fail("a list to append to", describe(target));
        return true;
    }

    bool setItems(const std::vector<PickleId>& items) {
        PickleValue& target = pickle_.values[stack_.top()];
        if (items.size() % 2 != 0)
            input_.fail("keys and values in pairs", std::to_string(items.size()) + " of them");
        auto* dict = std::get_if<PickleDict>(&target);
        if (!dict && !std::get_if<PicklePlaceholder>(&target))
            input_.fail("a dictionary to put items into", describe(target));
        for (std::size_t i = 0; dict && i < items.size(); i += 2)
            dict->items.emplace_back(items[i], items[i + 1]);
        return true;
    }

    bool remember(unsigned char opcode) {
        switch (opcode) {
        case BinPut:
            stack_.remember(input_.integer(1));
            return true;
        case LongBinPut:
            stack_.remember(input_.integer(4));
            return true;
        case Memoize:
            stack_.remember(stack_.remembered());
            return true;
        case BinGet:
            stack_.recall(input_.integer(1));
            return true;
        case LongBinGet:
            stack_.recall(input_.integer(4));
            return true;
        default:
            return false;
        }
    }

    bool makeObject(unsigned char opcode) {
        switch (opcode) {
        case Global: {
            const std::string module = input_.line();
            return makeName(module + "." + input_.line());
        }
        case StackGlobal:
            return stackGlobal();
        case Reduce:
        case NewObj:
            return call(opcode);
        case Build:
            return build();
        case BinPersId:
            return persistentObject();
        default:
            return false;
        }
    }

    bool stackGlobal() {
        const std::vector<PickleId> names = stack_.pop(2);
        const auto* module = pickle_.as<std::string>(names[0]);
        const auto* name = pickle_.as<std::string>(names[1]);
        if (!module || !name)
            input_.fail("a module's name and a name in it", "other values");
        stack_.countLinks((module->size() + name->size()) / sizeof(PickleId)); // by the memory they take
        return makeName(*module + "." + *name);
    }

    bool call(unsigned char opcode) {
        const std::vector<PickleId> operands = stack_.pop(2);
        const auto* arguments = pickle_.as<PickleTuple>(operands[1]);
        const auto* named = pickle_.as<PicklePlaceholder>(operands[0]);
        if (!arguments || !named)
            input_.fail("a name and its arguments", "other values");
        const auto name = named->sharedName;
        stack_.countLinks(1);
        if (opcode == Reduce) {
            const PickleTuple copy = *arguments; // adding a value may reallocate the others
            stack_.countLinks(copy.items.size());
            if (const auto result = torchCall(pickle_, operands[0], copy))
                return pushMade(*result);
        }
        return make(PicklePlaceholder{.sharedName = name, .arguments = operands[1]});
    }

    /// State is kept only for objects that stay placeholders; the state of dictionaries and parameters
    /// (`_metadata`, hooks) is irrelevant to the tensors.
    bool build() {
        const PickleId state = stack_.pop();
        if (auto* placeholder = std::get_if<PicklePlaceholder>(&pickle_.values[stack_.top()]))
            placeholder->state = state;
        return true;
    }

    bool persistentObject() {
        const PickleId id = stack_.pop();
        if (const auto moduleClass = torchModuleClass(pickle_, id))
            return pushMade(*moduleClass);
        auto storage = torchStorage(pickle_, id);
        if (!storage)
            input_.fail("a storage (\"storage\", type, key, location, elements)", describe(pickle_[id]));
        return make(std::move(*storage));
    }

    PickleInput input_;
    const PickleLimits& limits_;
    PickleStack stack_;
    Pickle pickle_;
};

} // namespace

Pickle unpickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits) {
    return Machine(bytes, where, limits).run();
}

} // namespace headscope::files
