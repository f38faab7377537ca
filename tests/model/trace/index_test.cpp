#include <QTest>

#include "model/trace/index.h"
#include "tests/registered_test.h"

#include <cstdint>
#include <limits>
#include <type_traits>

using namespace headscope::trace;

namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) {
    a == b;
}
|| requires(A a, B b) {
    a < b;
};

static_assert(Comparable<HeadIndex, HeadIndex> && Comparable<HeadIndex, int>);
static_assert(!Comparable<HeadIndex, LayerIndex>);
static_assert(!std::is_convertible_v<LayerIndex, HeadIndex> &&
              !std::is_constructible_v<HeadIndex, LayerIndex>);

} // namespace

class IndexTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anIndexComparesWithNumbersByValueWhateverTheirSigns() {
        const TokenIndex first, third = 2;
        QVERIFY(first > -1 && third > std::int64_t{-1} && third < std::numeric_limits<std::uint64_t>::max());
        QVERIFY(third == 2 && third == std::size_t{2} && third != first && first < third);
    }

    void aDistanceMayBeNegative() {
        const TokenIndex first, third = 2;
        QCOMPARE(first - third, std::ptrdiff_t{-2});
        QCOMPARE(first - std::size_t{1}, std::ptrdiff_t{-1});
        QCOMPARE(third + -3, std::ptrdiff_t{-1});
    }
};

HEADSCOPE_TEST(IndexTest)
#include "index_test.moc"
