#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include <QDir>

#include <csignal>

using namespace cli_process;

class CommandLineTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }
    /// Its page, which the last line of a help names.
    static QString manualIn(const QByteArray& help) {
        const QString last = QString::fromUtf8(help).trimmed().section('\n', -1);
        return last.startsWith("Manual: ") ? last.section(' ', 1) : QString();
    }
    QByteArray tinyWeights() const { return contentOf(tiny + "/model.pt"); }

  private Q_SLOTS:
    void helpAndVersionAreEverywhere() {
        for (const char* command : {"info", "translate", "trace", "convert"}) {
            const Result result = run({command, "--help"});
            QCOMPARE(result.status, 0);
            QVERIFY(contains(result.out, {"MODEL", "--json", "--device", "--threads", "--quiet"}));
            QVERIFY(!result.out.contains("1048576"));
            QVERIFY(QFile::exists(manualIn(result.out)));
            QVERIFY(run({command, "--version"}).out.startsWith("headscope-cli "));
        }
        const Result help = run({"--help"});
        QCOMPARE(help.status, 0);
        QVERIFY(QFile::exists(manualIn(help.out)));
        const Result version = run({"--version"});
        QCOMPARE(version.status, 0);
        QVERIFY(version.out.startsWith("headscope-cli "));
    }

    void aModelOfTheHubThatIsMissingIsRefusedWithItsDownload() {
        const Result refused = run({"info", "no-such-org/no-such-model"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(contains(refused.err, {"no such model", "no-such-org/no-such-model",
                                        "hf download no-such-org/no-such-model"}),
                 refused.err);
    }

    void ofSeveralCheckpointsTheCommandForTheNewestIsNamed() {
        for (const char* name : {"checkpoint-500", "checkpoint-1000"}) {
            QVERIFY(QDir().mkpath(path("a run/") + name));
            writeFile(path("a run/") + name + "/model.pt", tinyWeights());
            writeFile(path("a run/") + name + "/config.json", contentOf(tiny + "/config.json"));
        }
        const QString newest = path("a run/checkpoint-1000");
        for (const QStringList& command : {QStringList{"translate", path("a run"), "--source-ids", "5,6"},
                                           QStringList{"render", path("a run"), "--source-ids", "5,6",
                                                       "--view", "heatmap", "--out", path("a.svg")}}) {
            const Result refused = run(command);
            QCOMPARE(refused.status, 1);
            const QString err = QString::fromUtf8(refused.err).simplified();
            QVERIFY2(err.contains(command.front() + " '" + newest + "' --source-ids"), refused.err);
        }
        QCOMPARE(run({"info", newest}).status, 0);
    }

    void anImpossibleCommandLineIsRefusedByNameBeforeAnythingIsOpened_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const QStringList trace{"trace", "/no/model", "--out", "t.npz"};
        QTest::newRow("nothing") << QStringList{} << "translate";
        QTest::newRow("command") << QStringList{"frobnicate"} << "frobnicate";
        QTest::newRow("no model") << QStringList{"info"} << "MODEL";
        QTest::newRow("option") << QStringList{"info", "/no/model", "--bogus"} << "--bogus";
        QTest::newRow("one more") << QStringList{"info", "/no/model", "x"} << "x";
        QTest::newRow("heads") << QStringList{"info", "/no/model", "--heads", "0"} << "--heads";
        QTest::newRow("heads text") << QStringList{"info", "/no/model", "--heads", "many"} << "--heads";
        QTest::newRow("hexadecimal heads") << QStringList{"info", "/no/model", "--heads", "0x8"} << "--heads";
        QTest::newRow("a sign") << QStringList{"info", "/no/model", "--start-id", "+2"} << "--start-id";
        QTest::newRow("no number") << QStringList{"info", "/no/model", "--norm-eps", "nan"} << "--norm-eps";
        QTest::newRow("norm") << QStringList{"info", "/no/model", "--norm", "middle"} << "--norm";
        QTest::newRow("device") << QStringList{"info", "/no/model", "--device", "tpu"} << "--device";
        QTest::newRow("threads") << QStringList{"info", "/no/model", "--threads", "0"} << "--threads";
        QTest::newRow("start") << QStringList{"info", "/no/model", "--start-id", "-1"} << "--start-id";
        QTest::newRow("suffix") << QStringList{"info", "/no/model", "--source-suffix", "3,x"}
                                << "--source-suffix";
        QTest::newRow("both inputs") << QStringList{"translate", "/no/model", "a", "--input", "b"}
                                     << "--input";
        QTest::newRow("length") << QStringList{"translate", "/no/model", "a", "--max-length", "0"}
                                << "--max-length";
        QTest::newRow("no source") << trace << "--source";
        QTest::newRow("two sources") << trace + QStringList{"--source", "a", "--source-ids", "5"}
                                     << "--source";
        QTest::newRow("ids") << trace + QStringList{"--source-ids", "5,,6"} << "--source-ids";
        QTest::newRow("no ids") << trace + QStringList{"--source-ids", ""} << "--source-ids";
        QTest::newRow("two targets") << trace +
                                            QStringList{"--source", "a", "--target", "b", "--target-ids", "2"}
                                     << "--target";
        QTest::newRow("nothing to continue")
            << trace + QStringList{"--source", "a", "--continue"} << "--continue";
        QTest::newRow("ending") << QStringList{"trace", "/no/model", "--source", "a", "--out", "t.csv"}
                                << "--out";
        QTest::newRow("no out") << QStringList{"convert", "/no/model"} << "--out";
        QTest::newRow("neither") << QStringList{"convert", "--out", "x"} << "--random";
        QTest::newRow("model and random")
            << QStringList{"convert", "/no/model", "--random", "c.json", "--out", "x"} << "--random";
        QTest::newRow("seed alone") << QStringList{"convert", "/no/model", "--seed", "3", "--out", "x"}
                                    << "--seed";
        QTest::newRow("seed") << QStringList{"convert", "--random", "c.json", "--seed", "-1", "--out", "x"}
                              << "--seed";
        QTest::newRow("precision") << QStringList{"convert", "/no/model", "--out", "x", "--precision", "f8"}
                                   << "--precision";
    }
    void anImpossibleCommandLineIsRefusedByNameBeforeAnythingIsOpened() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, named);
        const Result result = run(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY(contains(result.err, {named.toUtf8().constData()}));
        QVERIFY2(!result.err.contains("no such model"), result.err);
        QVERIFY(result.out.isEmpty());
    }

    void aDeviceThatIsNotThereIsRefused() {
        const Result result = run({"info", tiny, "--device", "cuda"});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"device", "cuda"}));
    }

    void infoSaysEverythingAsJson() {
        const Result result = run({"info", trained, "--json"});
        QCOMPARE(result.status, 0);
        const auto info = json(result.out);
        for (const char* key : {"name",
                                "path",
                                "family",
                                "family_title",
                                "architecture",
                                "encoder_layers",
                                "decoder_layers",
                                "encoder_heads",
                                "decoder_heads",
                                "d_model",
                                "d_ff",
                                "d_k",
                                "source_vocabulary",
                                "target_vocabulary",
                                "maximum_positions",
                                "parameters",
                                "bytes",
                                "tokenizer",
                                "special_tokens",
                                "source_language",
                                "target_language",
                                "label_smoothing",
                                "ignored_tensors",
                                "attribution"})
            QVERIFY2(info.contains(key), key);
        QCOMPARE(info["encoder_heads"].toInt(), 8);
        QCOMPARE(info["special_tokens"].toObject()["start"].toInt(), 2);
        QVERIFY(contains(run({"info", trained}).out, {"annotated-transformer", "3 encoder", "8 encoder"}));
        QVERIFY(json(run({"info", tiny, "--json"}).out)["tokenizer"].isNull());
    }

    void kernelsAreSelectedByAVariable() {
        const auto infoWith = [](const QString& kernels) {
            QProcess process;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("HEADSCOPE_KERNELS", kernels);
            process.setProcessEnvironment(environment);
            process.start(program, {"info", tiny, "--json"});
            return resultOf(process);
        };
        const auto info = json(infoWith("default").out);
        QCOMPARE(info["kernels"].toString(), "default");
        QVERIFY(info["computes_with"].toString().contains("default kernels"));
        const Result refused = infoWith("sse9");
        QCOMPARE(refused.status, 2);
        QVERIFY(contains(refused.err, {"HEADSCOPE_KERNELS", "sse9", "default, avx2 or avx512"}));
        for (const char* kernels : {"avx2", "avx512"}) {
            const Result result = infoWith(kernels);
            if (result.status == 0)
                QCOMPARE(json(result.out)["kernels"].toString(), kernels);
            else // this processor has none
                QVERIFY(result.status == 2 && contains(result.err, {"processor without AVX"}));
        }
    }

    void anExistingPathWinsOverABundledName() {
        QVERIFY(QDir(folder_.path()).mkdir(trained));
        for (const char* file : {"/model.pt", "/config.json"})
            QVERIFY(QFile::copy(tiny + file, path(trained + file)));
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(program, {"info", trained, "--json"});
        QCOMPARE(json(resultOf(process).out)["d_model"].toInt(), 12);
    }

    void aPathMayHaveSpacesAndBrackets() {
        const QString folder = path("my [best, last] model");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(tiny + "/model.pt", folder + "/model.pt"));
        QCOMPARE(run({"info", folder, "--heads", "3"}).status, 0);
        QCOMPARE(run({"info", folder + "/model.pt", "--heads", "3"}).status, 0);
    }

    void theCommandLineWinsOverTheFolder() {
        const auto heads = [](const QStringList& more) {
            return json(run(QStringList{"info", tiny, "--json"} + more).out)["encoder_heads"].toInt();
        };
        QCOMPARE(heads({}), 3);
        QCOMPARE(heads({"--heads", "6"}), 6);
        const Result result = run({"info", tiny, "--heads", "5"});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"--heads", "\"5\""}));
    }

    void aBadModelIsRefusedWithAWholeParagraph_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("missing") << "missing.pt" << QByteArray();
        QTest::newRow("truncated") << "cut.pt" << tinyWeights().left(5000);
        QTest::newRow("half") << "half.pt" << tinyWeights().left(tinyWeights().size() / 2);
        const QByteArray header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
        QByteArray length(8, '\0');
        length[0] = static_cast<char>(header.size());
        QTest::newRow("hole") << "hole.safetensors" << length + header + QByteArray(8, 'x');
        QTest::newRow("GGUF") << "llama.gguf"
                              << "GGUF" + QByteArray(100, '\3');
        QTest::newRow("text") << "notes.pt" << QByteArray("Dear diary, today");
        QTest::newRow("empty") << "empty.safetensors" << QByteArray("");
        QTest::newRow("folder") << "folder" << QByteArray();
    }
    void aBadModelIsRefusedWithAWholeParagraph() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        if (name == "folder")
            QVERIFY(QDir(folder_.path()).mkdir(name));
        else if (name != "missing.pt")
            writeFile(path(name), content);
        const Result result = run({"info", path(name)});
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {name.toUtf8().constData()}));
        QVERIFY(isWholeRefusal(result.err));
        QVERIFY(result.out.isEmpty());
    }

    void aBareCheckpointAsksForWhatItDoesNotSay() {
        QVERIFY(QFile::copy(tiny + "/model.pt", path("bare.pt")));
        const Result result = run({"info", path("bare.pt")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"--heads", "headscope.json"}));
        writeFile(path("headscope.json"), R"({"heads": 3})");
        QCOMPARE(run({"info", path("bare.pt")}).status, 0);
        writeFile(path("headscope.json"), R"({"heads": )");
        QCOMPARE(run({"info", path("bare.pt")}).status, 1);
        QVERIFY(QFile::remove(path("headscope.json")));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CommandLineTest)
#include "command_line_test.moc"
