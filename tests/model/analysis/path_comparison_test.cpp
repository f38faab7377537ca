#include <QTest>

#include "model/analysis/path_comparison.h"
#include "model/trace/run_path.h"

using namespace headscope;
using analysis::AlignedPlace;

/// 0 -> 1 2 3 4 and 0 -> 1 5 3 6 7, in one tree.
class PathComparisonTest : public QObject {
    Q_OBJECT

    trace::DecodeTree tree_;
    trace::DecodeTree::NodeId first_ = 0;
    trace::DecodeTree::NodeId second_ = 0;

    trace::DecodeTree::NodeId grow(std::initializer_list<std::pair<std::int64_t, double>> tokens) {
        trace::DecodeTree::NodeId node = 0;
        for (const auto& [id, logProbability] : tokens) {
            const auto known = tree_.child(node, id);
            node = known ? *known
                         : tree_.add({.parent = node, .token = {.id = id}, .logProbability = logProbability});
        }
        return node;
    }

    static trace::AttentionRecord record(trace::AttentionKind kind, std::size_t rows, std::size_t columns,
                                         float value) {
        trace::AttentionRecord made{.site = {kind, 0}, .mask = trace::MaskMatrix(rows, columns, 1)};
        made.weights = trace::HeadStack(1, rows, columns, std::vector<float>(rows * columns, value));
        return made;
    }

  private Q_SLOTS:
    void init() {
        tree_ = {};
        tree_.add({.token = {.id = 0}});
        first_ = grow({{1, -0.1}, {2, -0.2}, {3, -0.3}, {4, -0.4}});
        second_ = grow({{1, -0.1}, {5, -1.5}, {3, -0.8}, {6, -0.6}, {7, -0.7}});
    }

    void whatBothBeginWithIsCommon() {
        const auto compared = analysis::comparePaths(tree_, first_, second_);
        QCOMPARE(compared.common, 1u);
        QCOMPARE(compared.first.size(), 4u);
        QCOMPARE(compared.second.size(), 5u);
    }

    void laterTokensStandBesideTheirLike() {
        const auto places = analysis::comparePaths(tree_, first_, second_).places;
        const std::vector<AlignedPlace> expected{
            {0, 0, true}, {1, 1, false}, {2, 2, true}, {3, 3, false}, {std::nullopt, 4, false}};
        QVERIFY(places == expected);
    }

    void theChangeIsThatOfTheSameTokenInAnotherPlace() {
        const auto compared = analysis::comparePaths(tree_, first_, second_);
        QCOMPARE(*compared.logProbabilityChange(compared.places[2]), -0.5);
        QVERIFY(!compared.logProbabilityChange(compared.places[1]));
        QVERIFY(!compared.logProbabilityChange(compared.places[4]));
    }

    void aPathComparedWithItselfIsAllCommon() {
        const auto compared = analysis::comparePaths(tree_, first_, first_);
        QCOMPARE(compared.common, 4u);
        QCOMPARE(compared.places.size(), 4u);
    }

    void aTokenThatOnlyOneHasStandsAlone() {
        const auto longer = grow({{1, 0}, {9, 0}, {2, 0}, {3, 0}, {4, 0}});
        const auto compared = analysis::comparePaths(tree_, first_, longer);
        QCOMPARE(compared.places.size(), 5u);
        QVERIFY(!compared.places[1].first && compared.places[1].second == 1u);
        QVERIFY(compared.places[4].same);
    }

    void crossMapsAreSubtractedRowBesideRow() {
        trace::Run one;
        trace::Run other;
        one.cross = {record(trace::AttentionKind::Cross, 4, 2, 0.25f)};
        other.cross = {record(trace::AttentionKind::Cross, 5, 2, 0.75f)};
        const auto compared = analysis::comparePaths(tree_, first_, second_);
        const auto map = analysis::compareMaps(compared, one, other, {{trace::AttentionKind::Cross, 0}, 0});
        QCOMPARE(map.values.rows(), 5u);
        QCOMPARE(map.values(2, 1), 0.5f);
        QCOMPARE(int(map.both(4, 0)), 0); // only the second has that row
        QCOMPARE(map.largest, 0.5);
    }

    void decoderMapsAreAlignedByWhatWasFed() {
        trace::Run one;
        trace::Run other;
        one.decoder = {record(trace::AttentionKind::DecoderSelf, 4, 4, 0.5f)};
        other.decoder = {record(trace::AttentionKind::DecoderSelf, 5, 5, 0.5f)};
        const auto compared = analysis::comparePaths(tree_, first_, second_);
        const auto map =
            analysis::compareMaps(compared, one, other, {{trace::AttentionKind::DecoderSelf, 0}, 0});
        QCOMPARE(map.rows.size(), 5u); // the start token and four more; the last token was not fed
        QVERIFY(map.rows[0].same && map.rows[1].same && !map.rows[2].same);
        QCOMPARE(map.values(3, 3), 0.f);
        QCOMPARE(int(map.both(4, 4)), 0);
    }

    void aHeadThatIsNotThereGivesNothing() {
        const auto compared = analysis::comparePaths(tree_, first_, second_);
        QVERIFY(
            analysis::compareMaps(compared, {}, {}, {{trace::AttentionKind::Cross, 0}, 0}).values.empty());
    }
};

QTEST_APPLESS_MAIN(PathComparisonTest)
#include "path_comparison_test.moc"
