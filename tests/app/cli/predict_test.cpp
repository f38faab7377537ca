#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/app/cli/cli_process.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace cli_process;
namespace tests = headscope::tests;

namespace {

QString model(const char* name) {
    return QString(HEADSCOPE_SOURCE "/tests/reference/hugging-face/") + name;
}

/// Columns of each printed line.
QList<QList<QByteArray>> table(const QByteArray& text) {
    QList<QList<QByteArray>> rows;
    for (const QByteArray& line : text.trimmed().split('\n'))
        rows += line.split('\t');
    return rows;
}

} // namespace

/// What encoders alone predict. Their numbers are compared with those of another program in encoders_test.
class PredictTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theMostProbableTokensOfEachMask() {
        const QString text = "the [MASK] sat on the [MASK]";
        const Result result = run({"predict", model("bert-tiny-masked"), text, "--top", "3"});
        QVERIFY2(result.status == 0, result.err.constData());
        const auto rows = table(result.out);
        QCOMPARE(rows.size(), 6);
        for (int row = 0; row < 6; ++row)
            QCOMPARE(rows[row][0].toInt(), row < 3 ? 2 : 6); // after [CLS] and "the"; the last but [SEP]
        const Result told = run({"predict", model("bert-tiny-masked"), text, "--top", "26", "--json"});
        const auto masks = json(told.out)["masks"].toArray();
        QCOMPARE(masks.size(), 2);
        for (const auto mask : masks) {
            double sum = 0, before = 1, largest = 0;
            for (const auto candidate : mask.toObject()["candidates"].toArray()) {
                const double probability = candidate.toObject()["probability"].toDouble();
                QVERIFY(probability <= before);
                const double logProbability = candidate.toObject()["log_probability"].toDouble();
                // An exponential in float32 is off by one unit in the last place.
                VERIFY_AGREES(tests::compare("log-probability", std::log(probability), logProbability,
                                             tests::ofRoundings(2, 1)));
                largest = std::max(largest, -logProbability);
                sum += before = probability;
            }
            // The vocabulary has 26 tokens.
            VERIFY_AGREES(
                tests::compare("sum", sum, 1, tests::ofSoftmax(26, largest) + tests::ofRoundings(2, 1)));
        }
    }

    void theClassesOfAPair() {
        const QStringList command{"predict", model("bert-tiny-classes"), "the cat sat"};
        const Result alone = run(command);
        QCOMPARE(alone.status, 0);
        double sum = 0;
        for (const auto& row : table(alone.out))
            sum += row[1].toDouble();
        VERIFY_AGREES(tests::compare("sum", sum, 1, 3 * tests::ofDigits(4)));
        QVERIFY(contains(alone.out, {"negative", "neutral", "positive"}));
        const Result pair = run(command + QStringList{"--second", "on the cat"});
        QCOMPARE(pair.status, 0);
        QVERIFY(pair.out != alone.out);
    }

    void whetherEachTokenWasReplaced() {
        const Result result = run({"predict", model("electra-tiny-replaced"), "the cat", "--json"});
        QCOMPARE(result.status, 0);
        const auto tokens = json(result.out)["tokens"].toArray();
        QCOMPARE(tokens.size(), 4);
        for (const auto token : tokens) {
            const double replaced = token.toObject()["replaced"].toDouble(-1);
            QVERIFY(replaced > 0 && replaced < 1);
        }
    }

    void theLabelOfEachToken() {
        const Result result = run({"predict", model("bert-tiny-labels"), "my cat sat"});
        QCOMPARE(result.status, 0);
        const auto rows = table(result.out);
        QCOMPARE(rows.size(), 3); // without [CLS] and [SEP]
        const auto tokens =
            json(run({"predict", model("bert-tiny-labels"), "my cat sat", "--json"}).out)["tokens"].toArray();
        QCOMPARE(tokens.size(), 3);
        for (int i = 0; i < 3; ++i) {
            const auto labels = tokens[i].toObject()["labels"].toArray();
            QCOMPARE(labels.size(), 3);
            QCOMPARE(rows[i][1], labels[0].toObject()["label"].toString().toUtf8());
            double sum = 0;
            for (const auto label : labels)
                sum += label.toObject()["probability"].toDouble();
            VERIFY_AGREES(tests::compare("sum", sum, 1, tests::ofSoftmax(3, 10)));
        }
    }

    void theAnswerInASecondText() {
        const QStringList command{"predict", model("roberta-tiny-answer"), "my cat", "--second",
                                  "a dog sat on my mat"};
        const Result result = run(command);
        QCOMPARE(result.status, 0);
        QCOMPARE(table(result.out).size(), 1);
        const auto said = json(run(command + QStringList{"--json"}).out);
        QCOMPARE(said["answer"].toObject()["text"].toString().toUtf8(), table(result.out)[0][0]);
        QCOMPARE(said["tokens"].toArray().size(), 12); // <s> 2 </s></s> 6 </s>, a piece each
    }

    void numbersAndSeparateLabels() {
        const auto number = json(run({"predict", model("bert-tiny-number"), "my cat", "--json"}).out);
        QCOMPARE(number["numbers"].toArray().size(), 1);
        QVERIFY(!number.contains("classes"));
        double sum = 0;
        for (const auto label :
             json(run({"predict", model("bert-tiny-several"), "my cat", "--json"}).out)["classes"].toArray())
            sum += label.toObject()["probability"].toDouble();
        QVERIFY(std::abs(sum - 1) > 0.01);
    }

    void aHeadThatIsLeftOutIsNamed() {
        const Result result = run({"info", model("bert-tiny-choice")});
        QCOMPARE(result.status, 0);
        QVERIFY(contains(result.out, {"BertForMultipleChoice is not supported: opened without it"}));
        const Result predicted = run({"predict", model("bert-tiny-choice"), "my cat"});
        QVERIFY(isWholeRefusal(predicted.err));
    }

    void aPairIsDrawnAsAPair() {
        SKIP_WITHOUT_WINDOW();
        const QTemporaryDir folder;
        const auto rows = [&](const QStringList& second) {
            const QString file = folder.filePath("map.csv");
            const Result result = run(QStringList{"render", model("bert-tiny-classes"), "--source",
                                                  "the cat sat", "--view", "heatmap", "--out", file} +
                                      second);
            QFile written(file);
            return result.status == 0 && written.open(QIODevice::ReadOnly) ? written.readAll().count('\n')
                                                                           : 0;
        };
        QVERIFY(rows({}) > 0);
        QVERIFY(rows({"--second", "on the cat"}) > rows({}));
    }

    void aModelThatReadsOneTextRefusesASecond() {
        for (const char* name : {"tatoeba-en", "imdb-classifier"}) {
            const Result result =
                run({"trace", name, "--source", "a film", "--second", "a cat", "--out", "x.npz"});
            QCOMPARE(result.status, 1);
            QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"pairs of texts"}));
        }
    }

    void aRefusedTextLeavesTheOthers() {
        const Result result = run({"predict", model("bert-tiny-masked"), "the cat", "the [MASK]"});
        QCOMPARE(result.status, 1);
        QVERIFY(isWholeRefusal(result.err) && contains(result.err, {"line 1", "[MASK]"}));
        QVERIFY(!table(result.out).isEmpty());
    }

    void otherModelsAreSentToTheirCommand() {
        for (const auto& [name, command] :
             {std::pair("gpt2-tiny", "generate"), std::pair("bart-tiny", "translate"),
              std::pair("bert-tiny", "trace")}) {
            const Result result = run({"predict", model(name), "the cat"});
            QCOMPARE(result.status, 1);
            QVERIFY(isWholeRefusal(result.err) && contains(result.err, {command}));
        }
    }
};

HEADSCOPE_TEST(PredictTest)
#include "predict_test.moc"
