#include "model/files/file_kind.h"
#include "model/files/torch/torch_legacy.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include <cstring>

using namespace foreign_files;
using namespace headscope::files;
using namespace pickle_text;

namespace {

const std::string magic = start + "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
const std::string twelveBytes = "aaaabbbbcccc";

struct Parts {
    std::string version = start + integer(1001) + stop;
    std::string system = start + emptyDict + text("little_endian") + newTrue + setItem + stop;
    std::string object =
        savedStateDict({{"w", {.elements = 3, .shape = {3}, .strides = {1}}},
                        {"tied", {.elements = 3, .shape = {3}, .strides = {1}}},
                        {"last", {.elements = 3, .shape = {1}, .strides = {1}, .offset = 2}}});
    std::string keys = start + emptyList + mark + text("0") + appends + stop;
    std::string storages = littleEndian(3, 8) + twelveBytes;

    std::string file() const { return magic + version + system + object + keys + storages; }
};

} // namespace

class TorchLegacyTest : public QObject {
    Q_OBJECT

    Folder folder_;

    TensorFile read(const std::string& content) {
        writeFile(folder_ / "old.pt", content);
        return readTorchLegacy(folder_ / "old.pt");
    }

    std::string refusalFor(const Parts& parts) {
        return refusalOf([&] { read(parts.file()); });
    }

  private Q_SLOTS:
    void tensorsAreReadAndTiesAreKept() {
        const TensorFile file = read(Parts().file());
        QCOMPARE(file.format, std::string("PyTorch (before 1.6)"));
        QCOMPARE(readTensorFile(folder_ / "old.pt").format, file.format);
        QCOMPARE(file.tensors.size(), std::size_t{3});
        QVERIFY(shareStorage(file.tensors[0], file.tensors[1]));
        QCOMPARE(std::memcmp(file.tensors[0].bytes->data() + file.tensors[0].offset, "aaaabbbbcccc", 12), 0);
        QCOMPARE(std::memcmp(file.tensors[2].bytes->data() + file.tensors[2].offset, "cccc", 4), 0);
    }

    void everyMalformedFileIsRefused() {
        QVERIFY(
            contains(refusalFor({.version = start + integer(1000) + stop}), {"1001", "the integer 1000"}));
        QVERIFY(contains(refusalFor({.system = start + none + stop}), {"about the system"}));
        QVERIFY(contains(
            refusalFor({.system = start + emptyDict + text("little_endian") + newFalse + setItem + stop}),
            {"big-endian"}));
        QVERIFY(contains(refusalFor({.keys = start + none + stop}), {"a list of storages"}));
        QVERIFY(contains(refusalFor({.keys = start + emptyList + text("7") + append + stop}),
                         {"known elements"}));
        QVERIFY(contains(refusalFor({.keys = start + emptyList + stop, .storages = ""}),
                         {"storage 0 is missing"}));
        QVERIFY(contains(refusalFor({.storages = littleEndian(3, 8) + "aaaa"}),
                         {"3 elements", "the end of the file"}));
        QVERIFY(contains(refusalFor({.storages = littleEndian(3, 7)}), {"the end of the file"}));
        QVERIFY(contains(refusalFor({.storages = littleEndian((1ull << 62) + 3, 8) + twelveBytes}),
                         {"the end of the file"}));
        QVERIFY(contains(refusalFor({.storages = littleEndian(2, 8) + "aaaabbbb"}),
                         {"w: ", "tied: ", "has 8 bytes"}));
        QVERIFY(contains(refusalFor({.storages = littleEndian(3, 8) + twelveBytes + "x"}), {"1 more bytes"}));
        QVERIFY(contains(
            refusalFor({.keys = start + emptyList + mark + text("0") + text("0") + appends + stop,
                        .storages = littleEndian(3, 8) + twelveBytes + littleEndian(3, 8) + twelveBytes}),
            {"storage 0 twice"}));
    }

    void aFileCutOffAnywhereIsRefused() {
        const std::string file = Parts().file();
        for (std::size_t length = 0; length < file.size(); ++length)
            QVERIFY(!refusalOf([&] { read(file.substr(0, length)); }).empty());
    }
};

HEADSCOPE_TEST(TorchLegacyTest)
#include "torch_legacy_test.moc"
