#include "model/analysis/translation/bleu.h"
#include "model/analysis/translation/chrf.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <map>

using namespace headscope::analysis;
namespace tests = headscope::tests;

namespace {

const QString folder = QString(HEADSCOPE_SOURCE) + "/tests/reference/bleu/";

QStringList linesOf(const QString& name) {
    QFile file(folder + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto lines = QString::fromUtf8(file.readAll()).split('\n');
    lines.removeLast();
    return lines;
}

std::vector<std::vector<std::string>> references() {
    std::vector<std::vector<std::string>> all;
    std::map<QString, std::size_t> places;
    for (const auto& line : linesOf("references.tsv")) {
        const auto columns = line.split('\t');
        const auto [place, isNew] = places.emplace(columns[0], all.size());
        if (isNew)
            all.emplace_back();
        all[place->second].push_back(columns[1].toStdString());
    }
    return all;
}

} // namespace

class BleuTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void systemsScoreAsWithSacrebleu_data() {
        QTest::addColumn<QString>("system");
        for (const char* system : {"system-greedy", "system-beam", "system-sampled", "system-hostile"})
            QTest::newRow(system) << system;
    }
    void systemsScoreAsWithSacrebleu() {
        QFETCH(QString, system);
        QFile file(folder + "scores.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto expected =
            QJsonDocument::fromJson(file.readAll()).object()["systems"].toObject()[system].toObject();
        const auto outputs = linesOf(system + ".txt");
        const auto all = references();
        QCOMPARE(static_cast<std::size_t>(outputs.size()), all.size());
        BleuScore bleu;
        ChrfScore chrf;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto output = outputs[static_cast<int>(i)].toStdString();
            bleu.add(output, all[i]);
            chrf.add(output, all[i]);
        }
        const auto result = bleu.result();
        // Counts are whole numbers. A score is made of four precisions and their logarithms of at most log
        // 100, or of six precisions and recalls.
        const auto limit = 2.0 * tests::ofSum(4 * 5 + 6, 100, tests::float64);
        VERIFY_AGREES(tests::compare("BLEU", result.score, expected["bleu"].toDouble(), limit));
        VERIFY_AGREES(tests::compare("chrF", chrf.result(), expected["chrf"].toDouble(), limit));
        VERIFY_AGREES(tests::compare("brevity penalty", result.brevityPenalty,
                                     expected["brevity_penalty"].toDouble(),
                                     tests::ofRoundings(2 * 3, 1, tests::float64)));
        QCOMPARE(static_cast<int>(result.hypothesisLength), expected["hypothesis_length"].toInt());
        QCOMPARE(static_cast<int>(result.referenceLength), expected["reference_length"].toInt());
    }

    void numbersKeepTheirStops() {
        QCOMPARE(tokenize13a("It costs 1,000.50, doesn't it?"),
                 std::string("It costs 1,000.50 , doesn't it ?"));
        QCOMPARE(tokenize13a("3-4 well-known..."), std::string("3 - 4 well-known . . ."));
        QCOMPARE(tokenize13a("&quot;a&amp;b&quot;"), std::string("\" a & b \""));
    }

    void anExactOutputScoresAHundred() {
        BleuScore bleu;
        ChrfScore chrf;
        bleu.add("one two three four five", {"another", "one two three four five"});
        chrf.add("one two three four five", {"another", "one two three four five"});
        QCOMPARE(bleu.result().score, 100.0);
        QCOMPARE(chrf.result(), 100.0);
    }

    void nothingInCommonScoresNothing() {
        BleuScore bleu;
        ChrfScore chrf;
        bleu.add("", {"one"});
        chrf.add("", {"one"});
        bleu.add("x y", {"one two"});
        chrf.add("x y", {"one two"});
        QCOMPARE(bleu.result().score, 0.0);
        QCOMPARE(chrf.result(), 0.0);
    }
};

HEADSCOPE_TEST(BleuTest)
#include "bleu_test.moc"
