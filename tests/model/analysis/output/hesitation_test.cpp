#include <QTest>

#include "model/analysis/output/hesitation.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;

/// Certainty of a hand-made path <s> a b, whose second token was not the most probable one.
class HesitationTest : public QObject {
    Q_OBJECT

    static trace::Token token(std::int64_t id) { return {.id = id, .piece = std::to_string(id)}; }
    static trace::Candidate candidate(std::int64_t id, double probability) {
        return {token(id), static_cast<float>(std::log(probability))};
    }

  private Q_SLOTS:
    void aRowTellsItsTokenAndTheBestOther() {
        trace::Run run;
        const auto row = [](std::vector<trace::Candidate> candidates) {
            auto made = std::make_shared<trace::DecodeRow>();
            made->candidates = std::move(candidates);
            return made;
        };
        run.path.push_back(run.tree.add({.token = token(2)}));
        run.tree.setRow(0, row({candidate(10, 0.7), candidate(11, 0.2)}));
        run.path.push_back(run.tree.add({.parent = 0, .token = token(10), .logProbability = std::log(0.7)}));
        run.tree.setRow(1, row({candidate(12, 0.5), candidate(13, 0.3)}));
        run.path.push_back(run.tree.add({.parent = 1, .token = token(14), .logProbability = std::log(0.01)}));
        run.tree.setRow(2, row({candidate(3, 0.9)}));
        run.target = {token(2), token(10), token(14)};
        run.next = {token(10), token(14), token(3)};                 // the last is the most probable token
        QCOMPARE(analysis::hesitations(run).size(), std::size_t{2}); // no token was chosen in the last row
        std::vector<analysis::Hesitation> all;
        for (std::size_t t = 0; t < run.next.size(); ++t)
            all.push_back(analysis::hesitationAbout(run.next[t], run, t));
        // Logarithms are rounded, those of candidates to float32.
        const auto agrees = [](double found, double expected, double precision) {
            return tests::compare("probability", found, expected,
                                  tests::ofRoundings(1, -expected * std::log(expected), precision) +
                                      tests::ofRoundings(4, expected, tests::float64));
        };
        VERIFY_AGREES(agrees(*all[0].probability, 0.7, tests::float64));
        QCOMPARE(all[0].second->token.id, std::int64_t{11});
        VERIFY_AGREES(agrees(*all[1].probability, 0.01, tests::float64)); // not among the candidates
        QCOMPARE(all[1].second->token.id, std::int64_t{12});              // the more probable one
        VERIFY_AGREES(agrees(*all[2].probability, 0.9, tests::float32));
        QVERIFY(!all[2].second);
    }

    /// As of a recording: tokens without ids, and a path whose probability is not said.
    void tokensWithoutIdsAreToldByTheirPieces() {
        const auto named = [](const char* piece) { return trace::Token{.id = -1, .piece = piece}; };
        trace::Run run;
        auto row = std::make_shared<trace::DecodeRow>();
        row->candidates = {{{.id = 5, .piece = "a"}, std::log(0.5F)},
                           {{.id = 6, .piece = "b"}, std::log(0.2F)}};
        run.path = {run.tree.add({.token = named("<s>")})};
        run.tree.setRow(0, row);
        run.path.push_back(run.tree.add(
            {.parent = 0, .token = named("a"), .logProbability = std::numeric_limits<double>::quiet_NaN()}));
        run.target = {named("<s>")};
        run.next = {named("a")};
        const auto known = analysis::hesitationAbout(run.next[0], run, 0);
        QCOMPARE(*known.probability, std::exp(double{std::log(0.5F)}));
        QCOMPARE(known.second->token.piece, std::string("b"));
        row->candidates.clear();
        QVERIFY(!analysis::hesitationAbout(run.next[0], run, 0).probability);
    }

    void whatWasNotKeptIsNotKnown() {
        trace::Run run;
        run.path.push_back(run.tree.add({.token = token(2)}));
        run.target = {token(2)};
        run.next = {token(10)};
        const auto known = analysis::hesitationAbout(run.next[0], run, 0);
        QVERIFY(!known.probability && !known.second && !known.margin && !known.entropy);
        QVERIFY(analysis::hesitations({}).empty());
    }
};

HEADSCOPE_TEST(HesitationTest)
#include "hesitation_test.moc"
