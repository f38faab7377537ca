#include <QTest>

#include "model/analysis/architecture/architecture_memory.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/compared_maps.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;
using engines::recordsOf;
using engines::where;

/// Targets whose maps are not stored, read in one pass.
class LongTargetsTest : public QObject {
    Q_OBJECT

    /// Maps of more than 8 tokens are not stored.
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
        QCOMPARE(recordsOf(leftOut).size(), recordsOf(kept).size());
        const auto stored = recordsOf(kept);
        const auto rules = recordsOf(leftOut);
        for (std::size_t i = 0; i < stored.size(); ++i)
            for (std::size_t head = 0; head < stored[i]->heads(); ++head) {
                const auto one = analysis::withWeightsOf(*rules[i], head);
                const auto other = analysis::withWeightsOf(*stored[i], head);
                QCOMPARE(rules[i]->heads(), stored[i]->heads());
                QVERIFY(one.mask == other.mask);
                VERIFY_AGREES(recordings::compareWeights(
                    "annotated-tiny", "weights of " + where(*stored[i], head), one.weights.values(),
                    other.weights.values(), stored[i]->scores.values()));
            }
    }

    static tests::Comparison sameLogProbability(double one, double other) {
        return tests::compare("log-probability", one, other,
                              recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities"));
    }

    static std::shared_ptr<const trace::Run> runOf(const trace::Request& request) {
        return engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat());
    }

    static std::shared_ptr<const trace::Run> keptRunOf(trace::Request request) {
        request.recording.longestMap = 0;
        return runOf(request);
    }

    static std::vector<std::int64_t> idsOf(const trace::Run& run) {
        std::vector<std::int64_t> ids;
        for (const auto id : run.path)
            ids.push_back(run.tree.node(id).token.id);
        return ids;
    }

    /// The same tokens with the same probabilities, and the same maps.
    static void compareRuns(const trace::Run& leftOut, const trace::Run& kept) {
        QCOMPARE(idsOf(leftOut), idsOf(kept));
        for (std::size_t t = 0; t < kept.path.size(); ++t) {
            const auto& one = leftOut.tree.node(leftOut.path[t]);
            const auto& other = kept.tree.node(kept.path[t]);
            QCOMPARE(one.rank, other.rank);
            VERIFY_AGREES(sameLogProbability(one.logProbability, other.logProbability));
        }
        compareMaps(leftOut, kept);
    }

    static trace::DecodePath pathOf(std::vector<std::int64_t> ids, int newTokens) {
        return {.forced = trace::TargetIds{std::move(ids)}, .newTokens = newTokens};
    }

  private Q_SLOTS:
    /// Queries and keys of encoder, decoder and cross-attention, and little else.
    void aLongTargetKeepsEveryNumberOnce_data() {
        QTest::addColumn<int>("newTokens");
        QTest::addRow("forced") << 0;
        QTest::addRow("and decoded on") << 4;
    }
    void aLongTargetKeepsEveryNumberOnce() {
        QFETCH(const int, newTokens);
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        const auto request = longRequest(24, 20, newTokens);
        const auto run = engine->of(request, trace::RunWhat());
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
        const auto leftOut =
            engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat());
        request.recording.longestMap = 0;
        const auto kept = engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat());
        QCOMPARE(leftOut->path.size(), kept->path.size());
        compareMaps(*leftOut, *kept);
        for (std::size_t t = 0; t < kept->path.size(); ++t) {
            const auto& one = leftOut->tree.node(leftOut->path[t]);
            const auto& other = kept->tree.node(kept->path[t]);
            QCOMPARE(one.token.id, other.token.id);
            QCOMPARE(one.rank, other.rank);
            VERIFY_AGREES(sameLogProbability(one.logProbability, other.logProbability));
        }
    }

    void readingALongTargetTellsHowFarItIs() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        std::vector<double> shares;
        const trace::Task work({}, [&](double share) { shares.push_back(share); });
        engine->of(longRequest(24, 20, 0), trace::RunWhat(), work);
        QVERIFY(shares.size() > 6);
        QVERIFY(shares.front() < 0.5);
        QVERIFY(std::ranges::is_sorted(shares));
        QCOMPARE(shares.back(), 1.0);
        // The source is cached: only the target is computed.
        shares.clear();
        engine->of(longRequest(24, 40, 0), trace::RunWhat(), work);
        QVERIFY(shares.size() > 3 && shares.front() < 0.3);
        QVERIFY(std::ranges::is_sorted(shares));
    }

    void aLongTargetIsStoppedWhereverItIs() {
        const auto request = longRequest(24, 20, 0);
        int told = 0;
        engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat(), {{}, [&](double) {
                                                                                                 ++told;
                                                                                             }});
        QVERIFY(told > 1);
        for (int last = 1; last < told; ++last) {
            const auto engine = engines::with(recordings::folder + "annotated-tiny");
            std::stop_source stop;
            int left = last;
            const trace::Task work(stop.get_token(), [&](double) {
                if (--left == 0)
                    stop.request_stop();
            });
            QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat(), work), trace::Cancelled);
            compareRuns(*engine->of(request, trace::RunWhat()), *keptRunOf(request)); // and still works
        }
    }

    /// In one session, whose cache holds another request each time.
    void goingBackAndForthBetweenLongAndShortChangesNothing() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        const auto longer = longRequest(24, 20, 3);
        const auto shorter = longRequest(24, 5, 2); // a prefix of the long one
        for (const auto* request : {&longer, &shorter, &longer, &shorter}) {
            const auto run = engine->of(*request, trace::RunWhat());
            auto whole = *request;
            whole.recording.longestMap = 0;
            compareMaps(*run,
                        *engines::with(recordings::folder + "annotated-tiny")->of(whole, trace::RunWhat()));
        }
    }

    /// Both paths in one tree: the short one has maps although the long one has none.
    void aShortPathBesideALongOneHasItsMaps() {
        auto request = longRequest(5, 12, 0);
        request.paths.push_back({.forced = trace::TargetIds{{1, 5, 7}}, .newTokens = 0});
        auto& longer = std::get<trace::TargetIds>(request.paths.front().forced).ids;
        longer[1] = 5;
        const auto run = engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat());
        QVERIFY(!run->decoder.front().isRecomputed());
        request.recording.longestMap = 0;
        compareMaps(*run,
                    *engines::with(recordings::folder + "annotated-tiny")->of(request, trace::RunWhat()));
    }

    /// A single pass does not store the map of a short source; single steps do.
    void aShortSourceHasItsMapsUnderALongTarget_data() {
        QTest::addColumn<int>("before"); // forced tokens of a preceding path; 0: none
        QTest::addColumn<int>("newTokens");
        QTest::addRow("forced") << 0 << 0;
        QTest::addRow("forced, then decoded on") << 0 << 6;
        QTest::addRow("as second path") << 4 << 0;
        QTest::addRow("as second path, then decoded on") << 4 << 6;
        QTest::addRow("after a long path") << 12 << 6;
    }
    void aShortSourceHasItsMapsUnderALongTarget() {
        QFETCH(const int, before);
        QFETCH(const int, newTokens);
        auto request = longRequest(5, 20, newTokens);
        request.decoding.minimumLength = 30;
        auto ids = std::get<trace::TargetIds>(request.paths.front().forced).ids;
        if (before > 0) {
            ids.resize(static_cast<std::size_t>(before));
            request.paths.insert(request.paths.begin(), pathOf(ids, 2));
        }
        const auto leftOut = runOf(request);
        const auto kept = keptRunOf(request);
        QVERIFY(leftOut->path.size() == static_cast<std::size_t>(20 + newTokens));
        QVERIFY(leftOut->selfCheck.cachedEqualsFullPass.state == trace::CheckState::Ok);
        QVERIFY(leftOut->cross.front().isRecomputed());
        compareRuns(*leftOut, *kept);
        if (before > 0)
            compareMaps(*trace::atPath(*leftOut, leftOut->paths.front().leaf),
                        *trace::atPath(*kept, kept->paths.front().leaf));
    }

    /// Next to the shown short path, and then as the shown one.
    void aLongPathBesideAShortOneHasItsMaps() {
        auto request = longRequest(5, 20, 3);
        request.paths.push_back(pathOf({1, 9, 7}, 2));
        const auto leftOut = runOf(request);
        const auto kept = keptRunOf(request);
        compareRuns(*leftOut, *kept);
        compareMaps(*trace::atPath(*leftOut, leftOut->paths.front().leaf),
                    *trace::atPath(*kept, kept->paths.front().leaf));
    }

    /// The first rows belong to the short path, the others to the long one decoded before.
    void decodingIntoAKnownLongTargetHasItsMaps() {
        auto shorter = longRequest(5, 4, 12);
        shorter.decoding.minimumLength = 30;
        const auto kept = keptRunOf(shorter);
        auto longer = shorter;
        longer.paths = {pathOf(idsOf(*kept), 0)};
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        engine->of(longer, trace::RunWhat());
        compareRuns(*engine->of(shorter, trace::RunWhat()), *kept);
        compareRuns(*engine->of(longer, trace::RunWhat()), *keptRunOf(longer));
    }

    /// The session keeps one long path; the tree has the rows of all paths.
    void aPathGoesOnAlongAnotherLongOne_data() {
        QTest::addColumn<bool>("another");
        QTest::addColumn<bool>("lifted");
        for (const bool lifted : {false, true}) {
            QTest::addRow("the last one%s", lifted ? " without the mask" : "") << false << lifted;
            QTest::addRow("one before%s", lifted ? " without the mask" : "") << true << lifted;
        }
    }
    void aPathGoesOnAlongAnotherLongOne() {
        QFETCH(const bool, another);
        QFETCH(const bool, lifted);
        auto request = longRequest(5, 12, 6);
        request.decoding.minimumLength = 30;
        if (lifted)
            request = engines::changed(request, {"--no-mask"});
        const auto ids = idsOf(*keptRunOf(request));
        const auto onPath = request.paths.front();
        request.paths = {pathOf(ids, 0)};
        if (another)
            request.paths.push_back(pathOf({1, 9, 7, 5, 10, 8, 6, 4, 9, 7, 5, 5, 5, 4}, 0));
        request.paths.push_back(onPath);
        compareRuns(*runOf(request), *keptRunOf(request));
    }

    /// A few tokens after known rows are computed one by one; known rows are not computed.
    void steppingAlongALongTargetIsReadingItAnew() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        auto other = longRequest(5, 24, 0);
        std::get<trace::TargetIds>(other.paths.front().forced).ids[21] = 5;
        for (const auto& request :
             {longRequest(5, 20, 0), longRequest(5, 21, 0), longRequest(5, 24, 2), longRequest(5, 12, 0),
              other, longRequest(5, 12, 1), longRequest(5, 40, 0), longRequest(5, 22, 0)})
            compareRuns(*engine->of(request, trace::RunWhat()), *keptRunOf(request));
    }

    void withoutTheMaskNoRowIsThatOfALongerTarget() {
        for (int forced = 2; forced < 8; ++forced) {
            auto request = engines::changed(longRequest(5, forced, 14), {"--no-mask"});
            request.decoding.minimumLength = 30;
            const auto kept = keptRunOf(request);
            auto whole = request;
            auto ids = idsOf(*kept);
            ids.insert(ids.end(), {9, 9, 9, 9});
            whole.paths = {pathOf(ids, 0)};
            const auto engine = engines::with(recordings::folder + "annotated-tiny");
            engine->of(whole, trace::RunWhat());
            compareRuns(*engine->of(request, trace::RunWhat()), *kept);
        }
    }

    void aTargetThatDoesNotFitIsRefusedBeforeItIsRun() {
        const auto engine = engines::with(recordings::folder + "relative-tiny");
        const auto request = longRequest(4, 1'000'000, 0);
        try {
            engine->of(request, trace::RunWhat());
            QFAIL("a million tokens fit");
        } catch (const trace::Refusal& refusal) {
            QVERIFY(refusal.text().what.find("target") != std::string::npos);
            QVERIFY(refusal.text().found.find("needed") != std::string::npos);
            QVERIFY(refusal.text().wayOut.find("at most") != std::string::npos);
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, LongTargetsTest)
#include "long_targets_test.moc"
