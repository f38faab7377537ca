#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/weights_hash.h"
#include "app/traces/floats_on_demand.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "model/files/atomic_file.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t tokens = 2048;
constexpr std::size_t mapBytes = tokens * tokens * sizeof(float);

/// How the weights are stored, and 0.25 so.
struct Stored {
    const char* name;
    std::size_t size;
    std::size_t layers;
    std::size_t heads;
    std::uint32_t quarter;
};
constexpr Stored single{"F32", 4, 8, 10, 0x3E800000}, half{"F16", 2, 8, 20, 0x3400},
    brain{"BF16", 2, 8, 20, 0x3E80}, fewInHalf{"F16", 2, 1, 4, 0x3400};

constexpr qint64 aFewHeads = 100'000'000; ///< bytes; the file has 1.3 GB

qint64 numberIn(const char* file, const char* name) {
    QFile numbers(file);
    if (!numbers.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray& line : numbers.readAll().split('\n'))
        if (line.startsWith(name))
            return line.mid(static_cast<int>(qstrlen(name))).simplified().split(' ').front().toLongLong();
    return -1;
}

/// Of files, by this process: what it asked for, and the pages of them that it looked at.
qint64 bytesRead() {
    return numberIn("/proc/self/io", "rchar:") + 1024 * numberIn("/proc/self/status", "RssFile:");
}

qint64 memory() {
    return 1024 * numberIn("/proc/self/status", "VmRSS:");
}

/// 1.3 GB of maps, or of few maps and what nobody asks for, of which one cell was written: the rest takes no
/// room on the disk.
fs::path largeTrace(const fs::path& folder, const Stored& stored) {
    nlohmann::json said;
    for (std::size_t i = 0; i < tokens; ++i)
        said["source"].push_back("w" + std::to_string(i));
    const auto map = tokens * tokens * stored.size, weights = stored.layers * stored.heads * map,
               mask = weights + tokens * tokens, end = std::max<std::size_t>(mask, 1'300'000'000);
    const nlohmann::json contents{
        {"__metadata__", {{"tokens.json", said.dump()}}},
        {"encoder_self/weights",
         {{"dtype", stored.name},
          {"shape", {stored.layers, stored.heads, tokens, tokens}},
          {"data_offsets", {0, weights}}}},
        {"encoder_self/mask",
         {{"dtype", "BOOL"}, {"shape", {tokens, tokens}}, {"data_offsets", {weights, mask}}}},
        {"unknown", {{"dtype", "U8"}, {"shape", {end - mask}}, {"data_offsets", {mask, end}}}}};
    std::string header = contents.dump();
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const auto path = folder / (std::string(stored.name) + ".safetensors");
    std::ofstream file(path, std::ios::binary);
    for (std::size_t rest = header.size(), byte = 0; byte < 8; ++byte, rest >>= 8)
        file.put(static_cast<char>(rest & 0xFF));
    file << header;
    const auto begin = file.tellp();
    // Layer 5 of 8, head 3, query 7, key 2.
    file.seekp(begin + static_cast<std::streamoff>((stored.layers * 5 / 8 * stored.heads + 3) * map +
                                                   (7 * tokens + 2) * stored.size));
    file.write(reinterpret_cast<const char*>(&stored.quarter), static_cast<std::streamsize>(stored.size));
    const auto whole = static_cast<std::uintmax_t>(begin) + end;
    file.close();
    fs::resize_file(path, whole);
    return path;
}

bool offersFloatsOnDemand() {
    return app::floatsOnDemand(
               1, [](std::size_t, std::span<float>) {}, 0) != nullptr;
}

/// 0, 1, 2 ...
void countOn(std::size_t first, std::span<float> to) {
    std::iota(to.begin(), to.end(), static_cast<float>(first));
}

/// What this process asks for is in memory for good while it lives.
class LockedMemory {
  public:
    LockedMemory() : isLocked(::mlockall(MCL_FUTURE) == 0) {}
    ~LockedMemory() { ::munlockall(); }
    const bool isLocked;
};

} // namespace

