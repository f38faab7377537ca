#include <QTest>

#include "model/analysis/architecture_memory.h"
#include "model/analysis/recomputed_map.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/compared_maps.h"
#include "tests/model/engine/recorded_request.h"

using namespace headscope;
using engines::difference;
using engines::limit;
using engines::recordsOf;
using engines::where;

/// Targets whose maps are left out, read in one pass.
class LongTargetsTest : public QObject {
    Q_OBJECT

    /// Maps of more than 8 tokens are left out.
    static trace::Request longRequest(std::int64_t source, std::int64_t target, int newTokens) {
        const auto ids = [](std::int64_t count) {
            std::vector<std::int64_t> some{1};
            for (std::int64_t i = 1; i < count; ++i)
                some.push_back(4 + i * 5 % 7);
            return some;
        };
        return {.source = trace::SourceIds{ids(source)},
                .paths = {{.forced = trace::TargetIds{ids(target)}, .newTokens = newTokens}},
                .recording = {.longestMap = 8}};
    }

    static void compareMaps(const trace::Run& leftOut, const trace::Run& kept) {
        QCOMPARE(leftOut.target.size(), kept.target.size());
        const auto stored = recordsOf(kept);
        const auto rules = recordsOf(leftOut);
        for (std::size_t i = 0; i < stored.size(); ++i)
            for (std::size_t head = 0; head < stored[i]->heads(); ++head) {
                const auto one = analysis::withWeightsOf(*rules[i], head);
                const auto other = analysis::withWeightsOf(*stored[i], head);
                QVERIFY(one.mask == other.mask);
                QVERIFY2(difference(one.weights.values(), other.weights.values()) <= limit,
                         where(*stored[i], head).c_str());
            }
    }

  private Q_SLOTS:
    /// Queries and keys of the encoder, of the decoder and of cross-attention, and little beside them.
    void aLongTargetKeepsEveryNumberOnce_data() {
        QTest::addColumn<int>("newTokens");
        QTest::addRow("forced") << 0;
        QTest::addRow("and decoded on") << 4;
    }
    void aLongTargetKeepsEveryNumberOnce() {
        QFETCH(const int, newTokens);
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        const auto request = longRequest(24, 20, newTokens);
        const auto run = engine->run(request, {}, {});
        const auto& record = run->encoder.front();
        const auto row = record.heads() * record.q.columns() * sizeof(float);
        const auto rows = 2 * run->encoder.size() * run->source.size() +
                          run->decoder.size() * (3 * run->target.size() + run->source.size());
        QVERIFY(run->target.size() >= 20);
        double masks = 0;
        for (const auto* records : {&run->encoder, &run->decoder, &run->cross})
            for (const auto& one : *records)
                masks += static_cast<double>(one.rule->open->bytes());
        QVERIFY(static_cast<double>(analysis::attentionBytes(*run)) <=
                static_cast<double>(rows * row) + masks);
        for (std::size_t t = 0; t < run->target.size(); ++t)
            QVERIFY(run->row(t).together == run->row(0).together);
    }

    void aLongTargetIsReadAsRowByRow_data() { aLongTargetKeepsEveryNumberOnce_data(); }
    void aLongTargetIsReadAsRowByRow() {
        QFETCH(const int, newTokens);
        auto request = longRequest(24, 20, newTokens);
        const auto leftOut = engines::with(recordings::folder + "annotated-tiny")->run(request, {}, {});
        request.recording.longestMap = 0;
        const auto kept = engines::with(recordings::folder + "annotated-tiny")->run(request, {}, {});
        QCOMPARE(leftOut->path.size(), kept->path.size());
        compareMaps(*leftOut, *kept);
        for (std::size_t t = 0; t < kept->path.size(); ++t) {
            const auto& one = leftOut->tree.node(leftOut->path[t]);
            const auto& other = kept->tree.node(kept->path[t]);
            QCOMPARE(one.token.id, other.token.id);
            QCOMPARE(one.rank, other.rank);
            QVERIFY(std::abs(one.logProbability - other.logProbability) <= 1e-4);
        }
    }

    /// The same session, whose cache holds something else each time.
    void goingBackAndForthBetweenLongAndShortChangesNothing() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        const auto longer = longRequest(24, 20, 3);
        const auto shorter = longRequest(24, 5, 2); // begins as the long one does
        for (const auto* request : {&longer, &shorter, &longer, &shorter}) {
            const auto run = engine->run(*request, {}, {});
            auto whole = *request;
            whole.recording.longestMap = 0;
            compareMaps(*run, *engines::with(recordings::folder + "annotated-tiny")->run(whole, {}, {}));
        }
    }

    /// One tree: the short path shows its maps, though the long one has none.
    void aShortPathBesideALongOneHasItsMaps() {
        auto request = longRequest(5, 12, 0);
        request.paths.push_back({.forced = trace::TargetIds{{1, 5, 7}}, .newTokens = 0});
        auto& longer = std::get<trace::TargetIds>(request.paths.front().forced).ids;
        longer[1] = 5;
        const auto run = engines::with(recordings::folder + "annotated-tiny")->run(request, {}, {});
        QVERIFY(!run->decoder.front().isLeftOut());
        request.recording.longestMap = 0;
        compareMaps(*run, *engines::with(recordings::folder + "annotated-tiny")->run(request, {}, {}));
    }

    void aTargetThatDoesNotFitIsRefusedBeforeItIsRun() {
        const auto engine = engines::with(recordings::folder + "relative-tiny");
        const auto request = longRequest(4, 1'000'000, 0);
        try {
            engine->run(request, {}, {});
            QFAIL("a million tokens fit");
        } catch (const trace::Refusal& refusal) {
            QVERIFY(refusal.text().what.find("target") != std::string::npos);
            QVERIFY(refusal.text().found.find("needed") != std::string::npos);
            QVERIFY(refusal.text().wayOut.find("at most") != std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(LongTargetsTest)
#include "long_targets_test.moc"
