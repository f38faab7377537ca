#include <QTest>

#include "model/network/row_cache.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

using headscope::network::RowCache;

class RowCacheTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void rowsStandInTheOrderTheyCameBeyondTheExpectedLength() {
        RowCache cache(2, 4, 3);
        const auto rows = at::randn({2, 9, 4});
        for (const auto& [first, n] : {std::pair(0, 1), std::pair(1, 1), std::pair(2, 4), std::pair(6, 3)})
            cache.append(rows.narrow(1, first, n));
        QCOMPARE(cache.length(), 9);
        QVERIFY(at::equal(cache.all(), rows));
    }

    void gradientsGoThroughIt() {
        RowCache cache(1, 2, 8);
        const auto rows = at::ones({1, 2, 2}).requires_grad_();
        cache.append(at::zeros({1, 1, 2}));
        cache.append(rows);
        cache.append(at::zeros({1, 1, 2}));
        cache.all().sum().backward();
        QVERIFY(at::equal(rows.grad(), at::ones({1, 2, 2})));
    }

    void whatIsForgottenIsReplaced() {
        RowCache cache(1, 2, 8);
        const auto rows = at::randn({1, 5, 2});
        cache.append(rows);
        cache.truncate(2);
        cache.append(rows.narrow(1, 4, 1));
        QCOMPARE(cache.length(), 3);
        QVERIFY(at::equal(cache.all(), at::cat({rows.narrow(1, 0, 2), rows.narrow(1, 4, 1)}, 1)));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RowCacheTest)
#include "row_cache_test.moc"
