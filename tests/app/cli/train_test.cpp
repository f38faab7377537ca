#include "tests/app/cli/cli_process.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <QDir>

#include <cmath>
#include <csignal>
#include <string>
#include <tuple>

using namespace cli_process;
namespace tests = headscope::tests;

class TrainTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    QString configuration(const QString& name, const QJsonObject& training,
                          const QJsonObject& corpus = {}) const {
        QJsonObject toy{{"task", "copy"}, {"words", 6}, {"longest_sentence", 6}, {"sentences", 2000}};
        for (auto key = corpus.begin(); key != corpus.end(); ++key)
            toy[key.key()] = key.value();
        const QJsonObject config{{"corpus", toy},
                                 {"network", QJsonObject{{"encoder_layers", 1},
                                                         {"model_width", 32},
                                                         {"heads", 2},
                                                         {"maximum_positions", 64}}},
                                 {"training", training},
                                 {"schedule", QJsonObject{{"rate", 0.005}, {"warm_up", 50}}},
                                 {"model", name}};
        writeFile(path(name + ".json"), QJsonDocument(config).toJson());
        return path(name + ".json");
    }

  private Q_SLOTS:
    void aTrainedModelOpensTranslatesAndIsEvaluated() {
        const auto config = configuration(
            "copy", {{"steps", 500}, {"batch_tokens", 256}, {"dropout", 0}, {"label_smoothing", 0}});
        const Result trained = run({"train", config, "--json"});
        QVERIFY2(trained.status == 0, trained.err.constData());
        QVERIFY(json(trained.out)["accuracy"].toDouble() > 0.9);
        QVERIFY(contains(trained.err, {"loss", "tokens/s", "rate", "left", "->"}));
        QCOMPARE(run({"info", path("copy"), "--json"}).status, 0);
        const Result translated = run({"translate", path("copy"), "w3 w1 w4"});
        QCOMPARE(translated.out, QByteArray("w3 w1 w4\n"));
        writeFile(path("copy.tsv"), "w3 w1 w4 w2 w6\tw3 w1 w4 w2 w6\nw2 w2 w5 w1\tw2 w2 w5 w1\n");
        const Result evaluated = run({"evaluate", path("copy"), "--corpus", path("copy.tsv"), "--json"});
        QVERIFY2(evaluated.status == 0, evaluated.err.constData());
        QVERIFY(json(evaluated.out)["bleu"].toDouble() > 50);
        QVERIFY2(contains(evaluated.err, {"translated 2 of 2"}), evaluated.err.constData());
        QVERIFY(json(evaluated.out)["loss"].toDouble() < 0.5);
        QCOMPARE(json(evaluated.out)["tokens"].toInt(), 11); // with the ends
    }

    void progressIsTheLogsNumbersAsAnObjectALine() {
        const auto config = configuration(
            "told", {{"steps", 100}, {"batch_tokens", 256}, {"validate_every", 50}, {"bleu_sentences", 10}});
        const Result trained = run({"train", config, "--progress-json"});
        QVERIFY2(trained.status == 0, trained.err.constData());
        QList<QJsonObject> validated;
        for (const QByteArray& line : trained.err.trimmed().split('\n')) {
            const auto object = json(line);
            QVERIFY2(!object.isEmpty(), line.constData());
            QVERIFY(object.contains("message") != object.contains("step"));
            if (object.contains("validation"))
                validated += object;
        }
        QCOMPARE(validated.size(), 2);
        const auto last = validated.back();
        QCOMPARE(last["step"].toInt(), 100);
        QCOMPARE(last["steps"].toInt(), 100);
        QVERIFY(!last["sample"].toObject()["source"].toString().isEmpty());
        const auto validation = last["validation"].toObject();
        const auto entropy = validation["entropy"].toObject();
        const auto log = contentOf(path("told.training/log.csv")).trimmed().split('\n');
        const auto titles = log.front().split(',');
        const auto cells = log.back().split(',');
        QCOMPARE(cells.size(), titles.size());
        const auto logged = [&](const char* title) { return cells[titles.indexOf(title)].toDouble(); };
        const auto agrees = [&](const char* title, double expected) { // seven digits
            const int after = expected > 0 ? 6 - static_cast<int>(std::floor(std::log10(expected))) : 6;
            return tests::compare(title, logged(title), expected, tests::ofDigits(after));
        };
        VERIFY_AGREES(agrees("valid_loss", validation["loss"].toDouble()));
        VERIFY_AGREES(agrees("bleu", validation["bleu"].toDouble()));
        for (const char* kind : {"encoder", "decoder", "cross"})
            VERIFY_AGREES(agrees((std::string("entropy_") + kind).c_str(), entropy[kind].toDouble()));
        QVERIFY(entropy["encoder"].toDouble() > 0);
    }

    void whatCannotBeTrainedIsRefusedInWordsWithProgressAsJsonToo() {
        const auto config =
            configuration("nothing", {{"steps", 3}}, {{"task", "translate"}, {"train", "no-such.tsv"}});
        const Result refused = run({"train", config, "--progress-json"});
        QCOMPARE(refused.status, 1);
        QVERIFY(isWholeRefusal(refused.err));
    }

    void theFolderOfEveryFamilyEvaluatesToTheLossThatWasReported_data() {
        QTest::addColumn<QString>("family");
        for (const QFileInfo& table : QDir(HEADSCOPE_SOURCE "/resources/families").entryInfoList({"*.json"}))
            QTest::newRow(qPrintable(table.baseName())) << table.baseName();
    }
    void theFolderOfEveryFamilyEvaluatesToTheLossThatWasReported() {
        QFETCH(QString, family);
        const bool classifies = family.contains("classifier");
        const QStringList words{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"};
        QByteArray train, valid;
        for (int line = 0; line < 200; ++line) {
            const QString first = words[line % 6], second = words[line * 7 / 6 % 6];
            const QString pair = classifies
                                     ? QString("%1\t%2 %3\n").arg(line % 3 ? "good" : "bad", first, second)
                                     : QString("%1 %2\t%2 %1\n").arg(first, second);
            (line % 8 ? train : valid) += pair.toUtf8();
        }
        writeFile(path("train.tsv"), train);
        writeFile(path("valid.tsv"), valid);
        QJsonObject network{{"family", family}, {"encoder_layers", 1},      {"model_width", 16},
                            {"heads", 2},       {"feed_forward_width", 32}, {"maximum_positions", 256}};
        QJsonObject corpus{{"train", path("train.tsv")}, {"valid", path("valid.tsv")}};
        if (classifies)
            corpus["task"] = "classify";
        else
            network["decoder_layers"] = 1;
        const QJsonObject vocabulary = family == "marian" // whose tokenizer has two models
                                           ? QJsonObject{{"kind", "unigram"}, {"size", 26}, {"shared", false}}
                                           : QJsonObject{{"kind", "words"}, {"size", 20}};
        writeFile(path("family.json"),
                  QJsonDocument(
                      QJsonObject{{"corpus", corpus},
                                  {"vocabulary", vocabulary},
                                  {"network", network},
                                  {"training",
                                   QJsonObject{{"steps", 40}, {"batch_tokens", 256}, {"label_smoothing", 0}}},
                                  {"precision", "f32"},
                                  {"model", family}})
                      .toJson());
        const Result trained = run({"train", path("family.json"), "--json", "--quiet"});
        const bool cannotBeMade = trained.err.contains("network that can be made");
        if (trained.status == 1 && (cannotBeMade || trained.err.contains("cannot be trained"))) {
            // Others are stacks without embeddings, decoders alone, or have positions within attention.
            const QStringList trainable{"annotated-transformer",
                                        "bart",
                                        "headscope",
                                        "imdb-classifier",
                                        "m2m100",
                                        "marian",
                                        "mbart",
                                        "nyu-classifier",
                                        "pegasus",
                                        "pi-tau",
                                        "shared-attention",
                                        "torch-translation-tutorial"};
            QVERIFY(!trainable.contains(family));
            return;
        }
        QVERIFY2(trained.status == 0, trained.err.constData());
        const Result evaluated =
            run({"evaluate", path(family), "--corpus", path("valid.tsv"), "--json", "--quiet"});
        QVERIFY2(evaluated.status == 0, evaluated.err.constData());
        const double reported = json(trained.out)["loss"].toDouble();
        QVERIFY(reported > 0);
        // By the same code from the same parameters; losses are summed in float64 in any order.
        const auto found = json(evaluated.out);
        const auto losses = static_cast<std::size_t>(found["tokens"].toInt());
        VERIFY_AGREES(tests::compare("loss", found["loss"].toDouble(), reported,
                                     2.0 * tests::ofSum(losses, reported, tests::float64)));
    }

    void whatWasKilledGoesOnAndAnInterruptSaves() {
        const auto config =
            configuration("killed", {{"steps", 100000}, {"batch_tokens", 256}, {"save_seconds", 0}});
        for (const int signal : {SIGKILL, SIGTERM}) {
            QProcess process;
            process.setReadChannel(QProcess::StandardError);
            process.start(program, {"train", config});
            QVERIFY(process.waitForStarted());
            QByteArray said;
            while (!said.contains("tokens/s") && process.waitForReadyRead(20'000))
                said += process.readAllStandardError();
            ::kill(static_cast<pid_t>(process.processId()), signal);
            process.waitForFinished();
            if (signal == SIGTERM) {
                QVERIFY2(said.contains("going on from step"), said.constData());
                QCOMPARE(process.exitCode(), 143);
            }
        }
        QVERIFY(QFile::exists(path("killed.training/state.safetensors")));
    }

    void twoVocabulariesOfPiecesAreOpenedAgain() {
        const auto config = configuration("pieces", {{"steps", 3}, {"batch_tokens", 256}},
                                          {{"task", "translate"}, {"train", "pairs.tsv"}});
        QByteArray pairs;
        for (int i = 0; i < 400; ++i)
            pairs += "sentence " + QByteArray::number(i * 37 % 400) + " here\tSatz " +
                     QByteArray::number(i * 37 % 400) + " hier\n";
        writeFile(path("pairs.tsv"), pairs);
        auto object = json(contentOf(config));
        auto corpus = object["corpus"].toObject();
        for (const char* key : {"words", "longest_sentence", "sentences"})
            corpus.remove(key);
        object["corpus"] = corpus;
        for (const bool shared : {true, false}) {
            object["model"] = shared ? "shared" : "apart";
            object["vocabulary"] = QJsonObject{{"kind", "bpe"}, {"size", 60}, {"shared", shared}};
            writeFile(config, QJsonDocument(object).toJson());
            const Result trained = run({"train", config, "--quiet"});
            QVERIFY2(trained.status == 0, trained.err.constData());
            const Result translated =
                run({"translate", path(shared ? "shared" : "apart"), "sentence 5 here"});
            QVERIFY2(translated.status == 0, translated.err.constData());
        }
    }

    void aSmallCorpusMakesASmallerVocabularyThanItMay() {
        writeFile(path("few.tsv"), QByteArray("a cat sleeps\teine Katze schläft\n"
                                              "a dog sleeps\tein Hund schläft\n")
                                       .repeated(20));
        for (const char* kind : {"unigram", "bpe"}) {
            auto object = json(contentOf(configuration("few", {{"steps", 2}, {"batch_tokens", 256}})));
            object["corpus"] = QJsonObject{{"train", "few.tsv"}};
            object["vocabulary"] = QJsonObject{{"kind", kind}, {"size", 5000}};
            object["model"] = kind;
            writeFile(path("few.json"), QJsonDocument(object).toJson());
            const Result trained = run({"train", path("few.json"), "--quiet"});
            QVERIFY2(trained.status == 0, trained.err.constData());
            const auto pieces = json(run({"info", path(kind), "--json"}).out)["source_vocabulary"].toInt();
            QVERIFY2(pieces > 10 && pieces < 200, qPrintable(QString::number(pieces)));
        }
    }

    void sourcesThatTheModelCannotReadAreNamedBeforeTranslating() {
        const auto config = configuration("short", {{"steps", 2}, {"batch_tokens", 256}});
        QVERIFY(run({"train", config, "--quiet"}).status == 0);
        const QByteArray tooLong = QByteArray("w1 ").repeated(70);
        writeFile(path("long.tsv"), "w1 w2\tw1\n" + tooLong + "\tw1\n\n" + tooLong + "w2\tw2\n");
        const Result refused = run({"evaluate", path("short"), "--corpus", path("long.tsv")});
        QCOMPARE(refused.status, 1);
        QVERIFY(contains(refused.err, {"line 2: 71 tokens; line 4: 72 tokens", "1 to 64 tokens"}));
        writeFile(path("long.tsv"), "w1 w2\tw1\nw2\t" + tooLong + "\n");
        const Result measured = run({"evaluate", path("short"), "--corpus", path("long.tsv"), "--json"});
        QVERIFY2(measured.status == 0, measured.err.constData());
        QCOMPARE(json(measured.out)["left_out"].toInt(), 1);
        QCOMPARE(json(measured.out)["tokens"].toInt(), 2);
        writeFile(path("long.tsv"), "w2\t" + tooLong + "\n");
        QCOMPARE(run({"evaluate", path("short"), "--corpus", path("long.tsv")}).status, 1);
    }

    void ofPositionsWithinAttentionTheLossIsLeftOut() {
        const auto config = configuration("words", {{"steps", 2}, {"batch_tokens", 256}});
        QVERIFY(run({"train", config, "--quiet"}).status == 0);
        auto settings = json(contentOf(path("words/config.json")));
        settings["positions"] = "rotary";
        writeFile(path("words/config.json"), QJsonDocument(settings).toJson());
        const Result made =
            run({"convert", "--random", path("words/config.json"), "--out", path("rotary"), "--seed", "3"});
        QVERIFY2(made.status == 0, made.err.constData());
        writeFile(path("pair.tsv"), "w1 w2\tw1 w2\n");
        const Result measured = run({"evaluate", path("rotary"), "--corpus", path("pair.tsv")});
        QVERIFY2(measured.status == 0, measured.err.constData());
        QVERIFY(contains(measured.out, {"BLEU", "loss  not measured"}));
    }

    void aDecoderAloneIsNotEvaluated() {
        writeFile(path("pair.tsv"), "river stone\tlamp\n");
        const Result refused = run({"evaluate", "induction", "--corpus", path("pair.tsv")});
        QCOMPARE(refused.status, 1);
        QVERIFY(contains(refused.err, {"a decoder alone", "generate"}));
    }

    void aNetworkThatCannotBeIsRefusedBeforeTheCorpusIsRead() {
        for (const auto& [key, value, said] :
             {std::tuple("heads", QJsonValue(3), "divides model_width"),
              std::tuple("maximum_positions", QJsonValue(10), "corpus.longest + 1"),
              std::tuple("decoder_layers", QJsonValue(0), "decoder_layers of 1 or more"),
              std::tuple("positions", QJsonValue("rotary"), "added to embeddings")}) {
            const auto config =
                configuration("cannot", {{"steps", 3}}, {{"task", "translate"}, {"train", "no-such.tsv"}});
            auto object = json(contentOf(config));
            auto corpus = object["corpus"].toObject();
            for (const char* ofToy : {"words", "longest_sentence", "sentences"})
                corpus.remove(ofToy);
            auto network = object["network"].toObject();
            network[key] = value;
            object["corpus"] = corpus;
            object["network"] = network;
            writeFile(config, QJsonDocument(object).toJson());
            const Result refused = run({"train", config});
            QCOMPARE(refused.status, 1);
            QVERIFY(isWholeRefusal(refused.err));
            QVERIFY2(refused.err.contains(said) && !refused.err.contains("no-such.tsv"),
                     refused.err.constData());
            QVERIFY(!QFile::exists(path("cannot.training")) && !QFile::exists(path("cannot")));
        }
    }

    void aTrainingThatIsRefusedLeavesNothingBehind() {
        writeFile(path("broken.tsv"), "no tab\n");
        auto object = json(contentOf(configuration("refused", {{"steps", 3}})));
        object["corpus"] = QJsonObject{{"train", "broken.tsv"}};
        object["model"] = "new/deep/refused";
        object["snapshots"] = QJsonObject{{"folder", "new/moments"}, {"every", 1}};
        writeFile(path("refused.json"), QJsonDocument(object).toJson());
        const Result refused = run({"train", path("refused.json")});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("broken.tsv"), refused.err.constData());
        QVERIFY(!QFile::exists(path("new")));
        QVERIFY(QDir(folder_.path()).mkpath("new")); // what was there stays
        QCOMPARE(run({"train", path("refused.json")}).status, 1);
        QVERIFY(QDir(path("new")).exists() && QDir(path("new")).isEmpty());
    }

    void aTrainingAtItsEndSaysHowItGoesOn() {
        const auto config = configuration("ended", {{"steps", 3}, {"batch_tokens", 256}});
        QCOMPARE(run({"train", config, "--quiet"}).status, 0);
        const Result again = run({"train", config});
        QCOMPARE(again.status, 0);
        QVERIFY2(again.err.contains("make training.steps larger than 3"), again.err.constData());
        const Result further =
            run({"train", configuration("ended", {{"steps", 5}, {"batch_tokens", 256}}), "--json"});
        QCOMPARE(json(further.out)["steps"].toInt(), 5);
    }

    void everythingWrongIsNamedAtOnce() {
        writeFile(path("wrong.json"),
                  R"({"corpus": {"task": "copy"}, "training": {"stebs": 3}, "model": "m"})");
        const Result result = run({"train", path("wrong.json")});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err));
        QVERIFY(contains(result.err, {"training.stebs", "network"}));
        QCOMPARE(run({"train", path("missing.json")}).status, 1);
        QCOMPARE(run({"train"}).status, 2);
        QCOMPARE(run({"evaluate", "x"}).status, 2);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TrainTest)
#include "train_test.moc"