/// Traces that are larger than what is read whole.
class LargeTraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path path_;

  private Q_SLOTS:
    void initTestCase() {
        path_ = largeTrace(folder_.path().toStdString(), single);
        QVERIFY(fs::file_size(path_) > std::uintmax_t(1) << 30);
    }

    void onlyTheHeadThatIsLookedAtIsRead() {
        const auto before = bytesRead();
        const auto run = app::readTrace(path_).run;
        QCOMPARE(run->encoder.size(), single.layers);
        const auto map = run->encoder[5].weights.head(3);
        double sum = 0;
        for (std::size_t query = 0; query < map.rows(); ++query)
            for (const float weight : map.row(query))
                sum += weight;
        QCOMPARE(sum, 0.25);
        QCOMPARE(map(7, 2), 0.25F);
        QVERIFY(bytesRead() - before >= static_cast<qint64>(mapBytes)); // which is looked at
        QVERIFY2(bytesRead() - before < aFewHeads, qPrintable(QString::number(bytesRead() - before)));
    }

    void ofHalfPrecisionToo_data() {
        QTest::addColumn<bool>("isBrain");
        QTest::newRow("float16") << false;
        QTest::newRow("bfloat16") << true;
    }

    void ofHalfPrecisionToo() {
        QFETCH(bool, isBrain);
        if (!offersFloatsOnDemand())
            QSKIP("this system offers no userfaultfd");
        const auto path = largeTrace(folder_.path().toStdString(), isBrain ? brain : half);
        const auto before = bytesRead(), had = memory();
        const auto run = app::readTrace(path).run;
        const auto opened = memory() - had;
#ifdef __SANITIZE_ADDRESS__
        constexpr qint64 most = 150'000'000; // the sanitizer keeps what was freed for a while
#else
        constexpr qint64 most = 50'000'000; // masks of eight layers
#endif
        QVERIFY2(opened < most, qPrintable(QString::number(opened)));
        const auto map = run->encoder[5].weights.head(3);
        double sum = 0;
        for (std::size_t query = 0; query < map.rows(); ++query)
            for (const float weight : map.row(query))
                sum += weight;
        QCOMPARE(sum, 0.25);
        QCOMPARE(map(7, 2), 0.25F);
        QCOMPARE(run->encoder[7].weights(19, tokens - 1, tokens - 1), 0.0F); // the last of all
        QVERIFY2(bytesRead() - before < aFewHeads, qPrintable(QString::number(bytesRead() - before)));
        const auto grown = memory() - had;
        QVERIFY2(grown < std::max(aFewHeads, most), qPrintable(QString::number(grown)));
    }

    void whatWasLetGoIsMadeAgain() {
        constexpr std::size_t count = 1'000'003, most = 1'000'000; // bytes: a quarter of them
        const auto numbers = app::floatsOnDemand(count, countOn, most);
        if (!numbers)
            QSKIP("this system offers no userfaultfd");
        std::atomic<int> wrong = 0;
        const auto look = [&](std::size_t stride, std::size_t times) {
            for (std::size_t i = 0, at = 0; i < times; ++i, at = (at + stride) % count)
                wrong += numbers.get()[at] != static_cast<float>(at);
        };
        std::thread other(look, 70'001, 2'000); // from part to part
        for (int i = 0; i < 3; ++i)
            look(1, count);
        other.join();
        QCOMPARE(wrong.load(), 0);
    }

    void theyAreMadeWhereMemoryIsLocked() {
        const LockedMemory locked;
        const auto numbers = app::floatsOnDemand(1'000'003, countOn, 1'000'000);
        if (!numbers || !locked.isLocked)
            QSKIP("this system offers no userfaultfd, or locks nothing");
        for (std::size_t at = 0; at < 1'000'003; at += 999)
            QCOMPARE(numbers.get()[at], static_cast<float>(at));
    }

    void theyCanBeSaved() {
        constexpr std::size_t count = 1'000'003;
        const auto numbers = app::floatsOnDemand(count, countOn, 1'000'000);
        if (!numbers)
            QSKIP("this system offers no userfaultfd");
        const fs::path path = folder_.filePath("numbers").toStdString();
        files::saveAtomically(path, std::as_bytes(std::span(numbers.get(), count)));
        std::vector<float> expected(count), saved(count);
        countOn(0, expected);
        std::ifstream(path, std::ios::binary)
            .read(reinterpret_cast<char*>(saved.data()), count * sizeof(float));
        QCOMPARE(fs::file_size(path), std::uintmax_t(count * sizeof(float)));
        QVERIFY(saved == expected);
    }

    void whatIsConvertedOnDemandIsSavedAgain() {
        if (!offersFloatsOnDemand())
            QSKIP("this system offers no userfaultfd");
        const fs::path folder = folder_.path().toStdString();
        const auto run = app::readTrace(largeTrace(folder, fewInHalf)).run;
        const auto& weights = run->encoder[0].weights;
        app::saveTrace(*run, {}, folder / "again.safetensors");
        app::saveTrace(*run, {}, folder / "again.npz");
        const auto again = app::readTrace(folder / "again.safetensors").run;
        QCOMPARE(weights(3, 7, 2), 0.25F);
        QVERIFY(again->encoder[0].weights == weights);
        QVERIFY(again->encoder[0].mask == run->encoder[0].mask);
        const auto arrays = read_npz::readNpz(folder / "again.npz");
        const auto saved =
            std::ranges::find(arrays, "encoder_self/weights", [](auto& array) { return array.name; });
        QVERIFY(saved != arrays.end() && std::ranges::equal(files::floatsOf(*saved), weights.values()));
    }

    void itIsToldFromOthersWithoutReadingIt() {
        const auto before = bytesRead();
        const auto said = app::weightsHash(app::weightsFile(path_.string()), std::nullopt);
        QVERIFY2(bytesRead() - before < aFewHeads, qPrintable(QString::number(bytesRead() - before)));
        QVERIFY(said.starts_with("sha256:"));
        QVERIFY(said.find(" of the header, ") != std::string::npos);
        QVERIFY(said.find(std::to_string(fs::file_size(path_)) + " bytes") != std::string::npos);
        fs::last_write_time(path_, fs::last_write_time(path_) - std::chrono::hours(24));
        QVERIFY(app::weightsHash(app::weightsFile(path_.string()), std::nullopt) != said);
    }
};

HEADSCOPE_TEST(LargeTraceTest)
#include "large_trace_test.moc"
