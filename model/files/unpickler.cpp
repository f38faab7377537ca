#include "model/files/unpickler.h"

#include <bit>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "model/files/findings.h"
#include "model/files/torch_objects.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

enum Opcode : unsigned char {
    Proto = 0x80,
    Frame = 0x95,
    Stop = '.',
    Mark = '(',
    None = 'N',
    NewTrue = 0x88,
    NewFalse = 0x89,
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    Long1 = 0x8a,
    BinFloat = 'G',
    ShortBinString = 'U',
    BinUnicode = 'X',
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    EmptyDict = '}',
    EmptyList = ']',
    EmptyTuple = ')',
    Tuple = 't',
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    SetItem = 's',
    SetItems = 'u',
    Append = 'a',
    Appends = 'e',
    BinPut = 'q',
    LongBinPut = 'r',
    Memoize = 0x94,
    BinGet = 'h',
    LongBinGet = 'j',
    Global = 'c',
    StackGlobal = 0x93,
    Reduce = 'R',
    NewObj = 0x81,
    Build = 'b',
    BinPersId = 'Q',
};

/// The stack machine. Every instruction takes a bounded number of steps that the file has paid for with
/// bytes, and makes values only within the limits.
class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits)
        : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), where_(where), limits_(limits) {}

    Pickle run() {
        for (;;) {
            const auto opcode = static_cast<unsigned char>(take(1)[0]);
            if (opcode == Stop)
                break;
            if (!pushScalar(opcode) && !pushText(opcode) && !pushContainer(opcode) &&
                !fillContainer(opcode) && !remember(opcode) && !makeObject(opcode))
                fail("an instruction that only builds values", "instruction " + std::to_string(opcode));
        }
        if (stack_.size() != 1 || !marks_.empty())
            fail("one value at the end", std::to_string(stack_.size()));
        pickle_.root = stack_[0];
        pickle_.bytes = position_;
        return std::move(pickle_);
    }

  private:
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        throw trace::Refusal({.what = "The pickle was refused",
                              .where = where_ + ", byte " + std::to_string(position_),
                              .expected = expected,
                              .found = found,
                              .wayOut =
                                  "Save the weights alone, with torch.save(model.state_dict(), file) or as "
                                  "safetensors."});
    }

    std::string_view take(std::uint64_t bytes) {
        if (bytes > text_.size() - position_)
            fail(std::to_string(bytes) + " more bytes",
                 "the end after " + std::to_string(text_.size() - position_));
        const std::string_view taken = text_.substr(position_, bytes);
        position_ += bytes;
        return taken;
    }

    std::uint64_t takeInteger(std::size_t bytes) {
        const std::string_view taken = take(bytes);
        std::uint64_t value = 0;
        for (std::size_t i = bytes; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(taken[i]);
        return value;
    }

    std::string takeLine() {
        const std::size_t end = text_.find('\n', position_);
        if (end == std::string_view::npos)
            fail("a name and the end of its line", "no end of line");
        std::string line(take(end - position_));
        take(1);
        return line;
    }

    void countLinks(std::size_t links) {
        links_ += links;
        if (links_ > limits_.links)
            fail("at most " + std::to_string(limits_.links) + " links between values", "more");
    }

    void push(PickleId id) {
        if (stack_.size() == limits_.depth)
            fail("a stack of at most " + std::to_string(limits_.depth), "more");
        stack_.push_back(id);
    }

    bool makeName(std::string name) {
        return make(PicklePlaceholder{.sharedName = std::make_shared<const std::string>(std::move(name))});
    }

    bool make(PickleValue value) {
        if (pickle_.values.size() >= limits_.values)
            fail("at most " + std::to_string(limits_.values) + " values", "more");
        pickle_.values.push_back(std::move(value));
        push(static_cast<PickleId>(pickle_.values.size() - 1));
        return true;
    }

    /// Values below the last mark belong to what was begun before it.
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

    PickleId top() const {
        if (stack_.size() <= floor())
            fail("a value on the stack", "none");
        return stack_.back();
    }

    PickleId pop() {
        const PickleId id = top();
        stack_.pop_back();
        return id;
    }

    std::vector<PickleId> popCount(std::size_t number) {
        if (stack_.size() - floor() < number)
            fail(std::to_string(number) + " values on the stack", std::to_string(stack_.size() - floor()));
        std::vector<PickleId> items(stack_.end() - static_cast<std::ptrdiff_t>(number), stack_.end());
        stack_.resize(stack_.size() - number);
        countLinks(number);
        return items;
    }

    std::vector<PickleId> popToMark() {
        if (marks_.empty())
            fail("a mark on the stack", "none");
        std::vector<PickleId> items = popCount(stack_.size() - floor());
        marks_.pop_back();
        return items;
    }

    bool pushScalar(unsigned char opcode) {
        switch (opcode) {
        case Proto:
            if (const std::uint64_t version = takeInteger(1); version < 2 || version > 5)
                fail("protocol 2 to 5", std::to_string(version));
            return true;
        case Frame:
            takeInteger(8); // only says how far a reader may read ahead
            return true;
        case None:
            return make(std::monostate());
        case NewTrue:
            return make(true);
        case NewFalse:
            return make(false);
        case BinInt:
            return make(std::int64_t{static_cast<std::int32_t>(takeInteger(4))});
        case BinInt1:
            return make(static_cast<std::int64_t>(takeInteger(1)));
        case BinInt2:
            return make(static_cast<std::int64_t>(takeInteger(2)));
        case Long1:
            return pushLong();
        case BinFloat:
            return pushFloat();
        default:
            return false;
        }
    }

    bool pushLong() {
        const std::size_t bytes = takeInteger(1);
        if (bytes > 8) { // larger than any size of a tensor: kept as a name, so that only its use is refused
            take(bytes);
            return makeName("an integer of " + std::to_string(bytes) + " bytes");
        }
        std::uint64_t value = takeInteger(bytes);
        const bool negative = bytes > 0 && (value >> (8 * bytes - 1) & 1);
        if (negative && bytes < 8)
            value |= ~std::uint64_t{0} << (8 * bytes);
        return make(static_cast<std::int64_t>(value));
    }

    bool pushFloat() {
        std::uint64_t bits = 0; // alone among the numbers, floats are big-endian
        for (const char byte : take(8))
            bits = bits << 8 | static_cast<unsigned char>(byte);
        return make(std::bit_cast<double>(bits));
    }

    bool pushText(unsigned char opcode) {
        switch (opcode) {
        case ShortBinString:
        case ShortBinUnicode:
            return make(std::string(take(takeInteger(1))));
        case BinUnicode:
            return make(std::string(take(takeInteger(4))));
        case BinUnicode8:
            return make(std::string(take(takeInteger(8))));
        default:
            return false;
        }
    }

    bool pushContainer(unsigned char opcode) {
        switch (opcode) {
        case Mark:
            countLinks(1);
            marks_.push_back(stack_.size());
            return true;
        case EmptyDict:
            return make(PickleDict{});
        case EmptyList:
            return make(PickleList{});
        case EmptyTuple:
            return make(PickleTuple{});
        case Tuple:
            return make(PickleTuple{popToMark()});
        case Tuple1:
        case Tuple2:
        case Tuple3:
            return make(PickleTuple{popCount(opcode - Tuple1 + 1u)});
        default:
            return false;
        }
    }

    bool fillContainer(unsigned char opcode) {
        switch (opcode) {
        case Append:
            return append(popCount(1));
        case Appends:
            return append(popToMark());
        case SetItem:
            return setItems(popCount(2));
        case SetItems:
            return setItems(popToMark());
        default:
            return false;
        }
    }

    bool append(const std::vector<PickleId>& items) {
        PickleValue& target = pickle_.values[top()];
        if (auto* list = std::get_if<PickleList>(&target))
            list->items.insert(list->items.end(), items.begin(), items.end());
        else if (!std::get_if<PicklePlaceholder>(&target)) // an unknown container stays empty
            fail("a list to append to", describe(target));
        return true;
    }

    bool setItems(const std::vector<PickleId>& items) {
        PickleValue& target = pickle_.values[top()];
        if (items.size() % 2 != 0)
            fail("keys and values in pairs", std::to_string(items.size()) + " of them");
        auto* dict = std::get_if<PickleDict>(&target);
        if (!dict && !std::get_if<PicklePlaceholder>(&target))
            fail("a dictionary to put items into", describe(target));
        for (std::size_t i = 0; dict && i < items.size(); i += 2)
            dict->items.emplace_back(items[i], items[i + 1]);
        return true;
    }

    bool remember(unsigned char opcode) {
        switch (opcode) {
        case BinPut:
            return put(takeInteger(1));
        case LongBinPut:
            return put(takeInteger(4));
        case Memoize:
            return put(memo_.size());
        case BinGet:
            return get(takeInteger(1));
        case LongBinGet:
            return get(takeInteger(4));
        default:
            return false;
        }
    }

    bool put(std::uint64_t number) {
        countLinks(1);
        memo_[number] = top();
        return true;
    }

    bool get(std::uint64_t number) {
        const auto found = memo_.find(number);
        if (found == memo_.end())
            fail("a value remembered as " + std::to_string(number), "none");
        push(found->second);
        return true;
    }

    bool makeObject(unsigned char opcode) {
        switch (opcode) {
        case Global: {
            const std::string module = takeLine();
            return makeName(module + "." + takeLine());
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
        const std::vector<PickleId> names = popCount(2);
        const auto* module = pickle_.as<std::string>(names[0]);
        const auto* name = pickle_.as<std::string>(names[1]);
        if (!module || !name)
            fail("a module's name and a name in it", "other values");
        return makeName(*module + "." + *name);
    }

    bool call(unsigned char opcode) {
        const std::vector<PickleId> operands = popCount(2);
        const auto* arguments = pickle_.as<PickleTuple>(operands[1]);
        const auto* named = pickle_.as<PicklePlaceholder>(operands[0]);
        if (!arguments || !named)
            fail("a name and its arguments", "other values");
        const auto name = named->sharedName;
        countLinks(1);
        if (opcode == Reduce) {
            const PickleTuple copy = *arguments; // making a value may move the others
            countLinks(copy.items.size());
            if (const auto result = torchCall(pickle_, operands[0], copy)) {
                push(*result);
                return true;
            }
        }
        return make(PicklePlaceholder{.sharedName = name, .arguments = operands[1]});
    }

    /// State is kept only for objects that stay placeholders: that of dictionaries and parameters
    /// (`_metadata`, hooks) says nothing about the tensors.
    bool build() {
        const PickleId state = pop();
        if (auto* placeholder = std::get_if<PicklePlaceholder>(&pickle_.values[top()]))
            placeholder->state = state;
        return true;
    }

    bool persistentObject() {
        const PickleId id = pop();
        if (const auto moduleClass = torchModuleClass(pickle_, id)) {
            push(*moduleClass);
            return true;
        }
        auto storage = torchStorage(pickle_, id);
        if (!storage)
            fail("a storage (\"storage\", type, key, location, elements)", describe(pickle_[id]));
        return make(std::move(*storage));
    }

    std::string_view text_;
    const std::string& where_;
    const PickleLimits& limits_;
    std::size_t position_ = 0;
    std::size_t links_ = 0;
    Pickle pickle_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_; ///< heights of the stack
    std::unordered_map<std::uint64_t, PickleId> memo_;
};

} // namespace

Pickle unpickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits) {
    return Machine(bytes, where, limits).run();
}

} // namespace headscope::files
