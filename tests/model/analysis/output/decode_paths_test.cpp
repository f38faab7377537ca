#include <QTest>

#include "model/analysis/output/decode_paths.h"
#include "model/trace/run_path.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_search.h"

#include <cmath>

using namespace headscope;
using analysis::PathRow;
using analysis::PathsOf;
using What = PathRow::What;

/// Rows of a search by hand: <s> Der alte Mann </s> was found, "Der Greis gab" and "Der Greis" finished, too.
class DecodePathsTest : public QObject {
    Q_OBJECT

    static std::vector<std::size_t> leavesOf(const analysis::PathRows& paths) {
        std::vector<std::size_t> leaves;
        for (const auto& row : paths.rows)
            leaves.push_back(row.nodes.back());
        return leaves;
    }

    static bool isNear(double found, double expected) { return std::abs(found - expected) < 1e-12; }

  private Q_SLOTS:
    void theShownPathIsFirstAndOthersComeBehindTheOneThatTheyLeave() {
        const auto paths = analysis::pathRows(*example::searchedRun());
        QCOMPARE(leavesOf(paths), (std::vector<std::size_t>{12, 14, 9}));
        QVERIFY(!paths.rows[0].from && paths.rows[1].from == 0U && paths.rows[2].from == 1U);
        QCOMPARE(paths.rows[1].fork, std::size_t(1));
        QCOMPARE(paths.rows[2].fork, std::size_t(2));
        QCOMPARE(paths.columns, std::size_t(4));
    }

    void laterForksAreHigherAndEqualOnesByProbability() {
        const auto paths = analysis::pathRows(*example::searchedRun(), PathsOf::Every);
        QCOMPARE(leavesOf(paths), (std::vector<std::size_t>{12, 13, 15, 11, 14, 9, 7, 3, 4}));
        QCOMPARE(paths.folded, std::size_t(0));
    }

    void whatWasDroppedAfterOneStepIsOnlyCounted() {
        const auto paths = analysis::pathRows(*example::searchedRun());
        QCOMPARE(paths.folded, std::size_t(6));
        QCOMPARE(analysis::pathRows(*example::searchedRun(), PathsOf::Kept).rows.size(), std::size_t(3));
        QCOMPARE(leavesOf(analysis::pathRows(*example::searchedRun(), PathsOf::Mine)),
                 (std::vector<std::size_t>{12}));
    }

    void beamsAreCountedByTheirFinalScores() {
        const auto paths = analysis::pathRows(*example::searchedRun());
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(paths.rows[static_cast<std::size_t>(row)].beam, row + 1);
            QCOMPARE(paths.rows[static_cast<std::size_t>(row)].what, What::Beam);
        }
        QVERIFY(paths.rows[0].isEnded || !example::searchedRun()->model->special.end);
        QVERIFY(isNear(*paths.rows[1].finalScore, -0.85));
        QVERIFY(isNear(paths.rows[1].total, -3.4) && isNear(paths.rows[1].mean(), -0.85));
    }

    void ofADroppedOneItIsKnownWhoWasBetter() {
        const auto run = example::searchedRun();
        const auto paths = analysis::pathRows(*run, PathsOf::Every);
        const auto& cut = paths.rows[6].cut; // "Ein alter"
        QVERIFY(cut && cut->at == 1 && cut->better == 2);
        QVERIFY(isNear(*cut->score, -2.3) && isNear(*cut->lastKept, -2.0));
        QCOMPARE(paths.rows[6].what, What::Dropped);
        for (const auto& row : paths.rows)
            if (row.what == What::Dropped &&
                run->tree.node(row.nodes.back()).search->fate == trace::Fate::Pruned)
                QCOMPARE(row.cut->better,
                         analysis::keptBefore(*run, *run->tree.node(row.nodes.back()).search));
    }

    /// The other two of the search stay below.
    void aBranchAlongADroppedHypothesisIsOneRow() {
        auto run = example::searchedRun();
        const auto leaf = run->tree.add(
            {.parent = 7, .token = example::token(60, "▁Herr"), .logProbability = -0.5, .rank = 0});
        run->request.paths = {{}, {}};
        run->paths.insert(run->paths.begin(), {.leaf = leaf, .forcedTokens = 2});
        trace::showPath(*run, run->paths.back());
        const auto paths = analysis::pathRows(*run);
        QCOMPARE(leavesOf(paths), (std::vector<std::size_t>{12, 14, 9, leaf}));
        const auto& branch = paths.rows.back();
        QVERIFY(branch.what == What::Branch && branch.path == 0U && branch.fork == 0);
        QVERIFY(branch.cut && branch.cut->at == 1 && branch.cut->better == 2);
    }

    void aReferenceHasTheEndThatWasNotFed() {
        auto run = example::searchedRun();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->special.end = 3;
        run->model = model;
        run->request.paths = {{}, {}};
        run->paths.insert(run->paths.begin(), {.leaf = 10, .forcedTokens = 4, .decodedOn = false});
        const auto rows = analysis::pathRows(*run, PathsOf::Mine).rows;
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[1].what == What::Forced && rows[1].nodes.back() == 14 && rows[1].isEnded);
    }

    void thePromptOfADecoderAloneHasNoColumns() {
        trace::Run run;
        auto model = std::make_shared<trace::ModelSummary>();
        model->decoderLayers = 1;
        model->attendsToSource = false;
        run.model = model;
        run.source.resize(3);
        std::size_t node = run.tree.add({.token = {.id = 10}});
        for (int id = 1; id < 6; ++id)
            node = run.tree.add({.parent = node, .token = {.id = id}, .logProbability = -1.0 * id});
        run.paths.push_back({.leaf = node, .forcedTokens = 3});
        run.path = run.tree.path(node);
        const auto paths = analysis::pathRows(run);
        QVERIFY(paths.prompt == 2 && paths.columns == 3);
        QVERIFY(paths.rows[0].what == What::Greedy && isNear(paths.rows[0].total, -12));
    }

    void withoutARunThereIsNothing() { QVERIFY(analysis::pathRows(trace::Run()).rows.empty()); }
};

HEADSCOPE_TEST(DecodePathsTest)
#include "decode_paths_test.moc"
