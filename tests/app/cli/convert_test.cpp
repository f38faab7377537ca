#include <QDir>
#include <QJsonArray>
#include <QtEndian>

#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

using namespace cli_process;

class ConvertTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    /// Tensors of `rows` rows have `more`; what lies in them is a hole in the file.
    static void enlarge(const QString& file, qint64 rows, qint64 more) {
        QFile weights(file);
        QVERIFY(weights.open(QIODevice::ReadWrite));
        const auto length = qFromLittleEndian<quint64>(weights.read(8).constData());
        QJsonObject header = QJsonDocument::fromJson(weights.read(qint64(length))).object();
        qint64 end = 0;
        for (const QString& name : header.keys()) {
            if (name == "__metadata__")
                continue;
            QJsonObject tensor = header[name].toObject();
            qint64 bytes = 4;
            QJsonArray shape;
            for (const QJsonValue& size : tensor["shape"].toArray()) {
                shape.append(size.toInteger() == rows ? more : size.toInteger());
                bytes *= shape.last().toInteger();
            }
            tensor["shape"] = shape;
            tensor["data_offsets"] = QJsonArray{end, end += bytes};
            header[name] = tensor;
        }
        const QByteArray text = QJsonDocument(header).toJson(QJsonDocument::Compact);
        const quint64 size = qToLittleEndian<quint64>(quint64(text.size()));
        weights.resize(0);
        weights.seek(0);
        weights.write(reinterpret_cast<const char*>(&size), 8);
        weights.write(text);
        QVERIFY(weights.resize(8 + text.size() + end));
    }

  private Q_SLOTS:
    void init() {
        writeFile(path("config.json"), R"({"encoder_layers": 1, "model_width": 8, "heads": 2,
            "source_vocabulary_size": 9, "start_id": 2, "end_id": 3, "encoder_layrs": 2})");
    }

    void aConfigurationBecomesARandomModel() {
        const Result made =
            run({"convert", "--random", path("config.json"), "--out", path("made"), "--seed", "7", "--json"});
        QCOMPARE(made.status, 0);
        QCOMPARE(json(made.out)["seed"].toInt(), 7);
        QVERIFY(json(made.out)["parameters"].toInt() > 0);
        QVERIFY(contains(made.err, {"encoder_layrs"})); // misspelt keys are said
        const Result info = run({"info", path("made"), "--json"});
        QCOMPARE(json(info.out)["decoder_layers"].toInt(), 1);
        QCOMPARE(json(info.out)["parameters"], json(made.out)["parameters"]);
    }

    void whatWasWrittenCanBeGivenBack() {
        QCOMPARE(run({"convert", "--random", path("config.json"), "--out", path("one")}).status, 0);
        const Result again =
            run({"convert", "--random", path("one/config.json"), "--out", path("two"), "--quiet"});
        QCOMPARE(again.status, 0);
        QVERIFY2(again.err.isEmpty(), again.err);
        QCOMPARE(contentOf(path("one/config.json")), contentOf(path("two/config.json")));
        QCOMPARE(contentOf(path("one/model.safetensors")), contentOf(path("two/model.safetensors")));
        run({"convert", "--random", path("config.json"), "--out", path("other"), "--seed", "2"});
        QVERIFY(contentOf(path("one/model.safetensors")) != contentOf(path("other/model.safetensors")));
    }

    void halfPrecisionIsHalfTheFile() {
        run({"convert", "--random", path("config.json"), "--out", path("whole")});
        run({"convert", "--random", path("config.json"), "--out", path("half"), "--precision", "f16"});
        QVERIFY(contentOf(path("half/model.safetensors")).size() <
                contentOf(path("whole/model.safetensors")).size());
    }

    void aConfigurationThatDescribesNothingIsRefused() {
        writeFile(path("empty.json"), "{}");
        const Result empty = run({"convert", "--random", path("empty.json"), "--out", path("x")});
        QCOMPARE(empty.status, 1);
        QVERIFY(isWholeRefusal(empty.err));
        QVERIFY(contains(empty.err, {"encoder_layers", "model_width", "heads", "source_vocabulary_size"}));
        const Result missing = run({"convert", "--random", path("no.json"), "--out", path("x")});
        QCOMPARE(missing.status, 1);
        QVERIFY(isWholeRefusal(missing.err));
        QVERIFY(!QFile::exists(path("x")));
    }

    void aFolderInWhichNothingCouldBeSavedGoes() {
        const auto full = [&](const QString& folder) {
            return runWithoutRoom({"convert", trained, "--out", folder});
        };
        const Result result = full(path("above/model"));
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"model.safetensors"}));
        QVERIFY(!QFile::exists(path("above")));
        QVERIFY(QDir(folder_.path()).mkdir("empty"));
        QCOMPARE(full(path("empty")).status, 1);
        QVERIFY(QDir(path("empty")).isEmpty()); // it was there before
    }

    /// Before any of it is taken: more rows than any computer holds, in a file that takes no room.
    void aModelLargerThanTheMemoryIsRefused() {
        constexpr qint64 rows = 2'000'000'000;
        writeFile(path("huge.json"), R"({"encoder_layers": 1, "model_width": 65536, "heads": 2,
            "source_vocabulary_size": 2000000000, "target_vocabulary_size": 2000000000,
            "start_id": 2, "end_id": 3})");
        const Result random = run({"convert", "--random", path("huge.json"), "--out", path("y")});
        QCOMPARE(random.status, 1);
        QVERIFY2(contains(random.err, {"does not fit into this computer's memory", "free now"}), random.err);
        QVERIFY(!QFile::exists(path("y")));

        writeFile(path("wide.json"), R"({"encoder_layers": 1, "model_width": 256, "heads": 2,
            "source_vocabulary_size": 9, "start_id": 2, "end_id": 3})");
        QCOMPARE(run({"convert", "--random", path("wide.json"), "--out", path("small")}).status, 0);
        enlarge(path("small/model.safetensors"), 9, rows);
        writeFile(
            path("small/config.json"),
            contentOf(path("small/config.json")).replace(": 9,", ": " + QByteArray::number(rows) + ","));
        const Result opened = run({"info", path("small")});
        QCOMPARE(opened.status, 1);
        QVERIFY2(contains(opened.err, {"do not fit into this computer's memory", "close other"}), opened.err);
    }
};

HEADSCOPE_TEST(ConvertTest)
#include "convert_test.moc"
