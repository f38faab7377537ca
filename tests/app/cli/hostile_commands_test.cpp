#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cli_process;

namespace {

const QString shortSentence = "I like it.";

/// The program as a shell starts it, with what is said before it, such as limits.
Result shell(const QString& before, const QStringList& arguments, const QString& after = {}) {
    QStringList quoted;
    for (QString argument : arguments)
        quoted += '\'' + argument.replace('\'', R"('\'')") + '\'';
    QProcess process;
    process.start("sh", {"-c", before + " exec " + program + ' ' + quoted.join(' ') + ' ' + after});
    return resultOf(process);
}

/// A folder with a trained model of 41 MB, which a test may damage.
class ModelFolder {
  public:
    ModelFolder() {
        for (const auto& file :
             QDir(HEADSCOPE_SOURCE "/resources/models/" + trained).entryInfoList(QDir::Files))
            QFile::copy(file.filePath(), path(file.fileName()));
    }

    QString path(const QString& name = {}) const {
        return name.isEmpty() ? folder_.path() : folder_.filePath(name);
    }

    /// Sets a key of its config.json.
    void set(const char* key, const QJsonValue& value) const {
        auto config = json(contentOf(path("config.json")));
        config[key] = value;
        QFile::setPermissions(path("config.json"), QFile::ReadOwner | QFile::WriteOwner);
        writeFile(path("config.json"), QJsonDocument(config).toJson());
    }

    QByteArray hash() const {
        QCryptographicHash hash(QCryptographicHash::Sha1);
        for (const auto& file : QDir(folder_.path()).entryList(QDir::Files, QDir::Name))
            hash.addData(file.toUtf8() + contentOf(path(file)));
        return hash.result();
    }

  private:
    QTemporaryDir folder_;
};

} // namespace

