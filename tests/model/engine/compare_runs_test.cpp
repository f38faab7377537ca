#include "model/analysis/compare/head_changes.h"
#include "tests/compared_numbers.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using trace::AttentionKind;

namespace {

/// "The old man ..." and "The old woman ...", token by token.
struct Pair {
    std::shared_ptr<const trace::Run> first;
    std::shared_ptr<const trace::Run> second;
};

trace::Request decoding(const std::string& sentence) {
    return {.source = sentence, .paths = {{.newTokens = 30}}};
}

} // namespace

/// Compares two sentences of the bundled model with values computed from the records of the runs.
class CompareRunsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    Pair pair(const std::string& first, const std::string& second) {
        return {engine_->of(decoding(first), trace::RunWhat()),
                engine_->of(decoding(second), trace::RunWhat())};
    }

    static std::vector<analysis::HeadChange> changes(const Pair& pair) {
        analysis::HeadChangeSteps steps(
            pair.first, pair.second,
            std::make_shared<const analysis::RunAlignment>(analysis::alignRuns(*pair.first, *pair.second)));
        while (!steps.goOn(std::chrono::milliseconds(50)))
            ;
        return steps.changes();
    }

  private Q_SLOTS:
    void initTestCase() { engine_ = engines::with(engines::trained); }

    void aSentenceIsNotApartFromItself() {
        const auto both =
            pair("The old man gave his daughter a red book.", "The old man gave his daughter a red book.");
        const auto all = changes(both);
        QCOMPARE(all.size(), 72u);
        for (const auto& change : all) {
            // Two runs of one request have the same bits; the divergence is summed in float64.
            const auto cells = both.first->source.size() * both.first->source.size();
            VERIFY_AGREES(
                tests::compare("divergence", change.divergence, 0, tests::ofSum(cells, 1, tests::float64)));
            VERIFY_AGREES(tests::compare("largest change", change.largest, 0, tests::exact()));
            QVERIFY(change.head == change.other);
        }
    }

    /// Encoder rows of two sentences that differ in one token: each token is paired with the one at its
    /// position, so the divergence is that of whole rows.
    void theEncodersDivergencesAreThoseOfItsRows() {
        const auto both = pair("The old man sleeps.", "The old dog sleeps.");
        const std::size_t tokens = both.first->source.size();
        QCOMPARE(both.second->source.size(), tokens);
        std::size_t compared = 0;
        for (const auto& change : changes(both)) {
            if (change.head.site.kind != AttentionKind::EncoderSelf)
                continue;
            const auto h = static_cast<std::size_t>(change.head.head);
            const auto p = both.first->record(change.head.site)->weights.head(h);
            const auto q = both.second->record(change.head.site)->weights.head(h);
            double nats = 0, largest = 0, entropies = 0;
            for (std::size_t r = 0; r < tokens; ++r)
                for (std::size_t c = 0; c < tokens; ++c) {
                    const double a = p(r, c), b = q(r, c), m = (a + b) / 2;
                    nats += a * std::log(a / m) / 2 + b * std::log(b / m) / 2;
                    entropies += a * std::log2(a) - b * std::log2(b);
                    largest = std::max(largest, std::abs(b - a));
                }
            const auto rows = static_cast<double>(tokens);
            // Sums of float64, stored in float32.
            const auto stored = tests::ofSum(2 * tokens, 2 * std::log2(rows), tests::float64) +
                                tests::ofRoundings(2, std::log2(rows));
            VERIFY_AGREES(tests::compare("divergence", change.divergence, nats / rows / std::log(2), stored));
            VERIFY_AGREES(
                tests::compare("change of entropy", change.entropyChange, entropies / rows, stored));
            VERIFY_AGREES(tests::compare("largest change", std::abs(change.largest), largest,
                                         tests::ofRoundings(1, 1)));
            QCOMPARE(change.rows, tokens);
            ++compared;
        }
        QCOMPARE(compared, 24u);
    }

    /// One more word: every other token is matched, and the weight of the word belongs to the event
    /// "unmatched".
    void aWordMoreStandsOutside() {
        const auto both = pair("I like it.", "I really like it.");
        const auto alignment = analysis::alignRuns(*both.first, *both.second);
        const auto& keys = alignment.keysOf(AttentionKind::EncoderSelf);
        std::vector<std::size_t> alone;
        for (const auto& place : keys.places)
            if (!place.first)
                alone.push_back(*place.second);
        QCOMPARE(keys.pairs(), both.first->source.size());
        QCOMPARE(alone.size(), both.second->source.size() - both.first->source.size());
        for (const auto& change : changes(both)) {
            if (change.head.site.kind != AttentionKind::EncoderSelf)
                continue;
            const auto q = both.second->record(change.head.site)
                               ->weights.head(static_cast<std::size_t>(change.head.head));
            double outside = 0;
            for (const auto& place : keys.places)
                for (const std::size_t key : alone)
                    outside += place.isPair() ? double(q(*place.second, key)) : 0;
            // The weight outside is what a row lacks to 1, or the sum of it.
            const auto limit = tests::ofSum(both.second->source.size() + 2, 1);
            VERIFY_AGREES(tests::compare("weight unmatched in B", change.secondOutside,
                                         outside / double(keys.pairs()), limit));
            VERIFY_AGREES(tests::compare("weight unmatched in A", change.firstOutside, 0, limit));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CompareRunsTest)
#include "compare_runs_test.moc"
