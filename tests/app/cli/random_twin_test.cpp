#include "tests/app/cli/cli_process.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include <QDir>
#include <QJsonArray>
#include <QtEndian>

#include <algorithm>

using namespace cli_process;
using namespace headscope;

/// The model's twin with random weights, on the command line.
class RandomTwinTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    Result trace(const QString& model, const QString& out, const QStringList& more = {}) const {
        return run(QStringList{"trace", model, "--source-ids", "9,4,16,7,12,5,3", "--target-ids",
                               "2,14,6,11,8", "--log-probabilities", "--json", "--out", path(out)} +
                   more);
    }

    std::vector<files::NamedArray> arrays(const QString& name) const {
        return read_npz::readNpz(path(name).toStdString());
    }

    static bool same(const std::vector<files::NamedArray>& some,
                     const std::vector<files::NamedArray>& others) {
        return std::ranges::equal(some, others, [](const auto& one, const auto& other) {
            return one.name == other.name && std::ranges::equal(one.bytes, other.bytes);
        });
    }

  private Q_SLOTS:
    void itsTraceIsThatOfTheRandomModelOfTheSameSeed() {
        QCOMPARE(run({"convert", tiny, "--precision", "f16", "--out", path("model")}).status, 0);
        QCOMPARE(
            run({"convert", "--random", path("model/config.json"), "--seed", "5", "--out", path("random")})
                .status,
            0);
        QCOMPARE(trace(path("random"), "random.npz").status, 0);
        QCOMPARE(trace(tiny, "twin.npz", {"--random-twin", "5"}).status, 0);
        QCOMPARE(trace(tiny, "other.npz", {"--random-twin", "6"}).status, 0);
        QVERIFY(same(arrays("twin.npz"), arrays("random.npz")));
        QVERIFY(!same(arrays("twin.npz"), arrays("other.npz")));
    }

    void resultsNameIt() {
        const Result twin = trace(tiny, "named.safetensors", {"--random-twin", "5"});
        QCOMPARE(json(twin.out)["random_twin"].toInt(), 5);
        QVERIFY(contains(contentOf(path("named.safetensors")),
                         {"annotated-tiny, random weights (seed 5)", "random_twin"}));
        QVERIFY(!json(trace(tiny, "plain.npz").out).contains("random_twin"));
        const Result said = run({"translate", trained, "--json", "--random-twin", "3", "It rains."});
        QCOMPARE(said.status, 0);
        QCOMPARE(json(said.out)["random_twin"].toInt(), 3);
        QVERIFY(json(said.out)["output"] !=
                json(run({"translate", trained, "--json", "It rains."}).out)["output"]);
    }

    void itsHeadsAreMeasured() {
        writeFile(path("corpus.txt"), "I see.\n");
        const QStringList words{"heads",        trained, "--corpus", path("corpus.txt"),
                                "--max-length", "5",     "--quiet"};
        const auto twin = json(run(words + QStringList{"--json", "--random-twin", "3"}).out);
        QCOMPARE(twin["random_twin"].toInt(), 3);
        QCOMPARE(twin["heads"].toArray().size(), 3 * 3 * 8);
        QVERIFY(twin["heads"] != json(run(words + QStringList{"--json"}).out)["heads"]);
        QVERIFY(contains(run(words + QStringList{"--random-twin", "3"}).out, {"random twin, seed 3\n"}));
    }

    /// Otherwise the twin's decoder would be measured on other sequences than the model's.
    void itsHeadsAreMeasuredOnTheModelsOutput() {
        writeFile(path("corpus.txt"), "I see.\n");
        const QStringList words{"heads",        trained, "--corpus", path("corpus.txt"),
                                "--max-length", "5",     "--quiet",  "--json"};
        const QStringList ofTwin{"--random-twin", "3"};
        const auto model = json(run(words).out), twin = json(run(words + ofTwin).out);
        QCOMPARE(twin["tokens"], model["tokens"]);

        // The same from the twin's log-probabilities of the model's tokens, with and without a head.
        const auto said = json(run({"translate", trained, "--json", "--max-length", "5", "I see."}).out);
        QString fed = "2";
        for (const auto& id : said["ids"].toArray())
            fed += ',' + QString::number(id.toInt());
        double largest = 0;
        const auto sumWith = [&](const QStringList& more) {
            const Result result = run(QStringList{"trace", trained, "--source", "I see.", "--target-ids", fed,
                                                  "--log-probabilities", "--out", path("forced.npz")} +
                                      ofTwin + more);
            double sum = 0;
            for (const auto& array : arrays("forced.npz"))
                if (array.name == "log_probabilities") {
                    const auto values = files::floatsOf(array);
                    const auto ids = said["ids"].toArray();
                    largest = std::max(largest, tests::largestSize(values));
                    for (int t = 0; t < ids.size(); ++t)
                        sum += values[static_cast<std::size_t>(t * array.shape[1] + ids[t].toInt())];
                }
            return result.status == 0 ? sum : 0;
        };
        const double whole = sumWith({});
        int compared = 0;
        for (const char* head : {"cross.1.2", "decoder.0.3", "encoder.2.7"})
            for (const auto& line : twin["heads"].toArray())
                if (const auto measured = line.toObject(); measured["head"] == QString(head)) {
                    const double lost = (whole - sumWith({"--disable-head", head})) / model["tokens"].toInt();
                    // Of a mean of differences of two log-probabilities.
                    VERIFY_AGREES(tests::compare("importance", measured["importance"].toDouble(), lost,
                                                 2 * recordings::Precision::of("tatoeba-en-de")
                                                         .twoOfOurs("log_probabilities", largest)));
                    ++compared;
                }
        QCOMPARE(compared, 3);
    }

    /// The model, whose numbers are not finite, would be refused if it were run.
    void ofAnEncoderAloneOnlyTheTwinIsRun() {
        const QString from = HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked";
        QVERIFY(QDir().mkpath(path("encoder")));
        for (const QString& name : QDir(from).entryList({"*.json"}, QDir::Files))
            QVERIFY(QFile::copy(from + '/' + name, path("encoder/" + name)));
        QByteArray weights = contentOf(from + "/model.safetensors");
        const auto numbers = static_cast<qsizetype>(qFromLittleEndian<quint64>(weights.constData())) + 8;
        weights.replace(numbers, weights.size() - numbers,
                        QByteArray(weights.size() - numbers, '~')); // 8.5e37 each
        writeFile(path("encoder/model.safetensors"), weights);
        writeFile(path("masked.txt"), "the [MASK] sat\n");
        const QStringList words{"heads", path("encoder"), "--corpus", path("masked.txt"), "--quiet"};
        QVERIFY2(contains(run(words).err, {"not finite"}), "the model");
        const Result twin = run(words + QStringList{"--random-twin", "3"});
        QVERIFY2(twin.status == 0, twin.err);
    }

    void itsHeadStatisticsAreOfTheModelsOutput() {
        writeFile(path("corpus.txt"), "I see.\nThe dogs are hungry.\n");
        const QStringList words{"heads",        trained,  "--corpus", path("corpus.txt"),
                                "--statistics", "--json", "--quiet"};
        const auto rowsOf = [](const Result& result) {
            QHash<QString, int> rows;
            for (const auto& line : json(result.out)["heads"].toArray())
                rows[line.toObject()["head"].toString()] = line.toObject()["rows"].toInt();
            return rows;
        };
        const auto model = rowsOf(run(words));
        QVERIFY(model["cross.0.0"] > 0);
        QCOMPARE(rowsOf(run(words + QStringList{"--random-twin", "3"})), model);
    }

    void aSeedIsAWholeNumber() {
        for (const char* seed : {"-1", "0x8", "one", "18446744073709551616", ""}) {
            const Result result = run({"translate", "/no/model", "--random-twin", seed, "Hello."});
            QCOMPARE(result.status, 2);
            QVERIFY(contains(result.err, {"--random-twin"}));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RandomTwinTest)
#include "random_twin_test.moc"
