#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "widgets/views/beam_tree/beam_tree_layout.h"

#include <algorithm>
#include <set>

using namespace headscope;
using namespace headscope::widgets;
using trace::Fate;

class BeamTreeLayoutTest : public QObject {
    Q_OBJECT

    static BeamTreeLayout layOut(const trace::Run& run) {
        return layOutBeamTree(
            run, [](const trace::Token& token) { return 8.0 * static_cast<double>(token.piece.size()); }, 16);
    }

  private Q_SLOTS:
    void everyHypothesisStandsInTheColumnOfItsStep() {
        const auto run = example::searchedRun();
        const auto layout = layOut(*run);
        QCOMPARE(layout.nodes.size(), run->tree.nodes().size());
        QCOMPARE(layout.columns, 5);
        for (const auto& node : layout.nodes) {
            if (!node.parent)
                continue;
            const auto& parent = layout.nodes[*node.parent];
            QCOMPARE(node.column, parent.column + 1);
            QVERIFY(node.box.left() > parent.box.right());
        }
    }

    void theMoreProbableStandsHigherAndNothingOverlaps() {
        const auto layout = layOut(*example::searchedRun());
        for (const auto& one : tests::some(layout.nodes))
            for (const auto& other : layout.nodes) {
                if (one.id == other.id)
                    continue;
                QVERIFY(!one.box.intersects(other.box));
                if (one.column == other.column)
                    QCOMPARE(one.rank < other.rank, one.box.top() < other.box.top());
            }
    }

    void allOfItIsWithinTheSize() {
        const auto layout = layOut(*example::searchedRun());
        for (const auto& node : tests::some(layout.nodes))
            QVERIFY(QRectF(QPointF(), layout.size).contains(node.box));
    }

    void theWinnersPathIsKept() {
        const auto run = example::searchedRun();
        const auto layout = layOut(*run);
        std::set<trace::DecodeTree::NodeId> kept;
        for (const auto& node : layout.nodes)
            if (node.kept)
                kept.insert(node.id);
        const auto path = run->tree.path(run->paths.back().leaf);
        QCOMPARE(kept, std::set(path.begin(), path.end()));
    }

    void theWinnerIsTheSameWhicheverPathIsShown() {
        const auto run = example::searchedRun();
        const auto other = layOut(*trace::atPath(*run, 14));
        for (const std::size_t leaf : {12, 14})
            QCOMPARE(std::ranges::find(other.nodes, leaf, &BeamTreeNode::id)->kept, leaf == 12);
    }

    void withoutASearchThereIsNothing() { QVERIFY(layOut(*example::run()).nodes.empty()); }

    void everyFateHasAShapeOfItsOwn() {
        const QRectF box(0, 0, 60, 20);
        const std::array fates{Fate::Extended,    Fate::Finished,  Fate::Pruned,
                               Fate::EndedTooLow, Fate::Displaced, Fate::Unfinished};
        for (const Fate one : fates)
            for (const Fate other : fates)
                QCOMPARE(fateShape(one, box) == fateShape(other, box), one == other);
    }
};

HEADSCOPE_WATCHED_TEST(BeamTreeLayoutTest)
#include "beam_tree_layout_test.moc"
