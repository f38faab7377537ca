#include "model/files/npy.h"
#include "tests/app/cli/cli_process.h"
#include "tests/model/engine/recordings.h"
#include "tests/model/files/read_npz.h"
#include "tests/registered_test.h"

#include <QJsonArray>

#include <csignal>

using namespace cli_process;
using namespace headscope;

class TranslateTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(name); }

  private Q_SLOTS:
    void oneLineOutForEveryLineIn() {
        const Result result =
            run({"translate", trained, "--quiet"}, "I love you.\n\n \t \nThe dogs are hungry.\n");
        QCOMPARE(result.status, 0);
        const auto lines = result.out.split('\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY(!lines[0].isEmpty() && !lines[3].isEmpty());
        QVERIFY(lines[1].isEmpty() && lines[2].isEmpty() && lines[4].isEmpty());
        QVERIFY2(result.err.isEmpty(), result.err);
    }

    void lineEndsMakeNoDifference() {
        const Result plain = run({"translate", trained}, "I see.\nYou see.\n");
        QCOMPARE(run({"translate", trained}, "I see.\r\nYou see.\r\n").out, plain.out);
        QCOMPARE(run({"translate", trained, "-"}, "I see.\nYou see.").out, plain.out);
        QCOMPARE(run({"translate", trained, "I see.", "You see."}).out, plain.out);
        writeFile(path("in.txt"), "I see.\nYou see.");
        const Result file = run({"translate", trained, "--input", path("in.txt")});
        QCOMPARE(file.out, plain.out);
        QVERIFY2(file.err.startsWith("opening " + trained.toUtf8()), file.err); // before any line is there
        QCOMPARE(run({"translate", trained, "--input", "-"}, "I see.\nYou see.").out, plain.out);
    }

    void nothingInIsNothingOut() {
        QCOMPARE(run({"translate", trained}).out, QByteArray());
        writeFile(path("empty.txt"), "");
        const Result result = run({"translate", trained, "--input", path("empty.txt")});
        QCOMPARE(result.status, 0);
        QCOMPARE(result.out, QByteArray());
    }

    void aRefusedLineIsEmptyAndTheOthersGoOn() {
        const Result plain = run({"translate", trained, "I see."});
        const Result result = run({"translate", trained}, "I see.\nk\xe4se\nI see.\n");
        QCOMPARE(result.status, 1);
        QCOMPARE(result.out, plain.out + "\n" + plain.out);
        QVERIFY(contains(result.err, {"line 2: ", "UTF-8"}));
    }

    void bracketsAreText() {
        for (const char* text : {"[a, b]", "[w1 w2]", "[]", "{}", "[", "%%"}) {
            const Result result = run({"translate", trained, text, "--json"});
            QCOMPARE(result.status, 0);
            QCOMPARE(result.out.count('\n'), 1);
            QCOMPARE(json(result.out)["source"].toString(), QString(text));
        }
        QCOMPARE(run({"translate", trained, "[a, b]", "c", "[d]"}).out.count('\n'), 3);
    }

    void aTextThatBeginsWithADashStandsAfterTwo() {
        QCOMPARE(run({"translate", trained, "-nice"}).status, 2);
        const Result result = run({"translate", trained, "--json", "hello", "--", "-nice", "--json"});
        QCOMPARE(result.status, 0);
        const auto lines = result.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(json(lines[1])["source"].toString(), QString("-nice"));
        QCOMPARE(json(lines[2])["source"].toString(), QString("--json"));
        QCOMPARE(run({"translate", trained, "--", "-nice"}).status, 0);
    }

    void jsonHasTheKeysOfTheContract() {
        const auto lines = run({"translate", trained, "--json"}, "I love you.\n\n").out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const auto first = json(lines[0]);
        QCOMPARE(first.keys(), (QStringList{"cut_off", "ids", "log_probability", "output", "pieces", "source",
                                            "source_ids"}));
        QVERIFY(first["cut_off"].isBool() && !first["cut_off"].toBool());
        QCOMPARE(first["ids"].toArray().size(), first["pieces"].toArray().size());
        QVERIFY(first["log_probability"].toDouble() < 0);
        QVERIFY(json(lines[1])["log_probability"].isNull());
        QCOMPARE(json(lines[1])["output"].toString(), QString());
    }

    void sourceIdsAreWhatTheEncoderWasFed() {
        const QString marian = HEADSCOPE_SOURCE "/tests/reference/marian-tiny";
        const QString text = "It is <pad> late.";
        const QStringList few{"--max-length", "3"}, padded{"--pad-source", "2", "--pad-target", "2"};
        const auto plain = json(run(QStringList{"translate", marian, "--json", text} + few).out);
        const auto said = json(run(QStringList{"translate", marian, "--json", text} + few + padded).out);
        const auto traced =
            run(QStringList{"trace", marian, "--source", text, "--out", path("fed.npz")} + few + padded);
        QCOMPARE(traced.status, 0);
        QJsonArray fed;
        for (const auto& array : read_npz::readNpz(path("fed.npz").toStdString()))
            if (array.name == "source_ids")
                for (const auto id : files::integersOf(array))
                    fed.append(static_cast<qint64>(id));
        QCOMPARE(said["source_ids"].toArray(), fed);
        const auto pad = fed.takeAt(fed.size() - 1);
        QCOMPARE(fed.takeAt(fed.size() - 1), pad);
        QCOMPARE(plain["source_ids"].toArray(), fed);
        QVERIFY(fed.contains(pad));          // it was typed
        QCOMPARE(said["ids"], plain["ids"]); // the padding behind the target is none of them
    }

    void anOutputWithoutAnEndIsNoted() {
        const Result whole = run({"translate", trained, "I love you."});
        QVERIFY2(!whole.err.contains("--max-length"), whole.err);
        const Result cut = run({"translate", trained, "I love you.", "--max-length", "2", "--json"});
        QCOMPARE(cut.status, 0);
        QVERIFY2(cut.err.contains("line 1: stopped at the limit of 2 tokens"), cut.err);
        QVERIFY(json(cut.out)["cut_off"].toBool());
    }

    void idsAreTakenInPlaceOfAText() {
        const auto text = json(run({"translate", trained, "I love you.", "--json"}).out);
        QStringList ids;
        for (const auto& id : text["source_ids"].toArray())
            ids += QString::number(id.toInt());
        const QStringList command{"translate", trained, "--source-ids", ids.join(',')};
        const auto said = json(run(command + QStringList{"--json"}).out);
        QVERIFY(!said.contains("source"));
        for (const char* key : {"ids", "output", "source_ids", "log_probability"})
            QCOMPARE(said[key], text[key]);
        QCOMPARE(run(command).out.trimmed(), text["output"].toString().toUtf8());
        QCOMPARE(run(command + QStringList{"I see."}).status, 2);
        QCOMPARE(run({"translate", trained, "--source-segments", "0"}).status, 2);
        const Result bare = run({"translate", tiny, "--source-ids", "5,6,7", "--max-length", "3"});
        QCOMPARE(bare.status, 0);
        QCOMPARE(bare.out.count(','), 2); // ids: there is no tokenizer
    }

    void anInputThatCannotBeReadIsRefused() {
        Result result = run({"translate", trained, "--input", path("missing.txt")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"missing.txt"}));
        result = run({"translate", trained, "--input", folder_.path()});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err));
    }

    void aModelWithoutATokenizerIsRefusedLineByLine() {
        const Result result = run({"translate", tiny, "Hello"});
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"no tokenizer", "--tokenizer"}));
    }

    void theInterruptEndsLongWork() {
        writeFile(path("long.txt"),
                  QByteArray("The dogs are hungry, and I have not seen them.\n").repeated(20'000));
        QProcess process;
        process.start(program, {"translate", trained, "--input", path("long.txt"), "--quiet"});
        QVERIFY(process.waitForReadyRead(60'000)); // the first line is out: it works
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        const Result result = resultOf(process);
        QCOMPARE(result.status, 130);
        QVERIFY(contains(result.err, {"interrupted"}));
        QVERIFY(result.out.isEmpty() || result.out.endsWith('\n'));
    }

    void theInterruptEndsWaitingForInput() {
        QProcess process;
        process.start(program, {"translate", trained});
        process.write("I see.\n");
        QVERIFY(process.waitForReadyRead(60'000));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QCOMPARE(resultOf(process).status, 130);
    }

    void outputThatCannotBeWrittenIsRefused() {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(program, {"translate", trained, "I see."});
        const Result result = resultOf(process);
        QCOMPARE(result.status, 1);
        QVERIFY(contains(result.err, {"cannot be written", "standard output"}));
    }

    void aWiderBeamNeverScoresWorse() {
        double before = -1e9;
        for (const char* beam : {"1", "2", "4"}) {
            const auto line = json(
                run({"translate", trained, "Where did you put the keys?", "--json", "--beam", beam}).out);
            // The same words may be computed together with others.
            const auto words = static_cast<double>(line["ids"].toArray().size());
            const auto limit =
                words * recordings::Precision::of("tatoeba-en-de").twoOfOurs("log_probabilities");
            QVERIFY(words > 0 && line["log_probability"].toDouble() >= before - limit.distance);
            before = line["log_probability"].toDouble();
        }
    }

    void aSeedDrawsTheSameTwice() {
        const QStringList draw{"translate",     trained, "I see.", "--sample",
                               "--temperature", "2",     "--seed", "3"};
        QCOMPARE(run(draw).out, run(draw).out);
        QCOMPARE(run(draw + QStringList{"--top-k", "1"}).out, run({"translate", trained, "I see."}).out);
    }

    void lengthsAndRepetitionAreObeyed() {
        const auto ids = [](const QStringList& options) {
            return json(run(QStringList{"translate", trained, "I see.", "--json"} + options).out)["ids"]
                .toArray();
        };
        QVERIFY(ids({"--min-length", "12"}).size() >= 12);
        QCOMPARE(ids({"--max-length", "2"}).size(), 2);
        QSet<int> different;
        const auto distinct = ids({"--min-length", "20", "--no-repeat", "1"});
        for (const auto& id : distinct)
            different.insert(id.toInt());
        QCOMPARE(different.size(), distinct.size());
    }

    void searchOptionsThatCannotBeAreRefusedBeforeAnyFileIsOpened_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("no beam") << QStringList{"--beam", "0"};
        QTest::newRow("a beam of words") << QStringList{"--beam", "four"};
        QTest::newRow("sampling in a beam") << QStringList{"--sample", "--beam", "4"};
        QTest::newRow("temperature without sampling") << QStringList{"--temperature", "2"};
        QTest::newRow("temperature 0") << QStringList{"--temperature", "0", "--sample"};
        QTest::newRow("top-p above 1") << QStringList{"--top-p", "1.5", "--sample"};
        QTest::newRow("negative seed") << QStringList{"--seed", "-1", "--sample"};
        QTest::newRow("no number") << QStringList{"--length-penalty", "nan"};
    }
    void searchOptionsThatCannotBeAreRefusedBeforeAnyFileIsOpened() {
        QFETCH(const QStringList, options);
        const Result result = run(QStringList{"translate", "no-such-model", "a"} + options);
        QCOMPARE(result.status, 2);
        QVERIFY(contains(result.err, {options.front().toUtf8()}));
    }

    void aMarianFolderDecodesByItsOwnSettings() {
        const QString marian = HEADSCOPE_SOURCE "/tests/reference/marian-tiny";
        QFile file(marian + "/generate.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto outputs = QJsonDocument::fromJson(file.readAll())["outputs"].toArray();
        for (int i = 0; i < 3; ++i) {
            const auto line = json(run({"translate", marian, "--json", outputs[i]["text"].toString()}).out);
            auto recorded = outputs[i]["default"]["ids"].toArray();
            recorded.removeFirst(); // the start token
            QCOMPARE(line["ids"].toArray(), recorded);
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TranslateTest)
#include "translate_test.moc"
