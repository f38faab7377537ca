#include <QTest>

#include "model/analysis/maps/source_share.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;

class SourceShareTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theColumnsOfTheSourceAreSummed() {
        const float none = std::nanf("");
        trace::QuantityMaps maps{
            .quantity = trace::MapQuantity::Contribution,
            .values = {1, 3, 4, {0.2F, 0.3F, 0.5F, 7, 0, 0, 0.25F, 0.75F, none, none, none, none}},
            .mask = {3, 4, {1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1}},
            .sourceColumns = 2};
        const auto shares = analysis::sourceShares(maps);
        QCOMPARE(shares.size(), std::size_t(3));
        // Masked cells do not count.
        VERIFY_AGREES(tests::compare("share", shares[0], 0.5, tests::ofRoundings(1, 0.5)));
        QCOMPARE(shares[1], 0.0);
        QVERIFY(std::isnan(shares[2]));
    }

    void withoutASourceNothingComesFromIt() {
        trace::QuantityMaps maps{.values = {1, 1, 1, {1}}, .mask = {1, 1, {1}}};
        QCOMPARE(analysis::sourceShares(maps), std::vector<double>{0});
    }
};

HEADSCOPE_TEST(SourceShareTest)
#include "source_share_test.moc"
