#include "model/trace/refusal.h"
#include "tests/model/engine/compared_maps.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include <thread>

using namespace headscope;
using engines::forced;
using engines::greedy;
using engines::source;

namespace {

const std::vector<std::int64_t> output{18, 17, 20, 11, 3}; // greedy output for it

} // namespace

/// Steps freely through the tree of targets.
class DecodingSessionTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const trace::Request& request) {
        return engine_->of(request, trace::RunWhat());
    }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void forcingAPrefixAndGoingOnIsGreedy() {
        const auto whole = run(greedy(source));
        QCOMPARE(engines::outputOf(*whole), output);
        for (std::size_t length = 0; length < output.size(); ++length) {
            std::vector<std::int64_t> prefix{2};
            prefix.insert(prefix.end(), output.begin(), output.begin() + static_cast<std::ptrdiff_t>(length));
            const auto again = run(forced(source, prefix, 12));
            QCOMPARE(engines::outputOf(*again), output);
            QCOMPARE(again->forcedRows, length);
            QVERIFY(engines::sameBits(*whole, *again));
        }
    }

    void aFreshEngineGivesTheSameBitsStepByStep() {
        const auto whole = run(greedy(source));
        const auto other = engines::with(engines::tiny);
        for (std::size_t length = 1; length <= output.size(); ++length)
            other->of(greedy(source, static_cast<int>(length)), trace::RunWhat());
        QVERIFY(engines::sameBits(*whole, *other->of(greedy(source), trace::RunWhat())));
    }

    void rowsOfALongTargetThatAreComputedTogetherAreThoseOfSteps_data() {
        QTest::addColumn<QString>("model");
        // Learned positions, buckets of distances, rotation with shared keys, windows and caps, every layer a
        // window.
        for (const char* model :
             {"gpt2-tiny", "t5-tiny", "llama-tiny", "gemma2-tiny", "mistral-tiny", "bart-tiny"})
            QTest::newRow(model) << model;
    }

    /// As many tokens as the positions allow or two passes take, and 12 at a time, which are so few that each
    /// has a pass of its own.
    void rowsOfALongTargetThatAreComputedTogetherAreThoseOfSteps() {
        QFETCH(QString, model);
        const auto folder = HEADSCOPE_SOURCE "/tests/reference/hugging-face/" + model.toStdString();
        const auto summary = engines::start()->open({.path = folder}, {});
        const std::size_t all = summary->maximumPositions > 0 ? 36 : 108;
        std::vector<std::int64_t> target;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(all); ++i)
            target.push_back(4 + i * 7 % (summary->targetVocabulary - 4));
        const auto request = [&](std::size_t length) {
            const std::vector<std::int64_t> part(target.begin(),
                                                 target.begin() + static_cast<std::ptrdiff_t>(length));
            auto made = forced(summary->isDecoderAlone() ? part : source, part);
            made.recording = {.projections = true, .residual = true, .logProbabilities = true};
            return made;
        };
        const auto together = engines::with(folder)->of(request(all), trace::RunWhat());
        const auto stepping = engines::with(folder);
        std::shared_ptr<const trace::Run> steps;
        for (std::size_t length = 12; length <= all; length += 12)
            steps = stepping->of(request(length), trace::RunWhat());
        const auto& precision = recordings::Precision::of("hugging-face/" + model.toStdString());
        const auto agree = [&](const char* kind, const auto& some, const auto& others) {
            return tests::compare(kind, some, others, precision.twoOfOurs(kind, tests::largestSize(others)));
        };
        const auto one = engines::recordsOf(*together), other = engines::recordsOf(*steps);
        QCOMPARE(one.size(), other.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            QVERIFY(one[i]->mask == other[i]->mask);
            VERIFY_AGREES(agree("scores", one[i]->scores.values(), other[i]->scores.values()));
            VERIFY_AGREES(recordings::compareWeights("hugging-face/" + model.toStdString(), "weights",
                                                     one[i]->weights.values(), other[i]->weights.values(),
                                                     other[i]->scores.values()));
            VERIFY_AGREES(agree("q", one[i]->q.values(), other[i]->q.values()));
            VERIFY_AGREES(agree("heads", one[i]->outputs.values(), other[i]->outputs.values()));
        }
        for (std::size_t t = 0; t < all; ++t) {
            const auto& a = together->row(t);
            const auto& b = steps->row(t);
            VERIFY_AGREES(agree("log_probabilities", a.logProbabilities, b.logProbabilities));
            VERIFY_AGREES(agree("residual", a.residual.values(), b.residual.values()));
            QVERIFY(a.position == b.position);
            QCOMPARE(a.self.size(), b.self.size());
            for (std::size_t layer = 0; layer < a.self.size(); ++layer) {
                QCOMPARE(a.self[layer].keys(), t + 1);
                VERIFY_AGREES(agree("scores", a.scoresOfEarlierQueries[layer].values(),
                                    b.scoresOfEarlierQueries[layer].values()));
            }
        }
    }

    void anotherTokenOpensABranchThatSharesItsPrefix() {
        trace::Request request = greedy(source);
        request.paths.push_back({.forced = trace::TargetIds{{2, 18, 9}}, .newTokens = 4});
        const auto branched = run(request);
        const auto& tree = branched->tree;
        QCOMPARE(tree.children(0).size(), std::size_t{1});
        const auto shared = tree.child(0, 18).value();
        QCOMPARE(tree.children(shared).size(), std::size_t{2});
        QVERIFY(tree.child(shared, 17) && tree.child(shared, 9));
        QCOMPARE(branched->path[1], shared);
        QCOMPARE(branched->path[2], tree.child(shared, 9).value());

        const auto plain = run(greedy(source));
        QCOMPARE(plain->tree.node(plain->path[0]).row.get(), tree.node(0).row.get());
        QCOMPARE(plain->tree.node(plain->path[1]).row.get(), tree.node(shared).row.get());
    }

    void goingBackAndForthGivesTheSameBits() {
        const std::vector<trace::Request> requests{greedy(source), forced(source, {2, 18, 9}, 5),
                                                   forced(source, {2, 4, 4, 4, 4}), forced(source, {2, 18})};
        std::vector<std::shared_ptr<const trace::Run>> alone;
        for (const auto& request : requests)
            alone.push_back(engines::with(engines::tiny)->of(request, trace::RunWhat()));
        for (const std::size_t i : {0, 1, 0, 2, 1, 3, 2, 0, 3})
            QVERIFY(engines::sameBits(*alone[i], *run(requests[i])));
    }

    void theSameRequestTwiceGivesTheSameBits() {
        const auto first = run(greedy(source));
        QVERIFY(engines::sameBits(*first, *run(greedy(source))));
        run(greedy({4, 3}));
        QVERIFY(engines::sameBits(*first, *run(greedy(source))));
    }

    void closedCellsHaveTheScoresOfAFullPass() {
        const auto whole = run(forced(source, {2, 18, 17, 20}));
        const auto& map = whole->decoder[1];
        for (std::size_t query = 0; query < 4; ++query)
            for (std::size_t key = 0; key < 4; ++key) {
                double product = 0, sizes = 0;
                for (std::size_t i = 0; i < map.q.columns(); ++i) {
                    product += double{map.q(2, query, i)} * double{map.k(2, key, i)};
                    sizes += std::abs(double{map.q(2, query, i)} * double{map.k(2, key, i)});
                }
                VERIFY_AGREES(tests::compare("score", map.scores(2, query, key),
                                             product / 2, // 1/sqrt(d_k) = 1/2
                                             tests::ofSum(map.q.columns() + 1, sizes / 2)));
                QCOMPARE(map.weights(2, query, key) > 0, key <= query);
            }
    }

    void aForcedTokenHasTheProbabilityTheModelGivesIt() {
        const auto chosen = run(greedy(source));
        const auto& node = chosen->tree.node(chosen->path[1]);
        QCOMPARE(node.logProbability, double{chosen->row(0).candidates.front().logProbability});
        QCOMPARE(chosen->row(0).candidates.size(), std::size_t{10});
        const auto& best = chosen->row(0).candidates;
        QVERIFY(
            std::ranges::is_sorted(best, std::greater<>(), [](const auto& c) { return c.logProbability; }));
    }

    void cancelledWorkLeavesTheEngineUsable() {
        const auto wanted = engines::with(engines::tiny)->of(greedy(source), trace::RunWhat());
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(engine_->of(greedy(source), trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY_EXCEPTION_THROWN(engine_->open({.path = engines::tiny}, stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY(engines::sameBits(*wanted, *run(greedy(source))));
        QVERIFY_EXCEPTION_THROWN(engine_->of(greedy({4, 3}), trace::RunWhat(), stopped.get_token()),
                                 trace::Cancelled);
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(forced(source, {2, 9, 9, 9}), trace::RunWhat(), stopped.get_token()),
            trace::Cancelled);
        QVERIFY(engines::sameBits(*wanted, *run(greedy(source))));
    }

    void workCancelledAnywhereGoesOnWithTheSameBits() {
        const auto engine = engines::with(engines::trained);
        const trace::Request request{.source = std::string("I have not seen him for a long time.")};
        const auto wanted = engines::with(engines::trained)->of(request, trace::RunWhat());
        for (int milliseconds = 1; milliseconds < 30; milliseconds += 4) {
            std::stop_source source;
            const std::jthread stopper([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                source.request_stop();
            });
            try {
                engine->of(request, trace::RunWhat(), source.get_token());
            } catch (const trace::Cancelled&) {
            }
        }
        QVERIFY(engines::sameBits(*wanted, *engine->of(request, trace::RunWhat())));
    }
};

HEADSCOPE_TEST(DecodingSessionTest)
#include "decoding_session_test.moc"
