#include <QTest>

#include "app/document/run_branches.h"
#include "tests/registered_test.h"

using namespace headscope;

class RunBranchesTest : public QObject {
    Q_OBJECT

    /// A run whose five tokens have the log-probabilities -1, -2, -3 and -4 after the first.
    static trace::Run run(trace::ModelSummary model, std::size_t source) {
        trace::Run made;
        made.model = std::make_shared<const trace::ModelSummary>(std::move(model));
        made.source.resize(source);
        auto node = made.tree.add({.token = {.id = 10}});
        for (int id = 1; id < 5; ++id)
            node = made.tree.add({.parent = node, .token = {.id = id}, .logProbability = -1.0 * id});
        made.paths.push_back({.leaf = node, .decodedOn = true});
        return made;
    }

  private Q_SLOTS:
    void theSumIsOfEveryTokenAfterTheStart() {
        const auto branches = app::branchesOf(run({.encoderLayers = 1, .decoderLayers = 1}, 3), {});
        QCOMPARE(branches.size(), std::size_t(1));
        QCOMPARE(branches[0].logProbability, -10.0);
        QCOMPARE(branches[0].tokens, std::size_t(4));
    }

    void theSumLeavesAPromptOut() {
        const auto branches = app::branchesOf(run({.decoderLayers = 1, .attendsToSource = false}, 3), {});
        QCOMPARE(branches[0].logProbability, -7.0);
        QCOMPARE(branches[0].tokens, std::size_t(2));
    }
};

HEADSCOPE_TEST(RunBranchesTest)
#include "run_branches_test.moc"
