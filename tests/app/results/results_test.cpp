#include <QSignalSpy>
#include <QTest>

#include "tests/app/results/served_document.h"
#include "tests/app/window/busy_queue.h"
#include "tests/watched_test.h"

using namespace headscope;

namespace {

struct Refused {
    using Value = int;
    int count(const trace::Task& /*work*/) const {
        ++*asked;
        throw trace::Refusal({.what = "No"});
    }
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
    friend bool operator==(const Refused&, const Refused&) = default;
};

/// Goes on until it is stopped.
struct Endless {
    using Value = int;
    static constexpr bool takesLong = true;
    int count(const trace::Task& work) const {
        ++*asked;
        for (;;)
            work.report(0.5);
    }
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
    friend bool operator==(const Endless&, const Endless&) = default;
};

} // namespace

class ResultsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    std::unique_ptr<QObject> somebody_;

    app::Results& results() { return *served_->results(); }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        served_ = std::make_unique<tests::ServedDocument>(script_);
        somebody_ = std::make_unique<QObject>();
        QVERIFY(served_->open("a-model"));
    }

    void cleanup() {
        script_.holdRuns = false;
        somebody_.reset();
        served_.reset();
    }

    void whatIsRefusedIsNotAskedAgainUntilNobodyWantsIt() {
        const Refused refused;
        results().want(somebody_.get(), {trace::Counted(refused)});
        QTRY_VERIFY(results().refusalOf(trace::Counted(refused)));
        QVERIFY(!results().isAwaited(trace::Counted(refused)));
        results().want(somebody_.get(), {trace::Counted(refused)});
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(refused.asked->load(), 1);
        results().want(somebody_.get(), {});
        QVERIFY(!results().refusalOf(trace::Counted(refused)));
        results().want(somebody_.get(), {trace::Counted(refused)});
        QTRY_COMPARE(refused.asked->load(), 2);
    }

    void whatAPersonStopsIsRefusedAndNotBegunAgain() {
        const Endless endless;
        const auto want = [&] { results().want(somebody_.get(), {trace::Counted(endless)}); };
        connect(served_->queue(), &app::WorkQueue::busyChanged, somebody_.get(), want);
        want();
        QTRY_COMPARE(results().shareOf(trace::Counted(endless)), 0.5);
        QVERIFY(results().isLong());
        results().stop();
        QVERIFY(!results().isLong());
        const auto refusal = results().refusalOf(trace::Counted(endless));
        QVERIFY(refusal && refusal->what == "This computation was stopped");
        want();
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(endless.asked->load(), 1);
    }

    void whatWaitsIsStoppedToo() {
        const Endless endless;
        const Endless other;
        results().want(somebody_.get(), {trace::Counted(endless), trace::Counted(other)});
        QTRY_COMPARE(endless.asked->load(), 1);
        QSignalSpy refused(&results(), &app::Results::refused);
        results().stop();
        QVERIFY(!results().isLong());
        QCOMPARE(refused.size(), 2);
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(other.asked->load(), 0);
    }

    void whatNobodyWantsAnyMoreIsStopped() {
        const Endless endless;
        const Endless other;
        results().want(somebody_.get(), {trace::Counted(endless), trace::Counted(other)});
        QTRY_COMPARE(endless.asked->load(), 1);
        QCOMPARE(other.asked->load(), 0); // one at a time, the first one first
        results().want(somebody_.get(), {trace::Counted(other)});
        QTRY_COMPARE(other.asked->load(), 1);
        somebody_.reset();
        QVERIFY(!results().isLong());
        QVERIFY(tests::becomesIdle(*served_->queue()));
    }

    void whatTheModelIsAskedWaitsForTheRun() {
        script_.holdRuns = true;
        const auto requests = [this] {
            const std::lock_guard lock(script_.mutex);
            return script_.requests.size();
        };
        served_->controller()->decode(std::string("one"));
        QTRY_COMPARE(requests(), std::size_t(1));
        const trace::Request other{.source = std::string("other")};
        results().want(somebody_.get(), {trace::Question{.request = other, .what = trace::RunWhat()}});
        QVERIFY(results().isAwaited(trace::Question{.request = other, .what = trace::RunWhat()}));
        QCOMPARE(requests(), std::size_t(1));
        script_.holdRuns = false;
        QTRY_VERIFY(results().of(other, trace::RunWhat()));
        QCOMPARE(requests(), std::size_t(2));
    }
};

HEADSCOPE_WATCHED_TEST(ResultsTest)
#include "results_test.moc"