/// What a careless or hostile hand can give the command line.
class HostileCommandsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aConfigurationThatContradictsTheWeightsIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("value");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("heads") << "num_attention_heads" << 2 << QByteArray("head_width");
        QTest::newRow("width") << "head_dim" << 12 << QByteArray("head_width");
        QTest::newRow("keys") << "num_key_value_heads" << 4 << QByteArray("key_value_heads");
    }

    void aConfigurationThatContradictsTheWeightsIsRefused() {
        QFETCH(QString, key);
        QFETCH(int, value);
        QFETCH(QByteArray, told);
        const QString llama = HEADSCOPE_SOURCE "/tests/reference/hugging-face/llama-tiny";
        const QTemporaryDir folder;
        QVERIFY(QFile::copy(llama + "/model.safetensors", folder.filePath("model.safetensors")));
        QFile original(llama + "/config.json"), changed(folder.filePath("config.json"));
        QVERIFY(original.open(QIODevice::ReadOnly) && changed.open(QIODevice::WriteOnly));
        auto config = json(original.readAll());
        config[key] = value;
        changed.write(QJsonDocument(config).toJson());
        changed.close();
        const Result result = run({"info", folder.path()});
        QCOMPARE(result.status, 1);
        QVERIFY2(isWholeRefusal(result.err) && contains(result.err, {told.constData(), "config.json"}),
                 result.err);
        QVERIFY(!result.err.contains("give --")); // there is no such option
    }

    void noOutputReplacesTheModelThatIsRead() {
        const ModelFolder model;
        QVERIFY(QFile::link(model.path("model.safetensors"), model.path("link.npz")));
        const auto before = model.hash();
        const QString corpus = model.path() + ".tsv";
        writeFile(corpus, "I like it.\tIch mag es.\n");
        const QList<QStringList> commands{
            {"trace", model.path(), "--source", shortSentence, "--out", model.path("model.safetensors")},
            {"trace", model.path(), "--source", shortSentence, "--out", model.path("link.npz")},
            {"evaluate", model.path(), "--corpus", corpus, "--out", model.path("config.json")},
            {"evaluate", model.path(), "--corpus", corpus, "--out", corpus}};
        for (const auto& command : commands) {
            const Result result = run(command);
            QCOMPARE(result.status, 1);
            QVERIFY2(isWholeRefusal(result.err), result.err.constData());
            QCOMPARE(model.hash(), before);
        }
        QCOMPARE(contentOf(corpus), QByteArray("I like it.\tIch mag es.\n"));
        QFile::remove(corpus);
    }

    void aTraceIsNotDrawnOntoItself() {
        SKIP_WITHOUT_WINDOW();
        const QTemporaryDir folder;
        const QString trace = folder.filePath("trace.safetensors");
        const QString link = folder.filePath("trace.csv");
        QCOMPARE(run({"trace", tiny, "--source-ids", "5,6,3", "--out", trace}).status, 0);
        QCOMPARE(::link(trace.toLocal8Bit().constData(), link.toLocal8Bit().constData()), 0);
        const auto before = contentOf(trace);
        const Result result = run({"render", trace, "--view", "heatmap", "--out", link});
        QCOMPARE(result.status, 1);
        QVERIFY2(isWholeRefusal(result.err), result.err.constData());
        QCOMPARE(contentOf(trace), before);
    }

    void numbersThatAreNotFiniteAreNoTranslation() {
        const ModelFolder model;
        model.set("embedding_scale", 3e38);
        const QString corpus = model.path() + ".tsv";
        writeFile(corpus, "I like it.\tIch mag es.\n");
        const QList<QStringList> commands{
            {"translate", model.path(), shortSentence},
            {"translate", model.path(), shortSentence, "--beam", "3"},
            {"translate", model.path(), shortSentence, "--sample", "--seed", "1"},
            {"evaluate", model.path(), "--corpus", corpus},
            {"heads", model.path(), "--corpus", corpus},
            {"heads", model.path(), "--corpus", corpus, "--statistics"}};
        for (const auto& command : commands) {
            const Result result = run(command);
            QCOMPARE(result.status, 1);
            QVERIFY2(contains(result.err, {"not finite", "Where: ", "What to do: "}), result.err.constData());
            QVERIFY2(!result.out.contains("nan"), result.out.constData());
        }
        // What is for looking is written, says so, and opens again.
        const QString trace = model.path() + ".safetensors";
        const Result traced =
            run({"trace", model.path(), "--source", shortSentence, "--out", trace, "--json"});
        QCOMPARE(traced.status, 3);
        QCOMPARE(json(traced.out)["self_check"].toObject()["state"].toString(), QString("failed"));
        SKIP_WITHOUT_WINDOW();
        for (const QString& from : {model.path(), trace}) {
            const QString picture = model.path() + ".png";
            QStringList command{"render", from, "--view", "heatmap", "--out", picture};
            if (from != trace)
                command += {"--source", shortSentence};
            const Result drawn = run(command);
            QCOMPARE(drawn.status, 3);
            QVERIFY(drawn.err.contains("self-check failed"));
            QVERIFY(QFile::remove(picture));
        }
        const Result info = run({"info", trace, "--json"});
        QCOMPARE(info.status, 0);
        QCOMPARE(json(info.out)["trace"].toObject()["self_check"].toObject()["state"].toString(),
                 QString("failed"));
        QFile::remove(trace);
        QFile::remove(corpus);
    }

    void aSettingOfAWrongTypeIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("object") << "norm" << QJsonValue(QJsonObject());
        QTest::newRow("list") << "norm_eps" << QJsonValue(QJsonArray{1e-6});
        QTest::newRow("empty list as text") << "source_suffix" << QJsonValue("");
        QTest::newRow("list of lists") << "source_suffix" << QJsonValue(QJsonArray{QJsonArray{3}});
        QTest::newRow("below an option's range") << "norm_eps" << QJsonValue(-9.2e18);
        QTest::newRow("above it") << "norm_eps" << QJsonValue(2);
        QTest::newRow("no float32") << "embedding_scale" << QJsonValue(1e308);
        QTest::newRow("family") << "family" << QJsonValue(QJsonObject());
    }
    void aSettingOfAWrongTypeIsRefused() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        const ModelFolder model;
        model.set(key.toLatin1().constData(), value);
        const Result result = run({"translate", model.path(), shortSentence});
        QCOMPARE(result.status, 1);
        QVERIFY2(isWholeRefusal(result.err), result.err.constData());
        QVERIFY(result.err.contains(key.toUtf8()));
        // Null is as good as absent.
        model.set(key.toLatin1().constData(), QJsonValue());
        const Result absent = run({"translate", model.path(), shortSentence});
        QVERIFY(key == "source_suffix" || absent.out == "Ich mag es.\n" || absent.status == 1);
    }

    void whatIsNoFileIsNotAbsent() {
        const ModelFolder model;
        const auto refuses = [&](const char* what) {
            const Result result = run({"info", model.path()});
            if (result.status != 1 || !isWholeRefusal(result.err) ||
                !result.err.contains("generation_config.json"))
                qFatal("%s: %s", what, result.err.constData());
            QFile::remove(model.path("generation_config.json"));
        };
        const QByteArray path = model.path("generation_config.json").toLocal8Bit();
        QCOMPARE(::mkfifo(path.constData(), 0600), 0);
        refuses("a pipe");
        QCOMPARE(::symlink("/dev/null", path.constData()), 0);
        refuses("a device");
        QCOMPARE(::symlink("generation_config.json", path.constData()), 0);
        refuses("a loop");
        QCOMPARE(::symlink("nowhere", path.constData()), 0);
        refuses("a link to nothing");
        QVERIFY(QDir(model.path()).mkdir("generation_config.json"));
        const Result folder = run({"info", model.path()});
        QCOMPARE(folder.status, 1);
        QVERIFY(isWholeRefusal(folder.err));
    }

    void linksAreToldAndTheirContentIsNot() {
        const ModelFolder model;
        const QTemporaryDir elsewhere;
        writeFile(elsewhere.filePath("secret"), "secret-password: 12345\n");
        const QString vocabulary = elsewhere.filePath("spm.model");
        QVERIFY(QFile::rename(model.path("spm.model"), vocabulary));
        QVERIFY(QFile::link(vocabulary, model.path("spm.model")));
        const Result info = run({"info", model.path(), "--json"});
        QCOMPARE(info.status, 0);
        QCOMPARE(json(info.out)["links"].toObject()["spm.model"].toString(),
                 QFileInfo(vocabulary).canonicalFilePath());
        QVERIFY(run({"info", model.path()}).out.contains("spm.model leads to"));
        QFile::remove(model.path("config.json"));
        QVERIFY(QFile::link(elsewhere.filePath("secret"), model.path("config.json")));
        const Result refused = run({"info", model.path()});
        QCOMPARE(refused.status, 1);
        QVERIFY2(!refused.err.contains("password") && !refused.err.contains("12345"),
                 refused.err.constData());
        QVERIFY(contains(refused.err, {"a link to", "What to do: "}));
    }

    void aVocabularyOfTooFewWordsIsRefused() {
        const QTemporaryDir folder;
        writeFile(folder.filePath("config.json"),
                  R"({"encoder_layers": 1, "decoder_layers": 1, "model_width": 8,
            "feed_forward_width": 8, "heads": 1, "source_vocabulary_size": 12, "target_vocabulary_size": 12,
            "maximum_positions": 20})");
        const QString model = folder.filePath("model");
        QCOMPARE(run({"convert", "--random", folder.filePath("config.json"), "--out", model}).status, 0);
        for (const int words : {12, 11}) {
            QByteArray list;
            for (int word = 0; word < words; ++word)
                list += "word" + QByteArray::number(word) + '\n';
            writeFile(folder.filePath("words"), list);
            const Result info =
                run({"info", model, "--source-vocabulary", folder.filePath("words"), "--unknown-id", "1"});
            QCOMPARE(info.status, words == 12 ? 0 : 1);
            QVERIFY(words == 12 || contains(info.err, {"12 tokens", "11 tokens"}));
        }
    }

    void noControlCharacterReachesATerminal() {
        const ModelFolder model;
        model.set("name", "evil\x1b]0;title\x07name");
        const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
        QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
        const QString name = ::ptsname(terminal);
        const int keep =
            ::open(::ptsname(terminal), O_RDWR | O_NOCTTY); // what was written stays until it is read
        ::fcntl(terminal, F_SETFL, O_NONBLOCK);
        QProcess process;
        process.start("sh", {"-c", program + " info " + model.path() + " > " + name + " 2>&1"});
        QByteArray seen;
        QByteArray part(4096, 0);
        const auto read = [&] {
            for (ssize_t got; (got = ::read(terminal, part.data(), 4096)) > 0;)
                seen += part.left(static_cast<int>(got));
        };
        while (!process.waitForFinished(5))
            read();
        read();
        ::close(keep);
        ::close(terminal);
        QVERIFY2(seen.contains("evil\\x1b]0;title\\x07name"), seen.constData());
        QVERIFY(!seen.contains('\x1b') && !seen.contains('\x07'));
        // A pipe gets what is there.
        QVERIFY(shell({}, {"info", model.path()}).out.contains("evil\x1b]0;title"));
    }

    void tooLittleMemoryIsNamed_data() {
        QTest::addColumn<int>("kilobytes");
        for (const int kilobytes : {100'000, 300'000, 450'000, 580'000, 650'000, 750'000})
            QTest::addRow("%d", kilobytes) << kilobytes;
    }
    void tooLittleMemoryIsNamed() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer maps terabytes");
