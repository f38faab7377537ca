#include <QTest>

#include "model/network/one_query.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

using namespace headscope::network;
namespace tests = headscope::tests;

class OneQueryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void scoresAndOutputsEqualTheBatchedProducts_data() {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("width");
        QTest::newRow("usual") << 8 << 40 << 32;
        QTest::newRow("one key") << 4 << 1 << 64;
        QTest::newRow("odd width") << 3 << 7 << 19;
        QTest::newRow("narrow") << 2 << 5 << 4;
        QTest::newRow("no key") << 2 << 0 << 4;
    }

    void scoresAndOutputsEqualTheBatchedProducts() {
        QFETCH(int, heads);
        QFETCH(int, keys);
        QFETCH(int, width);
        at::manual_seed(3);
        // The layout of a projection: one row per token, heads side by side.
        const auto heaped = [&](int rows) { return at::randn({rows, heads, width}).transpose(0, 1); };
        const auto q = heaped(1);
        const auto k = heaped(keys);
        const auto v = heaped(keys);
        const auto scores = scoresOfOneQuery(q, k, 0.25);
        VERIFY_AGREES(tests::compare(
            "scores", scores, 0.25 * tests::product(tests::Bounded(q), tests::Bounded(k.transpose(1, 2)))));
        const auto weights = scores.softmax(-1);
        VERIFY_AGREES(tests::compare("outputs", outputsOfOneQuery(weights, v),
                                     tests::product(tests::Bounded(weights), tests::Bounded(v))));
    }

    void rowsOfALargerCacheAreReadWhereTheyLie() {
        const auto cache = at::randn({2, 10, 8});
        const auto k = cache.narrow(1, 0, 6);
        const auto q = at::randn({2, 1, 8});
        QVERIFY(at::equal(scoresOfOneQuery(q, k, 1), scoresOfOneQuery(q, k.contiguous(), 1)));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, OneQueryTest)
#include "one_query_test.moc"
