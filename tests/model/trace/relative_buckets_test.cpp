#include <QTest>

#include "model/trace/relative_buckets.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <fstream>

using headscope::trace::RelativeBuckets;

class RelativeBucketsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void bucketsAreThoseOfT5() {
        std::ifstream file(HEADSCOPE_SOURCE "/tests/reference/relative-tiny/buckets.json");
        const auto recorded = nlohmann::json::parse(file);
        for (const auto& entry : headscope::tests::some(recorded.at("entries"))) {
            const RelativeBuckets rule{.buckets = entry.at("buckets"),
                                       .distance = entry.at("distance"),
                                       .bothWays = entry.at("bidirectional")};
            auto offset = recorded.at("first").get<std::int64_t>();
            for (const std::int64_t bucket : headscope::tests::some(entry.at("of")))
                QCOMPARE(rule.of(offset++), bucket);
        }
    }

    void nearDistancesHaveABucketEach() {
        const RelativeBuckets encoder;
        QCOMPARE(encoder.of(0), std::int64_t{0});
        QCOMPARE(encoder.of(-7), std::int64_t{7});
        QCOMPARE(encoder.of(7), std::int64_t{23});
        QCOMPARE(encoder.of(1000), std::int64_t{31});
        const RelativeBuckets decoder{.bothWays = false};
        QCOMPARE(decoder.of(5), std::int64_t{0});
        QCOMPARE(decoder.of(-15), std::int64_t{15});
        QCOMPARE(decoder.of(-100000), std::int64_t{31});
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RelativeBucketsTest)
#include "relative_buckets_test.moc"
