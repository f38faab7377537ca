#include "model/files/block_layouts.h"
#include "model/network/block_matrix.h"
#include "model/network/matrix_product.h"
#include "model/network/parameters.h"
#include "model/network/workers.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

using namespace headscope::network;
namespace tests = headscope::tests;

namespace {

at::Tensor productOf(const at::Tensor& x, const Linear& map) {
    const Linear* one = &map;
    return products(x, {&one, 1}).front();
}

tests::Comparison compareWithWide(const at::Tensor& x, const Linear& map) {
    return tests::compare("product", productOf(x, map),
                          tests::linear(tests::Bounded(x), map.weight, map.bias));
}

/// Random bytes with scales of a usual size.
at::Tensor randomBlocks(headscope::files::ElementType type, std::int64_t rows, std::int64_t columns) {
    const auto bytes = bytesOf(type, rows * columns), size = sizeOf(type);
    const auto random = at::randint(0, 256, {static_cast<std::int64_t>(bytes)}, at::kByte);
    std::shared_ptr<std::byte[]> blocks(new std::byte[bytes]);
    std::memcpy(blocks.get(), random.data_ptr(), bytes);
    headscope::files::blocks::with(type, [&](auto block) {
        for (std::size_t begin = 0; begin < bytes; begin += size)
            for (const auto at : decltype(block)::scalesAt)
                blocks[begin + at + 1] = std::byte{0x14} | (blocks[begin + at + 1] & std::byte{0x83});
    });
    return blockMatrix({.type = type, .first = {blocks, blocks.get()}}, {rows, columns});
}

} // namespace

class MatrixProductTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { at::manual_seed(5); }
    void cleanup() { Workers::ofProducts().setThreads(1); }

    void matricesOfEachTypeAreMultipliedInFloat32_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("float32") << static_cast<int>(at::kFloat);
        QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
        QTest::newRow("float16") << static_cast<int>(at::kHalf);
    }
    void matricesOfEachTypeAreMultipliedInFloat32() {
        QFETCH(int, type);
        for (const std::int64_t rows : {1, 2, 8, 9, 70})
            for (const std::int64_t in : {1, 7, 16, 33, 64, 515})
                for (const std::int64_t out : {1, 3, 4, 530}) {
                    const auto weight = at::randn({out, in}) / std::sqrt(static_cast<double>(in));
                    Linear map{.weight = weight.to(static_cast<at::ScalarType>(type))};
                    const auto x = at::randn({rows, in});
                    VERIFY_AGREES(compareWithWide(x, map));
                    map.bias = at::randn({out});
                    VERIFY_AGREES(compareWithWide(x, map));
                }
    }

    void blocksAreMultipliedAsTheirNumbers_data() {
        QTest::addColumn<int>("type");
        using headscope::files::ElementType;
        for (auto type = static_cast<int>(ElementType::Q4_0); type <= static_cast<int>(ElementType::Q6_K);
             ++type)
            QTest::newRow(std::string(name(static_cast<ElementType>(type))).c_str()) << type;
    }
    void blocksAreMultipliedAsTheirNumbers() {
        QFETCH(int, type);
        const auto element = static_cast<headscope::files::ElementType>(type);
        for (const std::int64_t columns : {256, 768})
            for (const std::int64_t out : {1, 3, 300}) {
                const auto matrix = randomBlocks(element, out, columns);
                const Linear map{.weight = matrix, .bias = at::randn({out})};
                const auto wide = widened(matrix);
                QVERIFY(at::equal(rowsOf(matrix, at::tensor({out - 1, std::int64_t{0}}, at::kLong)),
                                  at::stack({wide[out - 1], wide[0]})));
                for (const std::int64_t rows : {1, 5, 9}) {
                    const auto x = at::randn({rows, columns});
                    VERIFY_AGREES(tests::compare("product", productOf(x, map),
                                                 tests::linear(tests::Bounded(x), wide, map.bias)));
                }
            }
    }

    void infiniteScalesOfBlocksAreCounted() {
        using headscope::files::ElementType;
        const auto matrix = randomBlocks(ElementType::Q5_K, 3, 512);
        QCOMPARE(notFinite(matrix, 0, 3), std::int64_t{0});
        auto* const last =
            const_cast<std::byte*>(blocksOf(matrix)->first.get()) + 5 * sizeOf(ElementType::Q5_K);
        last[3] = std::byte{0x7C};
        QCOMPARE(notFinite(matrix, 0, 3), std::int64_t{256});
        QCOMPARE(notFinite(matrix, 0, 2), std::int64_t{0});
    }

    void aWeightThatIsAThousandthLargerShows() {
        for (const std::int64_t rows : {1, 9})
            for (const auto type : {at::kFloat, at::kHalf}) {
                const auto x = at::randn({rows, 16});
                const Linear map{.weight = at::randn({5, 16}).to(type)};
                const auto wanted = tests::linear(tests::Bounded(x), map.weight);
                auto larger = map.weight.view(-1)[map.weight.abs().argmax()];
                larger.mul_(1.001); // the next half
                QVERIFY(!tests::compare("product", productOf(x, map), wanted));
            }
    }

    /// The smallest halves have no exponent.
    void everyFiniteHalfIsWidenedExactly() {
        std::vector<std::int16_t> bits;
        for (int i = 0; i < 0x10000; ++i)
            if ((i & 0x7C00) != 0x7C00)
                bits.push_back(static_cast<std::int16_t>(i));
        const auto count = static_cast<std::int64_t>(bits.size());
        const auto halves = at::from_blob(bits.data(), {count, 1}, at::kHalf);
        const auto wanted = halves.to(at::kFloat).t();
        QVERIFY(at::equal(productOf(at::ones({1, 1}), {.weight = halves}), wanted));
        QVERIFY(at::equal(productOf(at::ones({9, 1}), {.weight = halves})[0], wanted[0]));
        const auto blocks = halves.narrow(0, 0, count / 64 * 64).view({-1, 64}).contiguous();
        const auto diagonal = at::eye(64); // picks one number of each row
        for (std::int64_t column = 0; column < 64; ++column)
            QVERIFY(at::equal(productOf(diagonal.narrow(0, column, 1), {.weight = blocks})[0],
                              blocks.select(1, column).to(at::kFloat)));
    }

    void mapsOfOneInputMayDifferInTypeAndSize() {
        const Linear one{.weight = at::randn({5, 12}), .bias = at::randn({5})};
        const Linear other{.weight = at::randn({9, 12}).to(at::kBFloat16)};
        const auto x = at::randn({3, 12});
        const std::vector<const Linear*> maps{&one, &other};
        const auto results = products(x, maps);
        QVERIFY(at::equal(results[0], productOf(x, one)));
        QVERIFY(at::equal(results[1], productOf(x, other)));
    }

    void threadsDoNotChangeAnyBit() {
        const Linear map{.weight = at::randn({3000, 256}).to(at::kBFloat16), .bias = at::randn({3000})};
        for (const std::int64_t rows : {1, 5, 40}) {
            const auto x = at::randn({rows, 256});
            Workers::ofProducts().setThreads(1);
            const auto alone = productOf(x, map);
            Workers::ofProducts().setThreads(3);
            QVERIFY(at::equal(productOf(x, map), alone));
        }
    }

    void gradientsGoThroughHalves() {
        const Linear map{.weight = at::randn({4, 6}).to(at::kHalf)};
        const auto x = at::randn({2, 6}).requires_grad_();
        map(x).sum().backward();
        const auto weight = map.weight.to(at::kDouble);
        VERIFY_AGREES(tests::compare("gradient", x.grad()[1], weight.sum(0),
                                     tests::ofSum(4, tests::largestSize(weight.abs().sum(0)))));
    }

    void numbersThatAreNotFiniteAreCounted() {
        for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf}) {
            auto numbers = at::ones({9000}).to(type);
            QCOMPARE(notFinite(numbers, 0, numbers.size(0)), std::int64_t{0});
            for (const std::int64_t i : {0, 4095, 4096, 8999})
                numbers[i] = std::numeric_limits<float>::infinity();
            numbers[7] = std::numeric_limits<float>::quiet_NaN();
            QCOMPARE(notFinite(numbers, 0, numbers.size(0)), std::int64_t{5});
            const auto all = at::full({70000}, -std::numeric_limits<float>::infinity()).to(type);
            QCOMPARE(notFinite(all, 0, 70000), std::int64_t{70000});
        }
    }
};

HEADSCOPE_TEST(MatrixProductTest)
#include "matrix_product_test.moc"
