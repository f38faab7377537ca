#include <QTest>

#include "tests/registered_test.h"
#include "widgets/tables/head_search.h"
#include "widgets/words/statistic_words.h"

using namespace headscope;
using namespace headscope::widgets;
using analysis::Statistic;

class HeadSearchTest : public QObject {
    Q_OBJECT

    static HeadCondition only(const QString& typed) {
        const auto search = headSearch(typed);
        return search.conditions.size() == 1 && search.mistake.isEmpty() && search.words.isEmpty()
                   ? search.conditions.front()
                   : HeadCondition{.limit = -1000};
    }

    static void isAbout(const QString& typed, Statistic statistic, double limit) {
        const auto condition = only(typed);
        QVERIFY2(condition.statistic == statistic && condition.limit == limit, qPrintable(typed));
    }

  private Q_SLOTS:
    void everyNumberIsCalledByAllItsNames() {
        for (const auto statistic : analysis::allStatistics()) {
            const auto text = [](std::string_view name) { return QString::fromStdString(std::string(name)); };
            for (const QString& name : {statisticTitle(statistic), text(analysis::name(statistic)),
                                        text(analysis::shortName(statistic))})
                isAbout(name + " < 0.25", statistic, 0.25);
        }
        const auto importance = headSearch("importance > 0");
        QVERIFY(importance.conditions.size() == 1 && !importance.conditions[0].statistic);
    }

    void spacesSignsAndPercentAreTakenAsTheyCome() {
        isAbout("entropy<1", Statistic::Entropy, 1);
        isAbout(" Entropy  <=  1.5 ", Statistic::Entropy, 1.5);
        isAbout("diagonal > 50 %", Statistic::Diagonal, 0.5);
        isAbout("diagonal>50%", Statistic::Diagonal, 0.5);
        isAbout("offset < \u22121", Statistic::Offset, -1);
        isAbout("offset < -0,5", Statistic::Offset, -0.5);
        isAbout("punctu > 0.5", Statistic::Punctuation, 0.5); // no other begins so
    }

    void otherWordsStayWords() {
        const auto search = headSearch("Cross aligning entropy < 1 broad same token >= 0.1");
        QCOMPARE(search.words, QStringList({"cross", "aligning", "broad"}));
        QCOMPARE(search.conditionTexts, QStringList({"entropy < 1", "same token >= 0.1"}));
        QCOMPARE(search.conditions.size(), std::size_t(2));
        QVERIFY(search.mistake.isEmpty());
        QVERIFY(headSearch("cross.2.5").conditions.empty());
    }

    void relationsAreThoseOfNumbers() {
        QVERIFY(only("entropy < 1").holdsFor(0.9) && !only("entropy < 1").holdsFor(1));
        QVERIFY(only("entropy <= 1").holdsFor(1) && !only("entropy <= 1").holdsFor(1.1));
        QVERIFY(only("entropy > 1").holdsFor(1.1) && !only("entropy > 1").holdsFor(1));
        QVERIFY(only("entropy >= 1").holdsFor(1) && !only("entropy \u2265 1").holdsFor(0.9));
        QVERIFY(only("entropy = 1").holdsFor(1.004) && !only("entropy = 1").holdsFor(1.01));
        QVERIFY(!only("entropy < 1").holdsFor(std::nullopt));
    }

    void mistakesAreToldInWords() {
        const auto says = [](const QString& typed, const QString& words) {
            const auto search = headSearch(typed);
            QVERIFY2(search.mistake.contains(words), qPrintable(typed + ": " + search.mistake));
            QVERIFY(search.conditions.empty());
        };
        says("entropi < 1", "is called");
        says("entropi < 1", "entropy, ");
        says("s < 1", "is called"); // several begin so
        says("< 1", "the name of a statistic");
        says("entropy <", "a number after");
        says("entropy < much", "is not a number");
        says("entropy < < 1", "is not a number");
    }
};

HEADSCOPE_TEST(HeadSearchTest)
#include "head_search_test.moc"
