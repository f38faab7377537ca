#include "tests/app/cli/cli_process.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <QJsonArray>

#include <cmath>

using namespace cli_process;
using namespace headscope;

/// The numbers of the views that explain a token, on the command line.
class ExplainTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    static QString joined(const std::vector<std::int64_t>& ids) {
        QStringList words;
        for (const auto id : ids)
            words += QString::number(id);
        return words.join(',');
    }

    QJsonObject numbersOf(const QStringList& what) const {
        const QString out = folder_.filePath("numbers.json");
        const Result drawn = run(QStringList{"render"} + what + QStringList{"--out", out});
        [&] { QVERIFY2(drawn.status == 0, drawn.err); }();
        return QJsonDocument::fromJson(contentOf(out)).object();
    }

    /// A column of a table, without rows that have no number.
    static std::vector<double> columnOf(const QJsonObject& numbers, const QString& name, int table = 0) {
        std::vector<double> values;
        for (const auto& column : numbers["tables"].toArray()[table].toObject()["columns"].toArray())
            if (column.toObject()["title"].toString() == name)
                for (const auto& value : column.toObject()["values"].toArray())
                    if (value.isDouble())
                        values.push_back(value.toDouble());
        return values;
    }

  private Q_SLOTS:
    void sourceWordsAreThoseOfPyTorch() {
        const auto recorded = recordings::read("quantities/annotated-tiny.npz");
        const auto step = recordings::integers(recorded, "step").front();
        const auto contrast = recordings::integers(recorded, "contrast").front();
        const QJsonObject numbers = numbersOf(
            {tiny, "--source-ids", joined(recordings::integers(recorded, "source_ids")), "--target-ids",
             joined(recordings::integers(recorded, "target_ids")), "--step", QString::number(step),
             "--rather-than", '#' + QString::number(contrast), "--view", "source-words"});
        VERIFY_AGREES(recordings::compareWith(recorded, "causal/contrast_all", columnOf(numbers, "loss")));
        const auto shares = columnOf(numbers, "share");
        double sum = 0;
        for (const double share : shares)
            sum += share;
        QVERIFY(std::abs(sum - 1) < 1e-5);
    }

    void theCardOfHeadsListsTheImportanceAndWhatIsLeftOfTheDifference() {
        const QStringList of{trained, "--source", "I see.", "--step", "1", "--rather-than", "habe"};
        const auto card = numbersOf(of + QStringList{"--view", "importance", "--choose", "card=true"});
        const auto importance = columnOf(card, "importance");
        QVERIFY(importance.front() > 0);
        QCOMPARE(importance, columnOf(numbersOf(of + QStringList{"--view", "importance"}), "importance"));
        // Without the most important head the difference is less by its importance.
        const auto left = columnOf(card, "by_importance", 1);
        QVERIFY(std::abs(left[0] - left[1] - importance.front()) < 1e-5);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ExplainTest)
#include "explain_test.moc"
