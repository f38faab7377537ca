#include "model/files/figure_files.h"
#include "tests/model/files/foreign_files.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <cmath>
#include <csignal>
#include <cstring>
#include <sys/resource.h>

using namespace foreign_files;
using namespace headscope;
using namespace headscope::files;
namespace fs = std::filesystem;

namespace {

const double notANumber = std::nan("");

trace::FigureData example() {
    return {.arrays = {{.name = "weights",
                        .axes = {{"query", {"▁Der", "-"}}, {"key", {"the", ",", "\"quoted\""}}},
                        .shape = {2, 3},
                        .values = {0.1, 0.2, 0.7, 1.0 / 3, notANumber, 2e-308}},
                       {.name = "received", .axes = {{"key", {}}}, .shape = {3}, .values = {1, 2, -3.5}}},
            .tables = {{.name = "heads",
                        .columns = {{"head", std::vector<std::string>{"cross.0.1", "=1+1"}},
                                    {"importance", std::vector<double>{-0.25, notANumber}}}}}};
}

const DataNotes notes{{"Source", "model; a sentence"}, {"Weights", "sha256:00"}};

std::vector<double> doublesOf(const NamedArray& array) {
    std::vector<double> values(array.bytes.size() / sizeof(double));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

bool same(const std::vector<double>& one, const std::vector<double>& other) {
    return one.size() == other.size() &&
           std::equal(one.begin(), one.end(), other.begin(),
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

} // namespace

class FigureFilesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void endingsOfDataAreKnownInLettersOfAnySize() {
        for (const char* name : {"a.csv", "a/b.JSON", "c.Npz"})
            QVERIFY(isDataFile(name));
        for (const char* name : {"a.png", "csv", "a.csv.gz", "a.npy", "a.safetensors", ""})
            QVERIFY(!isDataFile(name));
    }

    void jsonHoldsEverything() {
        const Folder folder;
        saveFigureData(folder / "figure.json", example(), notes);
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(contentOf(folder / "figure.json"))).object();
        QCOMPARE(json["notes"].toObject()["Weights"].toString(), QString("sha256:00"));
        const auto map = json["arrays"].toArray()[0].toObject();
        QCOMPARE(map["shape"].toArray(), (QJsonArray{2, 3}));
        QCOMPARE(map["axes"].toArray()[0].toObject()["labels"].toArray()[0].toString(), QString("▁Der"));
        QCOMPARE(map["values"].toArray()[3].toDouble(), 1.0 / 3);
        QVERIFY(map["values"].toArray()[4].isNull());
        QCOMPARE(map["values"].toArray()[5].toDouble(), 2e-308);
        const auto columns = json["tables"].toArray()[0].toObject()["columns"].toArray();
        QCOMPARE(columns[0].toObject()["values"].toArray()[1].toString(), QString("=1+1"));
        QVERIFY(columns[1].toObject()["values"].toArray()[1].isNull());
    }

    void npzHoldsAllNumbersWithAllDigits() {
        const Folder folder;
        saveFigureData(folder / "figure.npz", example(), notes);
        const auto arrays = read_npz::readNpz(folder / "figure.npz");
        QCOMPARE(arrays.size(), std::size_t{3});
        QCOMPARE(arrays[0].shape, (std::vector<std::int64_t>{2, 3}));
        QVERIFY(same(doublesOf(arrays[0]), example().arrays[0].values));
        QVERIFY(same(doublesOf(arrays[1]), example().arrays[1].values));
        QCOMPARE(arrays[2].name, std::string("heads/1"));
    }

    void numpyReadsThem() {
        const Folder folder;
        saveFigureData(folder / "figure.npz", example(), notes);
        QProcess python;
        python.start("/usr/bin/python3",
                     {"-c",
                      "import sys, json, zipfile, numpy as np\n"
                      "d = np.load(sys.argv[1])\n"
                      "labels = json.load(zipfile.ZipFile(sys.argv[1]).open('figure.json'))\n"
                      "assert d['weights'].dtype == np.float64 and d['weights'][1, 0] == 1 / 3\n"
                      "assert np.isnan(d['weights'][1, 1]) and d['heads/1'][0] == -0.25\n"
                      "assert labels['arrays'][0]['axes'][1]['labels'] == ['the', ',', '\"quoted\"']\n",
                      QString::fromStdString((folder / "figure.npz").string())});
        QVERIFY(python.waitForFinished());
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError());
    }

