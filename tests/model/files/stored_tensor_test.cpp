#include "model/files/stored_tensor.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace headscope::files;

class StoredTensorTest : public QObject {
    Q_OBJECT

    using Sizes = std::vector<std::int64_t>;

  private Q_SLOTS:
    void everyTypeHasItsSizeAndName() {
        QCOMPARE(sizeOf(ElementType::Bool), std::size_t{1});
        QCOMPARE(sizeOf(ElementType::BFloat16), std::size_t{2});
        QCOMPARE(sizeOf(ElementType::Float32), std::size_t{4});
        QCOMPARE(sizeOf(ElementType::Float64), std::size_t{8});
        QVERIFY(name(ElementType::Bool) == "bool");
        QVERIFY(name(ElementType::Int64) == "int64");
        QVERIFY(name(ElementType::BFloat16) == "bfloat16");
        QVERIFY(name(ElementType::Float64) == "float64");
    }

    void aProductThatOverflowsIsNone() {
        QVERIFY(checkedProduct(Sizes{2, 3}) == std::size_t{6});
        QVERIFY(checkedProduct(Sizes{}) == std::size_t{1});
        QVERIFY(checkedProduct(Sizes{0, INT64_MAX, INT64_MAX}) == std::size_t{0});
        QVERIFY(!checkedProduct(Sizes{INT64_MAX, 3}));
        QVERIFY(!checkedProduct(Sizes{-1, 3}));
        QVERIFY(!checkedProduct(SIZE_MAX, 2));
    }

    void stridesAreRowMajor() {
        QCOMPARE(contiguousStrides(Sizes{2, 3, 4}), (Sizes{12, 4, 1}));
        QCOMPARE(contiguousStrides(Sizes{}), Sizes{});
        QCOMPARE(contiguousStrides(Sizes{0, INT64_MAX, INT64_MAX}), (Sizes{1, 1, 1}));
    }

    void tensorsShareStorageOnlyIfAllOfTheViewIsTheSame() {
        const StoredTensor a{.name = "a",
                             .shape = {2, 2},
                             .strides = {2, 1},
                             .bytes = foreign_files::sharedBytes("0123456789abcdef")};
        StoredTensor b = a;
        b.name = "b";
        QVERIFY(shareStorage(a, b));
        b.strides = {1, 2};
        QVERIFY(!shareStorage(a, b));
        b = a;
        b.bytes = foreign_files::sharedBytes("0123456789abcdef");
        QVERIFY(!shareStorage(a, b));
    }
};

HEADSCOPE_TEST(StoredTensorTest)
#include "stored_tensor_test.moc"
