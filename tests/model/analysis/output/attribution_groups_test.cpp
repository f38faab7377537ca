#include <QTest>

#include "model/analysis/output/attribution_groups.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_lens.h"

using namespace headscope;

class AttributionGroupsTest : public QObject {
    Q_OBJECT

    using Kind = trace::LogitPart::Kind;

    trace::LogitAttribution attribution_ = example::attribution(*example::run(), 4, std::nullopt);

  private Q_SLOTS:
    void headsAndBiasOfAnAttentionAreOneGroupInTheOrderOfTheStream() {
        const auto groups = analysis::attributionGroups(attribution_);
        QCOMPARE(groups.size(),
                 std::size_t(3 + 3 * 3)); // bias, embedding, position; three sublayers per layer
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(groups[i].parts.size(), std::size_t(1));
        QCOMPARE(groups[3].parts.size(), std::size_t(9));
        QVERIFY(groups[3].parts.front().kind == Kind::Head);
        QVERIFY(groups[3].parts.back().kind == Kind::AttentionBias);
        QVERIFY(groups[4].parts.front().sublayer->kind == trace::SublayerKind::Cross);
        QVERIFY(groups[5].parts.front().kind == Kind::FeedForward);
    }

    void theGroupsSumToTheLogitAsThePartsDo() {
        double sum = 0, sizes = 0;
        for (const auto& part : attribution_.parts)
            sizes += std::abs(part.value);
        for (const auto& group : analysis::attributionGroups(attribution_))
            sum += group.sum;
        const auto limit = 2.0 * tests::ofSum(attribution_.parts.size(), sizes, tests::float64);
        VERIFY_AGREES(tests::compare("sum of groups", sum, attribution_.logit, limit));
        VERIFY_AGREES(
            tests::compare("sum of parts", analysis::sumOfParts(attribution_), attribution_.logit, limit));
        QVERIFY(analysis::partsSumToLogit(attribution_));
    }

    void partsThatMissTheLogitAreFoundOut() {
        attribution_.logit += 0.01;
        QVERIFY(!analysis::partsSumToLogit(attribution_));
    }

    void thereAreNoGroupsOfNoParts() { QVERIFY(analysis::attributionGroups({}).empty()); }
};

HEADSCOPE_TEST(AttributionGroupsTest)
#include "attribution_groups_test.moc"
