#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/weights_hash.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "tests/model/files/foreign_files.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>

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
constexpr Stored single{"F32", 4, 8, 10, 0x3E800000}, manyInHalf{"F16", 2, 8, 20, 0x3400},
    fewInHalf{"F16", 2, 1, 4, 0x3400}, fewInBrain{"BF16", 2, 1, 4, 0x3E80};

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

/// This process may ask for `bytes` more than it has.
class LimitedMemory {
  public:
    explicit LimitedMemory(qint64 bytes) {
        ::getrlimit(RLIMIT_AS, &before_);
        auto limited = before_;
        limited.rlim_cur = static_cast<rlim_t>(1024 * numberIn("/proc/self/status", "VmSize:") + bytes);
        ::setrlimit(RLIMIT_AS, &limited);
    }
    ~LimitedMemory() { ::setrlimit(RLIMIT_AS, &before_); }

  private:
    rlimit before_{};
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

    void othersAreConverted_data() {
        QTest::addColumn<bool>("isBrain");
        QTest::newRow("float16") << false;
        QTest::newRow("bfloat16") << true;
    }

    void othersAreConverted() {
        QFETCH(bool, isBrain);
        const auto path = largeTrace(folder_.path().toStdString(), isBrain ? fewInBrain : fewInHalf);
        const auto before = bytesRead();
        const auto run = app::readTrace(path).run;
        const auto& weights = run->encoder.at(0).weights;
        QCOMPARE(weights(3, 7, 2), 0.25F);
        QCOMPARE(std::accumulate(weights.values().begin(), weights.values().end(), 0.0), 0.25);
        QVERIFY2(bytesRead() - before < aFewHeads, qPrintable(QString::number(bytesRead() - before)));
    }

    void whatWasConvertedIsSavedAgain() {
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

    void whatDoesNotFitIntoMemoryIsRefused() {
        const auto path = largeTrace(folder_.path().toStdString(), manyInHalf);
        const LimitedMemory limited(3'000'000'000); // 1.3 GB are mapped, 2.7 GB would be converted
        const auto said = foreign_files::refusalOf([&] { app::readTrace(path); });
        QVERIFY2(foreign_files::contains(
                     said, {"not enough memory", "encoder_self/weights", "2.7 GB", "as float32"}),
                 qPrintable(QString::fromStdString(said)));
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
