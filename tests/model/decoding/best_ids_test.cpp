#include <QTest>

#include "model/decoding/best_ids.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using headscope::decoding::bestIds;

class BestIdsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theyAreTheFirstOfASortedVocabulary() {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            // Few different values, so that many are equal.
            std::vector<float> values(1 + random() % 60);
            for (float& value : values)
                value = -static_cast<float>(random() % 7);
            std::vector<std::int64_t> sorted(values.size());
            std::iota(sorted.begin(), sorted.end(), 0);
            std::ranges::stable_sort(sorted, std::greater(),
                                     [&](auto id) { return values[std::size_t(id)]; });
            const std::size_t count = random() % 12;
            sorted.resize(std::min(count, sorted.size()));
            QCOMPARE(bestIds(values, count), sorted);
        }
    }

    void whatIsNoNumberCountsAsMinusInfinity() {
        const float none = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(bestIds(std::vector<float>{none, -2, none, -1}, 3), (std::vector<std::int64_t>{3, 1, 0}));
        QCOMPARE(bestIds(std::vector<float>{none, none}, 1), (std::vector<std::int64_t>{0}));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, BestIdsTest)
#include "best_ids_test.moc"
