#include <QTest>

#include "model/analysis/compare/said_comparison.h"
#include "tests/registered_test.h"

using namespace headscope;

class SaidComparisonTest : public QObject {
    Q_OBJECT

    static trace::Run saying(const std::vector<std::pair<std::int64_t, double>>& idsAndLogs) {
        trace::Run run;
        run.output = "said";
        run.path.push_back(run.tree.add({.token = {.id = 0, .role = trace::TokenRole::Start}}));
        for (const auto& [id, log] : idsAndLogs)
            run.path.push_back(run.tree.add({.parent = run.path.back(),
                                             .token = {.id = id, .piece = "p" + std::to_string(id)},
                                             .logProbability = log}));
        return run;
    }

  private Q_SLOTS:
    void whatARunSaidAreItsTokensWithTheirLogProbabilities() {
        const auto said = analysis::saidOutput(saying({{5, -0.5}, {7, -1.25}, {6, -0.25}}));
        QCOMPARE(said.text, std::string("said"));
        QCOMPARE(said.tokens.size(), std::size_t(3));
        QCOMPARE(said.tokens[1].id, std::int64_t(7));
        QCOMPARE(said.logProbabilities, (std::vector<double>{-0.5, -1.25, -0.25}));
        QCOMPARE(said.sum, -2.0);
        QVERIFY(!said.areClasses);
        analysis::AxisUnit unit;
        unit.tokens = {1, 3};
        QCOMPARE(analysis::logProbabilityOf(said, unit), -1.5);
    }

    void aClassifierSaysAllOfItsClasses() {
        trace::Run run;
        run.classLogProbabilities = {-0.125F, -2};
        const auto said = analysis::saidOutput(run);
        QVERIFY(said.areClasses);
        QCOMPARE(said.logProbabilities, (std::vector<double>{-0.125, -2}));
        QCOMPARE(said.tokens[1].piece, std::string("#1"));
        QCOMPARE(said.tokens[1].id, std::int64_t(1));
        QVERIFY(!analysis::saidOutput(trace::Run()).areClasses);
    }

    void whatTwoRunsSaidIsLaidSideBySide() {
        const auto compared = analysis::compareSaid(saying({{5, -1}, {7, -1}, {6, -1}}),
                                                    saying({{5, -2}, {6, -3}}), analysis::AlignBy::Pieces);
        QCOMPARE(compared.first.sum, -3.0);
        QCOMPARE(compared.second.sum, -5.0);
        QCOMPARE(compared.axis.places.size(), std::size_t(3));
        QCOMPARE(compared.axis.pairs(), std::size_t(2));
    }
};

HEADSCOPE_TEST(SaidComparisonTest)
#include "said_comparison_test.moc"