    void namesOfPartsAreTakenByEveryFileSystem() {
        const Folder folder;
        auto parts = example();
        parts.arrays[0].name = "v: A: cross.1.5";
        parts.arrays[1].name = "B \u2212 A";
        parts.tables[0].name = "B: A";
        QCOMPARE(saveFigureData(folder / "cross.1.5.csv", parts, notes),
                 (std::vector<fs::path>{folder / "cross.1.5-v-A-cross.1.5.csv", folder / "cross.1.5-B-A.csv",
                                        folder / "cross.1.5-B-A-2.csv"}));
    }

    void csvHasAFileAPart() {
        const Folder folder;
        const auto expected = figureDataFiles(folder / "figure.csv", example());
        QCOMPARE(filesIn(folder.path()), std::size_t{0});
        const auto written = saveFigureData(folder / "figure.csv", example(), notes);
        QCOMPARE(written, expected);
        QCOMPARE(written,
                 (std::vector<fs::path>{folder / "figure-weights.csv", folder / "figure-received.csv",
                                        folder / "figure-heads.csv"}));
        QCOMPARE(contentOf(written[2]), std::string("head,importance\r\ncross.0.1,-0.25\r\n'=1+1,\r\n"));
        trace::FigureData one{.arrays = {example().arrays[1]}, .tables = {}};
        QCOMPARE(saveFigureData(folder / "one.csv", one, notes), std::vector<fs::path>{folder / "one.csv"});
    }

    void whereOnePartCannotBeWrittenNoneIs() {
        const Folder folder;
        fs::create_directory(folder / "figure-heads.csv");
        QVERIFY_EXCEPTION_THROWN(saveFigureData(folder / "figure.csv", example(), notes), trace::Refusal);
        QCOMPARE(filesIn(folder.path()), std::size_t{1}); // that folder
    }

    void anotherFormatIsRefusedWithThoseThatExist() {
        const Folder folder;
        for (const char* name : {"figure.npy", "figure.safetensors", "figure.txt", "figure"}) {
            const auto refused = [&](const auto& work) {
                return contains(refusalOf(work), {name, ".csv, .json or .npz"});
            };
            QVERIFY(refused([&] { saveFigureData(folder / name, example(), notes); }));
            QVERIFY(refused([&] { figureDataFiles(folder / name, example()); }));
        }
        QCOMPARE(filesIn(folder.path()), std::size_t{0});
    }

    void anEndingInCapitalsIsTheSame() {
        const Folder folder;
        saveFigureData(folder / "small.json", example(), notes);
        saveFigureData(folder / "LARGE.JSON", example(), notes);
        QCOMPARE(contentOf(folder / "LARGE.JSON"), contentOf(folder / "small.json"));
    }

    void aDiskThatFillsUpAnywhereLeavesTheOldFile_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"figure.json", "figure.npz"})
            QTest::newRow(name) << name;
    }

    void aDiskThatFillsUpAnywhereLeavesTheOldFile() {
        QFETCH(QString, name);
        const Folder folder;
        const auto path = folder / name.toUtf8().constData();
        saveFigureData(path, example(), notes);
        const auto whole = fs::file_size(path);
        QVERIFY(whole > 300);
        writeFile(path, "old");
        for (std::uintmax_t bytes = 0; bytes < whole; ++bytes) {
            const FullDisk full(bytes);
            QVERIFY_EXCEPTION_THROWN(saveFigureData(path, example(), notes), trace::Refusal);
            QCOMPARE(contentOf(path), std::string("old"));
            QCOMPARE(filesIn(folder.path()), std::size_t{1});
        }
        const FullDisk enough(whole);
        saveFigureData(path, example(), notes);
        QCOMPARE(fs::file_size(path), whole);
    }
};

HEADSCOPE_TEST(FigureFilesTest)
#include "figure_files_test.moc"
