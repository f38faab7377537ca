#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

using namespace headscope;
using engines::changed;
using engines::forcedOther;
using engines::recorded;
using engines::source;
using trace::CheckState;
using Words = std::vector<std::string>;

/// Changes in an engine that caches runs: refused ones, and ones that must not affect each other.
class WhatIfSessionTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const trace::Request& request) {
        return engine_->of(request, trace::RunWhat());
    }
    std::shared_ptr<const trace::Run> run(const Words& words) { return run(changed(forcedOther(), words)); }

    trace::RefusalText refusalOf(const trace::Request& request) {
        try {
            run(request);
        } catch (const trace::Refusal& refusal) {
            return refusal.text();
        }
        return {};
    }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void aRowsLastOpenCellCannotBeBlocked() {
        const auto first = refusalOf(changed(forcedOther(), {"--block", "decoder.1.2:0,0"}));
        QCOMPARE(first.where, std::string("decoder.1.2, query 0"));
        Words all;
        for (std::size_t key = 0; key < source.size(); ++key) {
            all.insert(all.end(), {"--block", "encoder.0.0:4," + std::to_string(key)});
            const auto refused = refusalOf(changed(forcedOther(), all)).where;
            QCOMPARE(refused, std::string(key + 1 == source.size() ? "encoder.0.0, query 4" : ""));
        }
        QVERIFY(run(forcedOther())->complete);
    }

    void headsThatAreNotThereAreRefusedAllAtOnce() {
        const auto refusal = refusalOf(
            changed(forcedOther(), {"--disable-head", "cross.2.0", "--scale-sublayer", "encoder-ff.7=0",
                                    "--block", "decoder.0.3:0,0", "--force-row", "encoder.0.0:0=1",
                                    "--disable-head", "encoder.5.5", "--mean-head", "cross.0.9"}));
        // There are no sample sentences for the mean, but another error comes first.
        for (const char* address : {"cross.2.0", "encoder-ff.7", "decoder.0.3", "encoder.5.5", "cross.0.9"})
            QVERIFY2(refusal.found.find(address) != refusal.found.npos, refusal.found.c_str());
        QVERIFY(refusal.found.find("encoder.0.0") == refusal.found.npos);
        QVERIFY(!refusal.expected.empty() && !refusal.wayOut.empty());
    }

    void changesThatMeetNothingAreListed() {
        const auto found = run(Words{"--block", "cross.0.1:20,3", "--block", "cross.0.1:2,3", "--force-row",
                                     "encoder.0.0:7=uniform", "--force-row", "cross.0.0:1=7"});
        QCOMPARE(found->unreached, (Words{"--block cross.0.1:20,3", "--force-row encoder.0.0:7=uniform",
                                          "--force-row cross.0.0:1=7"}));
        auto request = changed(forcedOther(), {"--block", "cross.0.1:20,3"});
        request.interventions.front().on = false;
        QVERIFY(run(request)->unreached.empty());
    }

    void closedKeysCanBeNeitherBlockedNorForced() {
        const auto found = run(Words{"--block", "decoder.0.1:1,3", "--force-row", "decoder.0.1:1=4"});
        QCOMPARE(found->unreached, (Words{"--block decoder.0.1:1,3", "--force-row decoder.0.1:1=4"}));
        QVERIFY(found->selfCheck.state() == CheckState::Ok);
        QVERIFY(engines::sameBits(*run(forcedOther()), *found));
        const auto both = run(Words{"--block", "cross.0.1:1,3", "--force-row", "cross.0.1:1=3"});
        QCOMPARE(both->unreached, Words{"--force-row cross.0.1:1=3"});
        QCOMPARE(both->cross[0].weights(1, 1, 3), 0.0F);
        QVERIFY(run(Words{"--no-mask", "--force-row", "decoder.0.1:1=4"})->unreached.empty());
    }

    void aShiftBeyondThePositionsIsRefused() {
        QVERIFY(run(Words{"--positions", "shift:57"})->complete); // 64 positions, 7 tokens
        for (const char* far : {"shift:58", "shift:-1", "shift:9223372036854775807"})
            QCOMPARE(refusalOf(changed(forcedOther(), {"--positions", far})).where,
                     std::string("--positions"));
    }

    void withoutTheMaskThereIsNoBeamSearch() {
        auto request = changed(engines::greedy(source), {"--no-mask"});
        QVERIFY(run(request)->complete);
        request.decoding.beam = 2;
        QVERIFY(refusalOf(request).found.find("beam of 2") != std::string::npos);
    }

    void originalAndChangedRunsDoNotDisturbEachOther() {
        const std::vector<Words> all{{},
                                     {"--disable-head", "cross.0.1"},
                                     {"--no-mask"},
                                     {"--positions", "shift:3"},
                                     {"--scale-sublayer", "encoder-ff.0=0.3"}};
        std::vector<std::shared_ptr<const trace::Run>> alone;
        for (const auto& words : all)
            alone.push_back(
                engines::with(engines::tiny)->of(changed(engines::greedy(source), words), trace::RunWhat()));
        for (const std::size_t i : {0, 1, 0, 2, 1, 3, 4, 0, 2, 4, 3, 1, 0})
            QVERIFY(engines::sameBits(*alone[i], *run(changed(engines::greedy(source), all[i]))));
    }

    void aKnownRunGainsDistributionsWithoutBeingComputedAgain() {
        auto request = forcedOther();
        request.recording.logProbabilities = false;
        const auto plain = run(request);
        request.recording.logProbabilities = true;
        const auto whole = run(request);
        const auto fresh = engines::with(engines::tiny)->of(request, trace::RunWhat());
        QVERIFY(plain->target.size() > 1);
        for (std::size_t t = 0; t < plain->target.size(); ++t) {
            const auto &before = plain->row(t), &row = whole->row(t);
            QVERIFY(before.logProbabilities.empty());
            QCOMPARE(row.logProbabilities, fresh->row(t).logProbabilities);
            QCOMPARE(row.logProbabilities.size(), static_cast<std::size_t>(plain->model->targetVocabulary));
            QCOMPARE(row.self.front().weights.values().data(), before.self.front().weights.values().data());
        }
        request.recording.logProbabilities = false;
        QVERIFY(run(request)->row(0).logProbabilities.empty());
        QCOMPARE(plain->encoder.front().weights.values().data(),
                 whole->encoder.front().weights.values().data());
    }

    void aCancelledChangeLeavesTheKeptRunWhole() {
        const auto before = run(engines::greedy(source));
        std::stop_source stopped;
        stopped.request_stop();
        const Words words{"--disable-head", "encoder.0.1"};
        const auto cancelled = changed(engines::greedy(source), words);
        QVERIFY_EXCEPTION_THROWN(engine_->of(cancelled, trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        const auto again = run(engines::greedy(source));
        QVERIFY(engines::sameBits(*before, *again));
        QCOMPARE(again->row(0).logProbabilities, before->row(0).logProbabilities);
        QCOMPARE(again->tree.node(0).row.get(), before->tree.node(0).row.get()); // cached, not recomputed

        run(changed(engines::greedy(source, 2), words));
        QVERIFY_EXCEPTION_THROWN(engine_->of(cancelled, trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY(engines::sameBits(*engines::with(engines::tiny)->of(cancelled, trace::RunWhat()),
                                  *run(cancelled)));
    }

    void beamSearchSearchesInTheChangedModel() {
        const Words words{"--disable-head", "cross.1.1", "--block", "decoder.0.0:2,1"};
        auto request = changed(engines::greedy(source), words);
        request.decoding.beam = 4;
        const auto best = run(request);
        std::vector<std::int64_t> fed{2};
        for (const auto id : engines::outputOf(*best))
            fed.push_back(id);
        const auto again = run(changed(engines::forced(source, fed), words));
        for (std::size_t t = 1; t < best->path.size(); ++t)
            VERIFY_AGREES(
                tests::compare("log-probability", best->tree.node(best->path[t]).logProbability,
                               again->tree.node(again->path[t]).logProbability,
                               recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities")));
        QVERIFY(best->selfCheck.state() == CheckState::Ok);
        QVERIFY(best->tree.logProbability(best->path.back()) !=
                run(engines::forced(source, fed))->tree.logProbability(again->path.back()));
    }

    void anEncoderAloneTakesChangesOfItselfOnly() {
        engine_ = engines::with(recordings::folder + "tutorial-encoder-tiny-embedded");
        const auto request = recorded(engines::greedy({9, 4, 16, 7}));
        const auto plain = run(request);
        for (const Words& words : {Words{"--disable-head", "encoder.0.1"}, Words{"--positions", "none"},
                                   Words{"--scale-sublayer", "encoder-ff.1=0"}, Words{"--no-scaling"}}) {
            const auto found = run(changed(request, words));
            QVERIFY(!recordings::compareOurs("tutorial-encoder-tiny-embedded", "encoder_output",
                                             "encoder output", found->encoderOutput.values(),
                                             plain->encoderOutput.values()));
            QVERIFY(found->selfCheck.state() == CheckState::Ok);
        }
        for (const Words& words : {Words{"--disable-head", "cross.0.0"}, Words{"--block", "decoder.0.0:1,0"},
                                   Words{"--scale-sublayer", "decoder-ff.0=0"}})
            QVERIFY(!refusalOf(changed(request, words)).found.empty());
    }
};

HEADSCOPE_TEST(WhatIfSessionTest)
#include "what_if_session_test.moc"
