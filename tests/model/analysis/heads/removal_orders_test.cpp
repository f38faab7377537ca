#include <QTest>

#include "model/analysis/heads/removal_orders.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <set>

using namespace headscope;
using analysis::removedAt;
using Numbers = std::vector<std::size_t>;

namespace {

trace::HeadImportance made(int heads) {
    trace::HeadImportance measured{.ablation = {.kind = trace::Ablation::Kind::Mean}};
    measured.tokens.resize(2);
    for (int head = 0; head < heads; ++head)
        measured.effects.push_back({.head = {{trace::AttentionKind::Cross, 0}, head},
                                    .importance = {static_cast<float>(head % 3), static_cast<float>(-head)},
                                    .divergence = {0, 0}});
    measured.complete = true;
    return measured;
}

std::shared_ptr<const trace::RemovalCurve> curve(std::vector<std::vector<float>> values, bool isComplete) {
    trace::RemovalCurve curve;
    curve.removed = {0, 1};
    curve.values = std::move(values);
    curve.complete = isComplete;
    return std::make_shared<const trace::RemovalCurve>(std::move(curve));
}

} // namespace

class RemovalOrdersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void numbersOfHeadsAreEvenlySpacedFromNoneToAll() {
        QCOMPARE(removedAt(3, 72), (Numbers{0, 24, 48, 72}));
        QCOMPARE(removedAt(9, 4), (Numbers{0, 1, 2, 3, 4}));
        QCOMPARE(removedAt(4, 0), (Numbers{0}));
        const auto many = analysis::byImportance(made(250), 0).removed;
        QCOMPARE(many.size(), 101U);
        QCOMPARE(many.back(), 250U);
    }

    void theFirstPointsAreOfTheSameOrder() {
        const auto whole = analysis::byImportance(made(72), 0);
        const auto few = analysis::atFew(whole);
        QVERIFY(few.order == whole.order && few.ablation == whole.ablation);
        QCOMPARE(few.removed, (Numbers{0, 1, 2, 3, 4, 6, 8, 12, 16}));
        QCOMPARE(analysis::atFew(analysis::byImportance(made(5), 0)).removed, (Numbers{0, 1, 2, 3, 4}));
    }

    void theMostImportantIsRemovedFirst() {
        const auto measured = made(5);
        const auto heads = [&](std::optional<std::size_t> step) {
            Numbers found;
            for (const auto& head : analysis::byImportance(measured, step).order)
                found.push_back(static_cast<std::size_t>(head.head));
            return found;
        };
        QCOMPARE(heads(0), (Numbers{2, 1, 4, 0, 3})); // equal ones by address
        QCOMPARE(heads(1), (Numbers{0, 1, 2, 3, 4}));
        QCOMPARE(heads(std::nullopt), (Numbers{0, 1, 2, 3, 4}));
        QVERIFY(analysis::byImportance(measured, 0).ablation == measured.ablation);
    }

    void twelveRandomOrdersHaveEveryHeadAndAreTheSameAgain() {
        const auto measured = made(20);
        const auto draws = analysis::atRandom(measured);
        QCOMPARE(draws.size(), 12U);
        std::set<std::vector<trace::HeadAddress>> different;
        for (const auto& draw : draws) {
            auto sorted = draw.order;
            std::ranges::sort(sorted);
            QVERIFY(std::ranges::equal(sorted, measured.effects, {}, {}, &trace::HeadEffect::head));
            QVERIFY(draw.ablation == measured.ablation);
            different.insert(draw.order);
        }
        QCOMPARE(different.size(), 12U);
        QVERIFY(analysis::atRandom(measured) == draws);
    }

    void randomOrdersAreSummedUpAsFarAsTheyAreKnown() {
        const auto own = curve({{-1, -2}, {-4, -8}}, true);
        const auto compared =
            analysis::compareRemovals(*own,
                                      {curve({{-1, -2}, {-2, -3}}, true), nullptr,
                                       curve({{-1, -2}, {-4, -2}}, true), curve({{-9, -9}}, false)},
                                      0);
        QCOMPARE(compared.byImportance, (std::vector<double>{-1, -4}));
        QCOMPARE(compared.draws, 2U);
        QCOMPARE(compared.mean, (std::vector<double>{-1, -3}));
        QCOMPARE(compared.least, (std::vector<double>{-1, -4}));
        QCOMPARE(compared.most, (std::vector<double>{-1, -2}));
        const auto whole = analysis::compareRemovals(*own, {}, std::nullopt);
        QCOMPARE(whole.byImportance, (std::vector<double>{-3, -12}));
        QVERIFY(whole.mean.empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RemovalOrdersTest)
#include "removal_orders_test.moc"
