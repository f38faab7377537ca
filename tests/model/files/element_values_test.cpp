#include <QTest>

#include "model/files/element_values.h"
#include "tests/registered_test.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace headscope::files;

class ElementValuesTest : public QObject {
    Q_OBJECT

    template <class Stored>
    static std::vector<float> floatsOf(ElementType type, const std::vector<Stored>& stored) {
        std::vector<float> values(stored.size());
        toFloats(type, std::as_bytes(std::span(stored)), values);
        return values;
    }

  private Q_SLOTS:
    void halvesAreTheNumbersOfIeee754() {
        using Halves = std::vector<std::uint16_t>;
        const auto of = [](const Halves& halves) { return floatsOf(ElementType::Float16, halves); };
        QCOMPARE(of({0x3C00, 0xC000, 0x3555, 0x7BFF}),
                 (std::vector<float>{1, -2, 0x1.554p-2F, 65504})); // 1365 / 4096 is the half next to 1/3
        // Subnormal numbers have no leading bit.
        QCOMPARE(of({0x0001, 0x8001, 0x03FF, 0x0400}),
                 (std::vector<float>{0x1p-24F, -0x1p-24F, 1023 * 0x1p-24F, 0x1p-14F}));
        const auto special = of({0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E00});
        QVERIFY(special[0] == 0 && !std::signbit(special[0]));
        QVERIFY(special[1] == 0 && std::signbit(special[1]));
        QCOMPARE(special[2], std::numeric_limits<float>::infinity());
        QCOMPARE(special[3], -std::numeric_limits<float>::infinity());
        QVERIFY(std::isnan(special[4]));
    }

    void otherTypesKeepTheirValues() {
        QCOMPARE(floatsOf(ElementType::BFloat16, std::vector<std::uint16_t>{0x3F80, 0xC049}),
                 (std::vector<float>{1, -3.140625F}));
        QCOMPARE(floatsOf(ElementType::Bool, std::vector<std::uint8_t>{0, 1, 7}),
                 (std::vector<float>{0, 1, 1}));
        QCOMPARE(floatsOf(ElementType::UInt8, std::vector<std::uint8_t>{0, 200}),
                 (std::vector<float>{0, 200}));
        QCOMPARE(floatsOf(ElementType::Int8, std::vector<std::int8_t>{-128, 127}),
                 (std::vector<float>{-128, 127}));
        QCOMPARE(floatsOf(ElementType::Int16, std::vector<std::int16_t>{-300, 300}),
                 (std::vector<float>{-300, 300}));
        QCOMPARE(floatsOf(ElementType::Int32, std::vector<std::int32_t>{-70000, 70000}),
                 (std::vector<float>{-70000, 70000}));
        QCOMPARE(floatsOf(ElementType::Int64, std::vector<std::int64_t>{-1, std::int64_t(1) << 40}),
                 (std::vector<float>{-1, 0x1p40F}));
        QCOMPARE(floatsOf(ElementType::Float32, std::vector<float>{0.1F}), (std::vector<float>{0.1F}));
        QCOMPARE(floatsOf(ElementType::Float64, std::vector<double>{0.1}), (std::vector<float>{0.1F}));
    }
};

HEADSCOPE_TEST(ElementValuesTest)
#include "element_values_test.moc"
