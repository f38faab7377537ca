#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

#include <chrono>
#include <random>
#include <thread>

using namespace headscope;

namespace {

/// Requests of every kind; deterministic for a seed.
class RandomRequests {
  public:
    RandomRequests(unsigned seed, const trace::ModelSummary& model) : random_(seed), model_(model) {}

    trace::Request next() {
        trace::Request request{.source = trace::SourceIds{ids(1, 7)}};
        std::get<trace::SourceIds>(request.source).ids.push_back(*model_.special.end);
        request.padding = {.source = one(4) ? below(3) : 0, .target = one(4) ? below(3) : 0};
        request.paths.clear();
        for (int path = 0; path <= below(2); ++path)
            request.paths.push_back(nextPath());
        request.decoding = nextDecoding();
        for (int change = below(4); change > 0; --change)
            request.interventions.push_back({nextChange(), !one(5)});
        if (one(4))
            request.randomTwin = static_cast<std::uint64_t>(below(2));
        request.recording = {.projections = one(3), .residual = one(3), .logProbabilities = one(3)};
        request.candidates = 1 + below(12);
        return request;
    }

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
    bool one(int in) { return below(in) == 0; }

  private:
    std::vector<std::int64_t> ids(int fewest, int most) {
        std::vector<std::int64_t> ids;
        for (int i = fewest + below(most - fewest + 1); i > 0; --i)
            ids.push_back(4 + below(14));
        return ids;
    }

    trace::DecodePath nextPath() {
        auto forced = one(2) ? ids(0, 5) : std::vector<std::int64_t>();
        forced.insert(forced.begin(), *model_.special.start);
        return {.forced = trace::TargetIds{forced}, .newTokens = below(9), .ends = one(6)};
    }

    trace::Decoding nextDecoding() {
        trace::Decoding decoding{.minimumLength = one(4) ? below(6) : 0, .noRepeat = one(4) ? 2 : 0};
        if (one(3))
            decoding.beam = 2 + below(3);
        else if (one(3)) {
            decoding.sample = true;
            decoding.temperature = 0.5 + 0.25 * below(4);
            decoding.topK = below(5);
            decoding.topP = 0.5 + 0.125 * below(5);
            decoding.seed = random_();
        }
        return decoding;
    }

    trace::HeadAddress nextHead() {
        const auto kind = static_cast<trace::AttentionKind>(below(3));
        return {{kind, below(model_.layers(kind))}, below(model_.heads(kind))};
    }

    trace::Change nextChange() {
        const auto place = [&] { return static_cast<std::size_t>(below(5)); };
        switch (below(8)) {
        case 0:
            return trace::ScaleHead{.head = nextHead(), .factor = 0.25 * below(5)};
        case 1:
            return trace::ScaleSublayer{
                .sublayer = {static_cast<trace::SublayerKind>(below(5)), below(model_.decoderLayers)},
                .factor = 0.25 * below(5)};
        case 2:
            return trace::BlockCell{.head = nextHead(), .query = place(), .key = place()};
        case 3:
            return trace::ForceRow{.head = nextHead(), .query = place()};
        case 4:
            return trace::ScaleScores{};
        case 5:
            return trace::SoftmaxTemperature{.temperature = 0.5 + 0.5 * below(4)};
        case 6:
            return trace::ChangePositions{.change = static_cast<trace::PositionChange>(below(3)),
                                          .number = below(4)};
        default:
            return trace::LiftMask{};
        }
    }

    std::mt19937 random_;
    const trace::ModelSummary& model_;
};

/// A run, or the reason why there is none.
struct Answer {
    std::shared_ptr<const trace::Run> run;
    std::string refusal;
};

Answer ask(engine::Engine& engine, const trace::Request& request) {
    try {
        return {.run = engine.of(request, trace::RunWhat())};
    } catch (const trace::Refusal& refusal) {
        return {.refusal = refusal.text().what + refusal.text().found};
    }
}

bool same(const Answer& one, const Answer& other) {
    if (!one.run || !other.run)
        return one.run == other.run && one.refusal == other.refusal;
    const auto& probabilities = one.run->tree.node(one.run->path.back()).row;
    const auto& others = other.run->tree.node(other.run->path.back()).row;
    return engines::sameBits(*one.run, *other.run) && one.run->paths == other.run->paths &&
           bool(probabilities) == bool(others) &&
           (!probabilities || probabilities->logProbabilities == others->logProbabilities);
}

} // namespace

/// Properties of all requests, in any order and however they end.
class RandomRequestsTest : public QObject {
    Q_OBJECT

    static constexpr int requests = 60;
    std::vector<trace::Request> asked_;
    std::vector<Answer> answers_;

  private Q_SLOTS:
    void initTestCase() {
        const auto engine = engines::start();
        RandomRequests random(11, *engine->open({.path = engines::tiny}, {}));
        for (int i = 0; i < requests; ++i) {
            asked_.push_back(random.next());
            answers_.push_back(ask(*engine, asked_.back()));
        }
        const auto runs =
            std::ranges::count_if(answers_, [](const Answer& answer) { return answer.run != nullptr; });
        QVERIFY2(runs > requests / 2, qPrintable(QString::number(runs)));
        for (const auto& answer : answers_)
            if (answer.run)
                QVERIFY(answer.run->selfCheck.state() != trace::CheckState::Failed);
    }

    void theSameCallsGiveTheSameBits() {
        const auto engine = engines::with(engines::tiny);
        for (std::size_t i = 0; i < asked_.size(); ++i)
            QVERIFY2(same(ask(*engine, asked_[i]), answers_[i]), qPrintable(QString::number(i)));
    }

    void soTheyDoInAnotherOrder() {
        const auto engine = engines::with(engines::tiny);
        for (std::size_t i = asked_.size(); i-- > 0;)
            QVERIFY2(same(ask(*engine, asked_[i]), answers_[i]), qPrintable(QString::number(i)));
    }

    void whatIsCancelledAtAnyMomentLeavesNoTrace() {
        const auto engine = engines::with(engines::tiny);
        std::mt19937 random(3);
        int cancelled = 0;
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            auto other = asked_[random() % asked_.size()];
            other.paths.back().newTokens = other.decoding.minimumLength = 60; // takes a while
            std::stop_source stop;
            std::thread canceller([&, wait = std::chrono::microseconds(random() % 4000)] {
                std::this_thread::sleep_for(wait);
                stop.request_stop();
            });
            try {
                engine->of(other, trace::RunWhat(), stop.get_token());
            } catch (const trace::Cancelled&) {
                ++cancelled;
            } catch (const trace::Refusal&) {
                // The result is the same as without a cancelled request.
            }
            canceller.join();
            QVERIFY2(same(ask(*engine, asked_[i]), answers_[i]), qPrintable(QString::number(i)));
        }
        QVERIFY2(cancelled > 5, qPrintable(QString::number(cancelled)));
    }

    void aCancelledRequestThatIsAskedAgainIsWhole() {
        const auto engine = engines::with(engines::tiny);
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            std::stop_source stop;
            std::thread canceller([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(60 * (i % 8)));
                stop.request_stop();
            });
            try {
                engine->of(asked_[i], trace::RunWhat(), stop.get_token());
            } catch (const trace::Cancelled&) {
            } catch (const trace::Refusal&) {
            }
            canceller.join();
            QVERIFY2(same(ask(*engine, asked_[i]), answers_[i]), qPrintable(QString::number(i)));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RandomRequestsTest)
#include "random_requests_test.moc"
