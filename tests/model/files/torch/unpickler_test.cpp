#include "model/files/torch/unpickler.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include <set>

using namespace foreign_files;
using namespace headscope::files;
using namespace pickle_text;

namespace {

Pickle read(const std::string& pickle, const PickleLimits& limits = {}) {
    return unpickle(std::as_bytes(std::span(pickle)), "data.pkl", limits);
}

std::string pickleRefusal(const std::string& pickle, const PickleLimits& limits = {}) {
    return refusalOf([&] { read(pickle, limits); });
}

/// The value of a pickle with a single instruction.
template <class T>
T single(const std::string& instruction) {
    const Pickle pickle = read(start + instruction + stop);
    return *pickle.as<T>(pickle.root);
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string result;
    for (; times > 0; --times)
        result += text;
    return result;
}

} // namespace

class UnpicklerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void numbersAreReadInEveryWriting() {
        QCOMPARE(single<std::int64_t>("K\xff"), std::int64_t{255});
        QCOMPARE(single<std::int64_t>("M\xff\xff"), std::int64_t{65535});
        QCOMPARE(single<std::int64_t>("J\xff\xff\xff\xff"), std::int64_t{-1});
        QCOMPARE(single<std::int64_t>(std::string("\x8a\x00", 2)), std::int64_t{0});
        QCOMPARE(single<std::int64_t>("\x8a\x01\x80"), std::int64_t{-128});
        QCOMPARE(single<std::int64_t>(std::string("\x8a\x06\x00\x00\x00\x00\x00\x01", 8)),
                 std::int64_t{1} << 40);
        QCOMPARE(single<std::int64_t>(integer(INT64_MIN)), std::int64_t{INT64_MIN});
        QCOMPARE(single<double>(std::string("G\x3f\xf8\0\0\0\0\0\0", 9)), 1.5);
        QCOMPARE(single<bool>(newTrue), true);
        QCOMPARE(single<bool>(newFalse), false);
        QVERIFY(single<PicklePlaceholder>("\x8a\x09" + std::string(9, '\1')).name() ==
                "an integer of 9 bytes");
    }

    void protocolsTwoToFiveAreRead() {
        for (const char protocol : {'\2', '\3', '\4', '\5'})
            QVERIFY(pickleRefusal(std::string("\x80") + protocol + "K\1" + stop).empty());
        for (const char protocol : {'\1', '\6'})
            QVERIFY(
                contains(pickleRefusal(std::string("\x80") + protocol + "K\1" + stop), {"protocol 2 to 5"}));
    }

    void textsAreReadInEveryWriting() {
        QCOMPARE(single<std::string>(text("\u00e4")), std::string("\u00e4"));
        QCOMPARE(single<std::string>("U\x02"
                                     "ab"),
                 std::string("ab"));
        QCOMPARE(single<std::string>("\x8c\x02"
                                     "ab"),
                 std::string("ab"));
        QCOMPARE(single<std::string>("\x8d" + littleEndian(2, 8) + "ab"), std::string("ab"));
    }

    void containersKeepTheirOrder() {
        const Pickle pickle = read(start + emptyDict + mark + text("b") + emptyList + mark + "K\1K\2" +
                                   appends + text("a") + tupleOf("K\3") + setItems + stop);
        const auto* dict = pickle.as<PickleDict>(pickle.root);
        QCOMPARE(dict->items.size(), std::size_t{2});
        QCOMPARE(*pickle.as<std::string>(dict->items[0].first), std::string("b"));
        QCOMPARE(pickle.as<PickleList>(dict->items[0].second)->items.size(), std::size_t{2});
        QCOMPARE(pickle.as<PickleTuple>(dict->items[1].second)->items.size(), std::size_t{1});
    }

    void shortTuplesAndSingleItemsAreRead() {
        const Pickle pickle = read(start + emptyDict + "K\1K\2K\3\x87" + "K\4\x85" + setItem + stop);
        const auto* dict = pickle.as<PickleDict>(pickle.root);
        QCOMPARE(pickle.as<PickleTuple>(dict->items[0].first)->items.size(), std::size_t{3});
        QCOMPARE(pickle.as<PickleTuple>(dict->items[0].second)->items.size(), std::size_t{1});
    }

    void aRememberedValueIsTheSameOne() {
        const Pickle pickle = read(start + emptyList + put(0) + get(0) + append + stop);
        QCOMPARE(pickle.as<PickleList>(pickle.root)->items[0], pickle.root); // a list that contains itself
        const Pickle framed =
            read("\x80\x04\x95" + littleEndian(9, 8) + "\x8c\x01x\x94" + get(0) + "\x86" + stop);
        const auto& items = framed.as<PickleTuple>(framed.root)->items;
        QCOMPARE(items[0], items[1]);
    }

    void anOrderedDictionaryIsADictionaryWithoutItsMetadata() {
        const Pickle pickle = read(savedStateDict({{"w", {}}}));
        QCOMPARE(pickle.as<PickleDict>(pickle.root)->items.size(), std::size_t{1});
    }

    void aTensorIsAViewOfAStorage() {
        const Pickle pickle = read(start + rebuilt({.key = "7", .offset = 2}) + stop);
        const auto* tensor = pickle.as<PickleTensor>(pickle.root);
        QVERIFY(tensor);
        QCOMPARE(tensor->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(tensor->strides, (std::vector<std::int64_t>{3, 1}));
        QCOMPARE(tensor->offset, std::int64_t{2});
        const auto* storage = pickle.as<PickleStorage>(tensor->storage);
        QCOMPARE(storage->key, std::string("7"));
        QVERIFY(storage->type == ElementType::Float32);
        QCOMPARE(storage->elements, std::int64_t{6});
    }

    void parametersAndSubclassesAreTheirTensors() {
        const std::string parameter = global("torch._utils", "_rebuild_parameter") +
                                      tupleOf(rebuilt({}) + newTrue + orderedDict()) + reduce;
        const Pickle first = read(start + parameter + stop);
        QVERIFY(first.as<PickleTensor>(first.root));
        const std::string subclass =
            global("torch._tensor", "_rebuild_from_type_v2") +
            tupleOf(global("torch._utils", "_rebuild_tensor_v2") + global("mine", "Tensor") +
                    tupleOf(storage({}) + integer(0) + integers({6}) + integers({1})) + emptyDict) +
            reduce;
        const Pickle second = read(start + subclass + stop);
        QVERIFY(second.as<PickleTensor>(second.root));
    }

    void sizesAndTypeTagsAreTheirValues() {
        const Pickle size = read(start + global("torch", "Size") + tupleOf(integers({2, 3})) + reduce + stop);
        QCOMPARE(size.as<PickleTuple>(size.root)->items.size(), std::size_t{2});
        const Pickle tagged = read(start + global("torch.jit._pickle", "restore_type_tag") +
                                   tupleOf(emptyDict + text("Dict[str, Tensor]")) + reduce + stop);
        QVERIFY(tagged.as<PickleDict>(tagged.root));
    }

    void aSubclassWithinASubclassIsNotFollowed() {
        const std::string function = global("torch._tensor", "_rebuild_from_type_v2");
        const Pickle pickle =
            read(start + function + tupleOf(function + global("mine", "Tensor") + emptyTuple + none) +
                 reduce + stop);
        QVERIFY(pickle.as<PicklePlaceholder>(pickle.root));
    }

    void manyCallsWithManyArgumentsAreNoMoreWork() {
        std::string arguments = storage({}) + integer(0) + integers({6}) + integers({1});
        for (int i = 0; i < 100'000; ++i)
            arguments += none;
        const std::string function = global("torch._tensor", "_rebuild_from_type_v2");
        std::string calls = function + put(1) +
                            tupleOf(global("torch._utils", "_rebuild_tensor_v2") + global("net", "Tensor") +
                                    tupleOf(arguments)) +
                            put(2) + reduce;
        for (int i = 0; i < 100'000; ++i)
            calls += get(1) + get(2) + reduce;
        const Pickle pickle = read(start + emptyList + mark + calls + appends + stop);
        QCOMPARE(pickle.as<PickleList>(pickle.root)->items.size(), std::size_t{100'001});
    }

    void theClassOfAnOldModuleComesWithItsSourceWhichIsIgnored() {
        const Pickle pickle =
            read(start + tupleOf(text("module") + global("net", "Net") + text("net.py") + text("import os")) +
                 persistentId + stop);
        QCOMPARE(pickle.as<PicklePlaceholder>(pickle.root)->name(), std::string("net.Net"));
    }

    void everyOtherNameIsInert() {
        const Pickle pickle =
            read(start + global("os", "system") + tupleOf(text("echo ran > ran")) + reduce + stop);
        const auto* object = pickle.as<PicklePlaceholder>(pickle.root);
        QCOMPARE(object->name(), std::string("os.system"));
        QVERIFY(pickle.as<PickleTuple>(*object->arguments));
        QVERIFY(!std::filesystem::exists("ran"));
        const Pickle state =
            read(start + global("my", "Net") + emptyTuple + newObject + emptyDict + build + stop);
        QVERIFY(state.as<PickleDict>(*state.as<PicklePlaceholder>(state.root)->state));
        const Pickle filled = read(start + global("collections", "defaultdict") + emptyTuple + reduce +
                                   text("k") + none + setItem + none + append + stop);
        QVERIFY(filled.as<PicklePlaceholder>(filled.root));
    }

    void aTensorOfStrangeArgumentsStaysAPlaceholder() {
        for (const std::string& arguments :
             {tupleOf(storage({}) + integer(0)),
              tupleOf(text("storage") + integer(0) + integers({1}) + integers({1})),
              tupleOf(storage({}) + integer(0) + integers({2, 3}) + integers({1})),
              tupleOf(storage({}) + integer(0) + tupleOf(text("2")) + integers({1})),
              tupleOf(storage({}) + integer(0) + integers(std::vector<std::int64_t>(65, 1)) +
                      integers(std::vector<std::int64_t>(65, 1)))}) {
            const Pickle pickle =
                read(start + global("torch._utils", "_rebuild_tensor_v2") + arguments + reduce + stop);
            QVERIFY(pickle.as<PicklePlaceholder>(pickle.root));
        }
    }

    void aDeepValueIsReadAndDestroyed() {
        const Pickle pickle = read(start + none + repeated("\x85", 1'000'000) + stop);
        QCOMPARE(pickle.values.size(), std::size_t{1'000'001});
    }

    void theLimitsThemselvesAreAllowed() {
        QCOMPARE(pickleRefusal(start + none + none + none + "\x87.", {.values = 4}), std::string());
        QVERIFY(contains(pickleRefusal(start + none + none + none + "\x87.", {.values = 3}),
                         {"at most 3 values"}));
        QCOMPARE(pickleRefusal(start + none + none + "\x86.", {.depth = 2}), std::string());
        QVERIFY(
            contains(pickleRefusal(start + none + none + "\x86.", {.depth = 1}), {"a stack of at most 1"}));
        QVERIFY(contains(pickleRefusal(start + none + none + "\x86.", {.links = 1}), {"at most 1 links"}));
    }

    void namesCannotBeMultipliedCheaply() {
        const std::string name(10'000, 'n');
        const std::string pickle =
            start + text(name) + put(0) + repeated(get(0) + get(0) + "\x93", 100'000) + stop;
        QVERIFY(contains(pickleRefusal(pickle), {"links"}));
    }

    void everyMalformedPickleIsRefused_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& pickle, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << QString(words);
        };
        row("nothing", "", "1 more bytes");
        row("no end", start + none, "1 more bytes");
        row("protocol 1", "\x80\x01N.", "protocol 2 to 5");
        row("protocol 6", "\x80\x06N.", "protocol 2 to 5");
        row("a call of old Python", start + "(ios\nsystem\n.", "instruction 105");
        row("an instruction that is none", start + "\xff", "instruction 255");
        row("an import by number", start + "\x82\x01.", "instruction 130");
        row("nothing at the end", start + stop, "one value");
        row("two values at the end", start + none + none + stop, "one value");
        row("a mark at the end", start + mark + none + stop, "1 marks");
        row("a tuple without its mark", start + none + tuple + stop, "a mark");
        row("a tuple of too few", start + none + "\x86.", "2 values");
        row("a text longer than the file", start + "X" + littleEndian(0xffffffff, 4) + "ab.",
            "4294967295 more bytes");
        row("a text of 2^64 bytes", start + "\x8d" + littleEndian(UINT64_MAX, 8) + "ab.", "more bytes");
        row("a number cut off", start + "\x8a\x08\x01", "8 more bytes");
        row("a name without its end", start + "cos\nsystem", "end of its line");
        row("nothing remembered", start + get(3) + stop, "remembered as 3");
        row("remembering nothing", start + put(0) + none + stop, "a value on the stack");
        row("items into a tensor", start + rebuilt({}) + text("k") + none + setItem + stop,
            "a tensor of shape [2, 3]");
        row("items into a number", start + "K\1" + text("k") + none + setItem + stop, "a dictionary");
        row("appending to a dictionary", start + emptyDict + none + append + stop, "a list");
        row("a key without a value", start + emptyDict + mark + none + setItems + stop, "pairs");
        row("items below a mark", start + emptyDict + none + mark + none + setItem + stop,
            "2 values on the stack");
        row("calling a text", start + text("os.system") + emptyTuple + reduce + stop,
            "a name and its arguments");
        row("calling with a list", start + global("a", "b") + emptyList + reduce + stop,
            "a name and its arguments");
        row("a name of numbers", start + "K\1K\2\x93.", "a module's name");
        row("a storage that is none", start + tupleOf(text("storage")) + persistentId + stop, "a tuple of 1");
        row("a storage with a long key", start + storage({.key = std::string(21, '1')}) + stop, "a storage");
        row("a part of a storage",
            start +
                tupleOf(text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu") +
                        integer(6) + tupleOf(text("view"))) +
                persistentId + stop,
            "a tuple of 6");
        row("filling nothing", start + none + build + stop, "a value on the stack");
    }
    void everyMalformedPickleIsRefused() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, words);
        QVERIFY(
            contains(pickleRefusal(pickle.toStdString()), {"data.pkl, byte ", words.toUtf8().constData()}));
    }

    void aPickleCutOffAnywhereIsRefused() {
        const std::string pickle = savedStateDict({{"w", {}}, {"b", {.key = "1"}}});
        QCOMPARE(pickleRefusal(pickle), std::string());
        for (std::size_t length = 0; length < pickle.size(); ++length)
            QVERIFY(!pickleRefusal(pickle.substr(0, length)).empty());
    }

    void changedBytesNeverDoWorseThanARefusal() {
        const std::string pickle = savedStateDict({{"w", {}}, {"b", {.key = "1"}}});
        std::set<bool> isRefused;
        for (std::size_t i = 0; i < pickle.size(); ++i)
            for (int change = 1; change < 256; ++change) {
                std::string changed = pickle;
                changed[i] = static_cast<char>(changed[i] ^ change);
                isRefused.insert(!pickleRefusal(changed).empty());
            }
        QCOMPARE(isRefused, (std::set{false, true}));
    }
};

HEADSCOPE_TEST(UnpicklerTest)
#include "unpickler_test.moc"
