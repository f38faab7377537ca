#include "model/files/limited_json.h"
#include "model/files/npy.h"
#include "model/files/safetensors.h"
#include "model/files/safetensors_header.h"
#include "model/files/torch/torch_zip.h"
#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include <QElapsedTimer>

using namespace foreign_files;
using namespace headscope::files;

namespace {

std::string entry(const std::string& name, const std::string& shape = "[0]", const std::string& more = "") {
    return "\"" + name + "\":{\"dtype\":\"U8\",\"shape\":" + shape + ",\"data_offsets\":[0,0]" + more + "}";
}

/// `count` tensors without elements, with names of `nameBytes` bytes.
std::string entries(std::size_t count, std::size_t nameBytes = 6) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += (i == 0 ? "" : ",") + entry(std::string(nameBytes - number.size(), '0') + number);
    }
    return text;
}

std::string npyOfRank(std::size_t rank) {
    NamedArray array{.name = "a", .shape = std::vector<std::int64_t>(rank, 1), .bytes = Bytes(4)};
    return npyBytes(array);
}

} // namespace

/// Limits of files from both sides: the limit itself is accepted, one more is refused by the name of the
/// limit. Times are printed for review (-v2); a slow machine fails no test.
class LimitsTest : public QObject {
    Q_OBJECT

    Folder folder_;
    QElapsedTimer timer_;

    void granted(const char* what, const std::string& refusal) {
        qInfo("%s: granted after %lld ms", what, timer_.restart());
        QCOMPARE(refusal, std::string());
    }
    void refused(const char* what, const std::string& refusal, const char* limit) {
        qInfo("%s: refused after %lld ms", what, timer_.restart());
        QVERIFY(contains(refusal, {limit}));
    }

    std::string refusalForFile(const std::string& content) {
        writeFile(folder_ / "w.safetensors", content);
        timer_.restart();
        return refusalOf([&] { readSafetensors(folder_ / "w.safetensors"); });
    }

    std::string refusalForHeader(const std::string& header) {
        return refusalForFile(littleEndian(header.size(), 8) + header);
    }

    std::string refusalForPickle(const std::string& pickle) {
        foreign_zip::write(folder_ / "model.pt",
                           {{"m/data.pkl", pickle}, {"m/data/0", std::string(24, '\0')}});
        timer_.restart();
        return refusalOf([&] { readTorchZip(folder_ / "model.pt"); });
    }

  private Q_SLOTS:
    void init() { timer_.start(); }

    void aSafetensorsHeaderHasAtMost100Megabytes() {
        std::string file = littleEndian(maximumSafetensorsHeaderBytes, 8) + "{}";
        file.resize(8 + maximumSafetensorsHeaderBytes, ' ');
        granted("100 MB of header", refusalForFile(file));
        file.replace(0, 8, littleEndian(maximumSafetensorsHeaderBytes + 1, 8));
        refused("one byte more", refusalForFile(file + " "), "at most 100000000 bytes");
    }

    void aSafetensorsFileHasAtMost100000Tensors() {
        const std::string most = entries(maximumTensors);
        timer_.restart();
        granted("100000 tensors", refusalForHeader("{" + most + "}"));
        granted("and metadata", refusalForHeader("{" + most + ",\"__metadata__\":{\"format\":\"pt\"}}"));
        refused("one more", refusalForHeader("{" + most + "," + entry("more") + "}"),
                "at most 100000 tensors");
    }

    void theLargestNamesOfTheMostTensorsFitIntoTheHeader() {
        const std::string header = "{" + entries(maximumTensors, 900) + "}";
        timer_.restart();
        granted("95 MB of names", refusalForHeader(header));
    }

    void aTensorHasAtMostEightDimensions() {
        granted("8 in safetensors", refusalForHeader("{" + entry("w", "[0,1,1,1,1,1,1,1]") + "}"));
        refused("9", refusalForHeader("{" + entry("w", "[0,1,1,1,1,1,1,1,1]") + "}"), "w: 9 dimensions");
        const auto pickled = [&](std::size_t rank) {
            const std::vector<std::int64_t> ones(rank, 1);
            return refusalForPickle(pickle_text::savedStateDict({{"w", {.shape = ones, .strides = ones}}}));
        };
        granted("8 in a pickle", pickled(8));
        refused("9", pickled(9), "w: 9 dimensions");
        const auto parsed = [&](const std::string& npy) {
            return refusalOf([&] { parseNpy(std::as_bytes(std::span(npy)), "a.npy"); });
        };
        granted("8 in an array", parsed(npyOfRank(8)));
        refused("9", parsed(npyOfRank(9)), "at most 8 dimensions");
    }

    void aNameHasAtMostOneKilobyte() {
        const auto pickled = [&](std::size_t bytes) {
            return refusalForPickle(pickle_text::savedStateDict({{std::string(bytes, 'n'), {}}}));
        };
        granted("1024 bytes in safetensors", refusalForHeader("{" + entry(std::string(1024, 'n')) + "}"));
        refused("1025", refusalForHeader("{" + entry(std::string(1025, 'n')) + "}"), "a name of 1025 bytes");
        granted("1024 bytes in a pickle", pickled(1024));
        refused("1025", pickled(1025), "which is no name");
    }

    void aPickleHasAtMost100000Tensors() {
        const auto pickled = [&](std::size_t count) {
            std::string items = pickle_text::text("0") + pickle_text::rebuilt({}) + pickle_text::put(0);
            for (std::size_t i = 1; i < count; ++i)
                items += pickle_text::text(std::to_string(i)) + pickle_text::get(0);
            return refusalForPickle(pickle_text::start + pickle_text::emptyDict + pickle_text::mark + items +
                                    pickle_text::setItems + pickle_text::stop);
        };
        granted("100000 in a pickle", pickled(maximumTensors));
        refused("one more", pickled(maximumTensors + 1), "at most 100000 tensors");
    }

    void jsonNestsFourTimesInSafetensorsAndSixtyFourTimesElsewhere() {
        granted("4 levels", refusalForHeader("{" + entry("w", "[0]", ",\"x\":[[]]") + "}"));
        refused("5 levels", refusalForHeader("{" + entry("w", "[0]", ",\"x\":[[[]]]") + "}"),
                "at most 4 levels");
        const auto nested = [](std::size_t levels) {
            const std::string text = std::string(levels, '[') + std::string(levels, ']');
            return refusalOf([&] { parseJson(text, "config.json"); });
        };
        granted("64 levels", nested(64));
        refused("65 levels", nested(65), "at most 64 levels");
    }
};

HEADSCOPE_TEST(LimitsTest)
#include "limits_test.moc"
