#include <QTest>

#include "model/trace/decode_tree.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

namespace {

/// One head whose query row t is numbered: weight 10t + key, score 100 more, q 1000 + t.
HeadStack rowOf(std::size_t t, std::size_t keys, float base) {
    HeadStack stack(1, 1, keys);
    for (std::size_t key = 0; key < keys; ++key)
        stack.at(0, 0, key) = base + static_cast<float>(10 * t + key);
    return stack;
}

/// What feeding token t would compute, in one layer, over a source of two tokens.
std::shared_ptr<const DecodeRow> row(std::size_t t) {
    auto row = std::make_shared<DecodeRow>();
    const auto number = static_cast<float>(t);
    AttentionRecord self{.site = {AttentionKind::DecoderSelf, 0},
                         .mask = MaskMatrix(1, t + 1, std::uint8_t{1})};
    self.weights = rowOf(t, t + 1, 0);
    self.scores = rowOf(t, t + 1, 100);
    self.q = HeadStack(1, 1, 1, {1000 + number});
    self.k = HeadStack(1, 1, 1, {2000 + number});
    self.v = HeadStack(1, 1, 1, {3000 + number});
    AttentionRecord cross{.site = {AttentionKind::Cross, 0}, .mask = MaskMatrix(1, 2, std::uint8_t{1})};
    cross.weights = rowOf(t, 2, 0);
    cross.scores = rowOf(t, 2, 100);
    HeadStack earlier(1, t, 1);
    for (std::size_t query = 0; query < t; ++query)
        earlier.at(0, query, 0) = 500 + static_cast<float>(10 * query + t);
    row->self.push_back(std::move(self));
    row->cross.push_back(std::move(cross));
    row->scoresOfEarlierQueries.push_back(std::move(earlier));
    return row;
}

/// start -> a -> b, and start -> a -> c; `b` was not fed.
DecodeTree branched() {
    DecodeTree tree;
    tree.add({.token = {.id = 2}, .row = row(0)});
    tree.add({.parent = 0, .token = {.id = 10}, .logProbability = -0.5, .row = row(1)});
    tree.add({.parent = 1, .token = {.id = 11}, .logProbability = -1});
    tree.add({.parent = 1, .token = {.id = 12}, .logProbability = -2, .row = row(2)});
    return tree;
}

} // namespace

class DecodeTreeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPathGoesFromTheRootToTheLeaf() {
        const DecodeTree tree = branched();
        QCOMPARE(tree.path(3), (std::vector<std::size_t>{0, 1, 3}));
        QCOMPARE(tree.path(0), std::vector<std::size_t>{0});
        QCOMPARE(tree.logProbability(3), -2.5);
        QCOMPARE(tree.logProbability(0), 0.0);
        QVERIFY(DecodeTree().empty());
    }

    void childrenAreFoundByTheirToken() {
        const DecodeTree tree = branched();
        QCOMPARE(tree.children(1), (std::vector<std::size_t>{2, 3}));
        QCOMPARE(tree.child(1, 12), std::optional<std::size_t>(3));
        QVERIFY(!tree.child(1, 10).has_value());
        QVERIFY(tree.children(3).empty());
    }

    void aNodeThatIsNotThereIsNotInvented() {
        const DecodeTree tree = branched();
        QVERIFY_EXCEPTION_THROWN(tree.node(4), std::out_of_range);
        QVERIFY_EXCEPTION_THROWN(tree.path(4), std::out_of_range);
    }

    void selfRowsMakeASquareWithTheClosedCellsScores() {
        const DecodeTree tree = branched();
        const auto records = stackSelfRows(tree, tree.path(3));
        QCOMPARE(records.size(), std::size_t{1});
        const auto& record = records[0];
        QCOMPARE(record.weights.rows(), std::size_t{3});
        QCOMPARE(record.weights.columns(), std::size_t{3});
        QCOMPARE(record.mask.values(), (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 0, 1, 1, 1}));
        for (std::size_t query = 0; query < 3; ++query)
            for (std::size_t key = 0; key < 3; ++key) {
                const auto cell = static_cast<float>(10 * query + key);
                QCOMPARE(record.weights(0, query, key), key <= query ? cell : 0.f);
                QCOMPARE(record.scores(0, query, key), key <= query ? 100 + cell : 500 + cell);
            }
        QCOMPARE(record.q(0, 2, 0), 1002.f);
        QCOMPARE(record.k(0, 1, 0), 2001.f);
        QCOMPARE(record.v(0, 0, 0), 3000.f);
        QVERIFY(record.outputs.empty());
    }

    void crossRowsMakeOneRowAStep() {
        const DecodeTree tree = branched();
        const auto records = stackCrossRows(tree, tree.path(3));
        QCOMPARE(records.size(), std::size_t{1});
        QCOMPARE(records[0].weights.rows(), std::size_t{3});
        QCOMPARE(records[0].weights.columns(), std::size_t{2});
        QCOMPARE(records[0].weights(0, 2, 1), 21.f);
        QCOMPARE(records[0].scores(0, 1, 0), 110.f);
        QCOMPARE(records[0].mask.values(), std::vector<std::uint8_t>(6, 1));
    }

    void aTokenThatWasNotFedHasNoRow() {
        const DecodeTree tree = branched();
        QCOMPARE(stackSelfRows(tree, tree.path(2))[0].weights.rows(), std::size_t{2});
        DecodeTree unfed;
        unfed.add({.token = {.id = 2}});
        QVERIFY(stackSelfRows(unfed, unfed.path(0)).empty());
        QVERIFY(stackCrossRows(unfed, unfed.path(0)).empty());
    }

    void pathsShareTheRowsOfTheirCommonPrefix() {
        DecodeTree tree = branched();
        const auto shared = tree.node(1).row;
        tree.setRow(2, row(2));
        QCOMPARE(tree.node(tree.path(2)[1]).row.get(), shared.get());
        QCOMPARE(tree.node(tree.path(3)[1]).row.get(), shared.get());
    }
};

HEADSCOPE_TEST(DecodeTreeTest)
#include "decode_tree_test.moc"