#endif
        QFETCH(int, kilobytes);
        const Result result = shell(QString("ulimit -c 0; ulimit -v %1;").arg(kilobytes),
                                    {"translate", trained, shortSentence});
        if (result.status == 0) { // LibTorch of another system may need less
            QCOMPARE(result.out, QByteArray("Ich mag es.\n"));
            return;
        }
        QCOMPARE(result.status, 1);
        QVERIFY2(isWholeRefusal(result.err), result.err.constData());
        QVERIFY(contains(result.err, {"memory", " free", "ulimit -v"}));
        QVERIFY(!result.err.contains("install"));
    }

    void aFullDeviceIsAnErrorOfTheHelpToo() {
        for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"--version"},
                                             QStringList{"info", "--help"}, QStringList{"info", trained}}) {
            const Result result = shell({}, arguments, "> /dev/full");
            QCOMPARE(result.status, 1);
            QVERIFY(result.err.contains("standard output"));
        }
    }

    void anEndlessLineIsRefused() {
        const Result result = run({"translate", tiny, "--input", "/dev/zero"});
        QCOMPARE(result.status, 1);
        QVERIFY2(isWholeRefusal(result.err), result.err.constData());
    }

    void aSignalEndsWithItsStatus() {
        for (const int signal : {SIGINT, SIGTERM}) {
            QProcess process;
            process.start(program, {"translate", trained}); // waits for a line
            QVERIFY(process.waitForStarted());
            QTest::qWait(100); // a signal before main() would end it in another way
            ::kill(static_cast<pid_t>(process.processId()), signal);
            QVERIFY(process.waitForFinished(10'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 128 + signal);
        }
    }

    void aTerminatedWindowEndsWithItsStatus() {
        SKIP_WITHOUT_WINDOW();
        const QTemporaryDir home;
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            environment.insert(name, home.path());
        process.setProcessEnvironment(environment);
        process.start(HEADSCOPE_BUILD "/bin/headscope", {"toy-reverse"});
        QVERIFY(process.waitForStarted());
        // The folder of saved work is made by the window, which then handles signals.
        QTRY_VERIFY(QDir(home.path() + "/headscope/headscope/autosave").exists());
        QTest::qWait(200);
        process.terminate();
        QVERIFY(process.waitForFinished(10'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + SIGTERM);
    }

    void withoutADisplayTheWindowNamesTheCommandLine() {
        SKIP_WITHOUT_WINDOW();
        for (const char* display : {"", ":12345"}) {
            QProcess process;
            auto environment = QProcessEnvironment::systemEnvironment();
            for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
                environment.remove(name);
            if (*display)
                environment.insert("DISPLAY", display);
            process.setProcessEnvironment(environment);
            process.start(HEADSCOPE_BUILD "/bin/headscope", {});
            const Result result = resultOf(process);
            QCOMPARE(result.status, 1);
            QVERIFY2(isWholeRefusal(result.err), result.err.constData());
            QVERIFY(result.err.contains("headscope-cli"));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, HostileCommandsTest)
#include "hostile_commands_test.moc"
