#include "tests/app/cli/cli_process.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <numbers>

using namespace cli_process;
namespace tests = headscope::tests;

class HeadsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString corpus_ = folder_.filePath("corpus.tsv");

  private Q_SLOTS:
    void initTestCase() {
        writeFile(corpus_, "I see.\tIch sehe.\nI see.\tIch verstehe.\n\nThe dogs are hungry.\n");
    }

    void everyHeadIsMeasuredOverTheDistinctSources() {
        const Result result = run({"heads", trained, "--corpus", corpus_, "--json", "--quiet"});
        QCOMPARE(result.status, 0);
        const auto found = json(result.out);
        QCOMPARE(found["sentences"].toInt(), 2);
        const auto heads = found["heads"].toArray();
        QCOMPARE(heads.size(), 3 * 3 * 8);
        double before = 1e9;
        for (const auto& head : heads) {
            const double importance = head.toObject()["importance"].toDouble();
            QVERIFY(importance <= before);
            before = importance;
            const auto interval = head.toObject()["interval"].toArray();
            QVERIFY(interval[0].toDouble() <= importance + 1e-12 &&
                    importance <= interval[1].toDouble() + 1e-12);
        }
        QVERIFY2(result.err.isEmpty(), result.err);
    }

    void theCurveBeginsAtNothingAndEndsWithoutHeads() {
        const auto found = json(run({"heads", trained, "--corpus", corpus_, "--sentences", "1", "--curve",
                                     "3", "--json", "--quiet"})
                                    .out);
        const auto curve = found["curve"].toArray();
        QCOMPARE(curve.size(), 4);
        QCOMPARE(curve.first().toObject()["change"].toDouble(-1), 0.0);
        QCOMPARE(curve.last().toObject()["removed"].toInt(), 72);
        QVERIFY(curve.last().toObject()["change"].toDouble() < -1);
    }

    void theCurveOfAnEncoderAloneIsOfItsClasses() {
        const auto found =
            json(run({"heads", HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-classes", "--corpus",
                      corpus_, "--curve", "6", "--json", "--quiet"})
                     .out);
        const auto curve = found["curve"].toArray();
        QCOMPARE(curve.size(), 7);
        // The first head removed is the least important one, whose importance is that change.
        const auto least = found["heads"].toArray().last().toObject();
        QVERIFY(std::abs(curve[1].toObject()["change"].toDouble() + least["importance"].toDouble()) < 1e-6);
    }

    void headsAreRemovedInOtherWays() {
        const auto measure = [&](const QString& ablation) {
            return run({"heads", trained, "--corpus", corpus_, "--sentences", "1", "--ablation", ablation,
                        "--json", "--quiet"});
        };
        const auto importance = [&](const QString& ablation) {
            const auto found = json(measure(ablation).out);
            auto name = found["ablation"].toString();
            if (name != ablation)
                QTest::qFail(qPrintable(name), __FILE__, __LINE__);
            return found["heads"].toArray();
        };
        const auto zero = importance("zero"), mean = importance("mean"),
                   other = importance("resample=The dogs are hungry."),
                   itself = importance("resample=I see.");
        QVERIFY(zero != mean && mean != other);
        for (const auto& head : itself)
            QVERIFY(std::abs(head.toObject()["importance"].toDouble()) < 1e-5);
        const Result wrong = measure("half");
        QCOMPARE(wrong.status, 2);
        QVERIFY(contains(wrong.err, {"--ablation", "resample=SENTENCE", "half"}));
    }

    void statisticsSayWhatEveryHeadDoes() {
        const Result result =
            run({"heads", trained, "--corpus", corpus_, "--statistics", "--json", "--quiet"});
        QCOMPARE(result.status, 0);
        const auto found = json(result.out);
        QCOMPARE(found["sentences"].toInt(), 2);
        const auto heads = found["heads"].toArray();
        QCOMPARE(heads.size(), 3 * 3 * 8);
        for (const auto& each : heads) {
            const auto head = each.toObject();
            const auto entropy = head["statistics"]["normalised_entropy"].toObject();
            const double mean = entropy["mean"].toDouble(-1);
            QVERIFY(mean >= 0 && mean <= 1);
            QVERIFY(entropy["interval"][0].toDouble() <= mean + 1e-12);
            // Even weights are rounded; the derivative of their entropy is log2 e more than their logarithm.
            VERIFY_AGREES(tests::compare("even", entropy["uniform"].toDouble(), 1,
                                         tests::ofRoundings(1, 1 + 1 / std::numbers::ln2)));
            QCOMPARE(head["statistics"].toObject().contains("distance"),
                     !head["head"].toString().startsWith("cross"));
            for (const auto& role : head["roles"].toArray())
                QCOMPARE(role.toObject()["of_corpus"], QJsonValue(false)); // two sentences are no corpus
        }
        QVERIFY2(result.err.isEmpty(), result.err);
    }

    void everyRoleNamesItsHeadsOrTheNearestOne() {
        const auto found =
            json(run({"heads", trained, "--corpus", corpus_, "--statistics", "--json", "--quiet"}).out);
        QVERIFY(!found["roles"].toArray().isEmpty());
        for (const auto& each : found["roles"].toArray()) {
            const auto role = each.toObject();
            int holders = 0;
            for (const auto& head : found["heads"].toArray())
                for (const auto& held : head.toObject()["roles"].toArray())
                    holders += held.toObject().value("role") == role.value("role") &&
                               held.toObject().value("offset") == role.value("offset");
            QCOMPARE(role["heads"].toArray().size(), holders);
            QCOMPARE(role.contains("nearest"), holders == 0);
            const double needed = role["needs"].toObject()["number"].toDouble();
            if (holders == 0)
                QVERIFY(!role["nearest"].toObject()["head"].toString().isEmpty() && needed != 0);
        }
    }

    void aDecoderHasInductionHeads() {
        writeFile(folder_.filePath("words.txt"),
                  "fish town map horse bear watch fish town map horse bear watch\n");
        const auto measure = [&](const QString& model) {
            const auto found = json(run({"heads", model, "--corpus", folder_.filePath("words.txt"),
                                         "--statistics", "--json", "--quiet"})
                                        .out);
            for (const auto& role : found["roles"].toArray())
                if (role.toObject()["role"] == "induction")
                    return role.toObject();
            return QJsonObject();
        };
        QCOMPARE(measure("induction")["heads"].toArray().size(), 4); // of layer 1
        const auto control = measure("induction-one-layer");
        QVERIFY(control["heads"].toArray().isEmpty());
        const auto nearest = control["nearest"].toObject();
        QVERIFY(nearest["head"].toString().startsWith("decoder.0."));
        QVERIFY(nearest["number"].toDouble() < control["needs"].toObject()["number"].toDouble());
    }

    void pairsAreReadWithinAndAcross() {
        const QString masked = HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked";
        writeFile(folder_.filePath("pairs.tsv"), "my very good cat\ta [MASK] dog sat\nthe cat\tthe dog\n");
        const QStringList words{"heads",        masked,   "--corpus", folder_.filePath("pairs.tsv"),
                                "--statistics", "--json", "--quiet"};
        const auto head = [&](const QStringList& more) {
            return json(run(words + more).out)["heads"].toArray().first().toObject();
        };
        QVERIFY(!head({}).contains("between_texts"));
        const auto pair = head({"--pairs"});
        const auto table = pair["between_texts"].toArray();
        const auto statistics = pair["statistics"].toObject();
        QCOMPARE(table[0].toArray()[1].toDouble(), statistics["a_reads_b"].toObject()["mean"].toDouble());
        QCOMPARE(table[1].toArray()[0].toDouble(), statistics["b_reads_a"].toObject()["mean"].toDouble());
        for (const auto& row : table)
            QCOMPARE(row.toArray()[0].toDouble() + row.toArray()[1].toDouble(), 1.0);
        writeFile(folder_.filePath("single.txt"), "the cat\tthe dog\nthe cat\n");
        const Result refused = run({"heads", masked, "--corpus", folder_.filePath("single.txt"),
                                    "--statistics", "--pairs", "--quiet"});
        QCOMPARE(refused.status, 1);
        QVERIFY(contains(refused.err, {"two texts with a tab", "\"the cat\""}));
    }

    void theListOfStatisticsIsATable() {
        const Result result = run({"heads", trained, "--corpus", corpus_, "--statistics", "--quiet"});
        const auto lines = QString(result.out).split('\n');
        QVERIFY(lines[2 + 71].startsWith("cross.2.7"));
        const auto roles = lines.mid(2 + 72).filter(
            QRegularExpression(": (no head; the nearest: )?(encoder|decoder|cross)\\.\\d\\.\\d"));
        QCOMPARE(roles.size(), lines.size() - 2 - 72 - 1);
        QVERIFY(!roles.isEmpty());
        QVERIFY(contains(result.out, {"2 sentences", "cross.2.7", "on these sentences"}));
    }

    void statisticsOfTheTwinSayWhoseTheyAre() {
        const QStringList words{"heads", trained, "--corpus", corpus_, "--statistics", "--quiet"};
        QVERIFY(run(words + QStringList{"--random-twin", "3"}).out.startsWith("random twin, seed 3\n"));
        QVERIFY(!json(run(words + QStringList{"--json"}).out).contains("random_twin"));
    }

    /// Roles have to be learned.
    void aRandomNetworkHasNoRole() {
        const auto samples = HEADSCOPE_SOURCE "/resources/samples/sentences.en.txt";
        for (const char* seed : {"1", "2"}) {
            const Result result = run({"heads", trained, "--corpus", samples, "--statistics", "--random-twin",
                                       seed, "--json", "--quiet"});
            const auto heads = json(result.out)["heads"].toArray();
            QCOMPARE(json(result.out)["random_twin"].toInt(), QString(seed).toInt());
            QCOMPARE(heads.size(), 72);
            for (const auto& head : heads)
                QVERIFY2(head.toObject()["roles"].toArray().isEmpty(),
                         qPrintable(head.toObject()["head"].toString()));
        }
    }

    void statisticsAreNotOfACurve() {
        QCOMPARE(run({"heads", trained, "--corpus", corpus_, "--statistics", "--curve", "3"}).status, 2);
    }

    void refusalsSayWhy() {
        QCOMPARE(run({"heads", trained}).status, 2);
        QCOMPARE(run({"heads", trained, "--corpus", "no-such-file"}).status, 1);
        writeFile(folder_.filePath("blank.txt"), "\n \n");
        QVERIFY(contains(run({"heads", trained, "--corpus", folder_.filePath("blank.txt")}).err,
                         {"no sentence"}));
    }

    void headsOfAnEncoderAloneAreMeasuredByItsMasks() {
        const QString masked = HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked";
        writeFile(folder_.filePath("masked.txt"),
                  "the [MASK] sat on the [MASK]\nthe cat [MASK]\nthe cat sat\n");
        const auto measure = [&](const QStringList& more) {
            return run(QStringList{"heads", masked, "--corpus", folder_.filePath("masked.txt"), "--quiet",
                                   "--json"} +
                       more);
        };
        const Result alone = measure({});
        QCOMPARE(alone.status, 1); // the last text has no mask
        QVERIFY(contains(alone.err, {"\"the cat sat\": ", "[MASK]"}));
        QCOMPARE(json(alone.out)["sentences"].toInt(), 2);
        QCOMPARE(json(alone.out)["tokens"].toInt(), 3);
        QCOMPARE(json(alone.out)["heads"].toArray().size(), 6);
        const Result against = measure({"--rather-than", "dog"});
        QVERIFY(json(against.out)["heads"] != json(alone.out)["heads"]);
        QVERIFY(contains(measure({"--rather-than", "#26"}).err, {"--rather-than"}));
    }
};

HEADSCOPE_TEST(HeadsTest)
#include "heads_test.moc"
