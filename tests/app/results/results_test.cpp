#include <QTest>

#include "app/document/document.h"
#include "app/results/results.h"
#include "model/analysis/architecture/architecture_memory.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

#include <atomic>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

using namespace headscope;
using app::Document;
using app::Results;
using app::WorkQueue;
using trace::Counted;
using trace::ImportanceWhat;
using trace::LensWhat;
using trace::Question;

namespace {

std::atomic<int> counted = 0;

struct Square {
    using Value = int;
    int number = 0;
    int count(const trace::Task&) const {
        ++counted;
        if (number < 0)
            throw trace::Refusal({.what = "Below 0"});
        return number * number;
    }
    friend bool operator==(const Square&, const Square&) = default;
};

int measured = 0; ///< sizes of answers that were asked for

struct OfRun {
    using Value = std::size_t;
    std::shared_ptr<const trace::Run> run;
    std::size_t size = 0;
    int number = 0;
    std::size_t count(const trace::Task&) const { return size; }
    static std::size_t bytes(const std::size_t& value) {
        ++measured;
        return value;
    }
    friend bool operator==(const OfRun&, const OfRun&) = default;
};

/// The name of the model that is asked.
struct NameOf {
    using Value = std::string;
    std::shared_ptr<const trace::ModelSummary> secondModel;
    trace::Request request;
    std::string ask(trace::Answers& answers, const trace::Task& work) const {
        return answers.of(request, trace::RunWhat(), work)->model->name;
    }
    friend bool operator==(const NameOf&, const NameOf&) = default;
};

/// Waits until it is stopped.
struct Endless {
    using Value = int;
    int number = 0;
    bool takesLong() const { return true; }
    int count(const trace::Task& work, const std::function<void(int)>& partial) const {
        partial(1);
        for (;;)
            work.report(0.5);
    }
    friend bool operator==(const Endless&, const Endless&) = default;
};

} // namespace

class ResultsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<Results> results_;

    trace::Request shown() const { return document_->state().request.value(); }
    void decode(const char* sentence) {
        document_->controller()->decode(std::string(sentence));
        QTRY_VERIFY(!document_->controller()->isDecoding() && document_->state().request);
    }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        document_ =
            std::make_unique<Document>([this] { return std::make_unique<test::FakeEngine>(script_); });
        results_ = std::make_unique<Results>(document_->queue());
        document_->start();
        document_->queue()->open({.path = "a-model"});
        QTRY_VERIFY(!document_->queue()->isBusy(WorkQueue::JobKind::Model));
        decode("one");
        counted = 0;
    }

    void cleanup() {
        script_.holdRuns = false;
        results_.reset();
        document_.reset();
    }

    void whatTwoWantIsAskedOnceAndWhatTakesLongLast() {
        const QObject one, other, third;
        const auto about = [&](const char* contrast) {
            auto request = shown();
            request.ratherThan = contrast;
            return request;
        };
        script_.requests.clear();
        script_.holdRuns = true;
        results_->want(&one, {Question{about("first"), LensWhat()}});
        results_->want(&other, {Question{about("heads"), ImportanceWhat()}});
        results_->want(&third, {Question{about("first"), LensWhat()}, Question{about("then"), LensWhat()}});
        script_.holdRuns = false;
        QTRY_VERIFY(!results_->isAwaited(Question{about("heads"), ImportanceWhat()}));
        std::vector<std::optional<std::string>> asked;
        for (const auto& request : script_.requests)
            asked.push_back(request.ratherThan);
        QCOMPARE(asked, (decltype(asked){"first", "then", "heads"}));
    }

    /// All of a short sentence; those of longer ones come after all else.
    void theFirstSourceTokensComeBeforeHeads() {
        const QObject one, other;
        const auto about = [&](const char* contrast) {
            auto request = shown();
            request.ratherThan = contrast;
            return request;
        };
        const trace::CausalRowWhat few{.keys = {0, 16}}, more{.keys = {16, 32}};
        script_.requests.clear();
        script_.holdRuns = true;
        results_->want(&one, {Question{about("heads"), ImportanceWhat()}});
        QTRY_VERIFY([this] { // it is taken
            const std::lock_guard lock(script_.mutex);
            return script_.requests.size() == 1;
        }());
        results_->want(&other, {Question{about("more"), more}, Question{about("few"), few}});
        script_.holdRuns = false;
        QTRY_VERIFY(!results_->isAwaited(Question{about("more"), more}));
        std::vector<std::optional<std::string>> asked;
        for (const auto& request : script_.requests)
            asked.push_back(request.ratherThan);
        QCOMPARE(asked, (decltype(asked){"heads", "few", "more"}));
    }

    void whatAViewDefinesIsCountedOnceForAllWhoWantIt() {
        const QObject one, other;
        results_->want(&one, {Counted(Square{3})});
        results_->want(&other, {Counted(Square{3}), Counted(Square{4})});
        QTRY_VERIFY(results_->of(Square{4}));
        QCOMPARE(*results_->of(Square{3}), 9);
        QCOMPARE(*results_->of(Square{4}), 16);
        QCOMPARE(counted.load(), 2);
        QVERIFY(!results_->of(Square{5}));
    }

    void aRefusalIsKnownAsLongAsTheQuestionIsWanted() {
        const QObject by;
        results_->want(&by, {Counted(Square{-1})});
        QTRY_VERIFY(results_->refusalOf(Counted(Square{-1})));
        QVERIFY(!results_->of(Square{-1}) && !results_->isAwaited(Counted(Square{-1})));
        results_->want(&by, {Counted(Square{-1}), Counted(Square{2})});
        QTRY_VERIFY(results_->of(Square{2}));
        QCOMPARE(counted.load(), 2); // and not asked again
        results_->want(&by, {});
        QVERIFY(!results_->refusalOf(Counted(Square{-1})));
        results_->want(&by, {Counted(Square{-1})});
        QTRY_COMPARE(counted.load(), 3);
    }

    void whatTakesLongTellsHowFarItIsAndCanBeStopped() {
        const QObject by;
        QVERIFY(!results_->isLong());
        results_->want(&by, {Counted(Endless())});
        QVERIFY(results_->isLong());
        QTRY_VERIFY(results_->of(Endless())); // as far as it is known
        QTRY_COMPARE(results_->shareOf(Counted(Endless())), 0.5);
        QVERIFY(results_->isAwaited(Counted(Endless())));
        results_->stop();
        QVERIFY(!results_->isLong() && !results_->of(Endless()));
        QVERIFY(QString::fromStdString(results_->refusalOf(Counted(Endless()))->what).contains("stopped"));
    }

    void whatWaitsIsStoppedToo() {
        const QObject by;
        const Counted first(Endless{1});
        const Counted second(Endless{2});
        results_->want(&by, {first, second});
        QVERIFY(results_->isAwaited(second));
        results_->stop();
        QVERIFY(!results_->isLong());
        QVERIFY(results_->refusalOf(first) && results_->refusalOf(second));
    }

    void whatWasCountedFromARunIsKeptAsLongAsThatIsShownAndSmall() {
        const QObject by;
        const auto run = std::make_shared<const trace::Run>();
        results_->setShown(run, nullptr);
        for (int i = 0; i < 8; ++i) {
            results_->want(&by, {Counted(OfRun{run, 0, i}), Counted(OfRun{run, 200 << 20, i})});
            QTRY_VERIFY(results_->of(OfRun{run, 0, i}) && results_->of(OfRun{run, 200 << 20, i}));
        }
        results_->want(&by, {});
        QVERIFY(results_->of(OfRun{run, 0, 0}) && !results_->of(OfRun{run, 200 << 20, 0}));
        results_->want(&by, {Counted(OfRun{run, 0, 7})});
        results_->setShown(nullptr, nullptr);
        QVERIFY(results_->of(OfRun{run, 0, 7})); // somebody wants it
        results_->want(&by, {});
        QVERIFY(!results_->of(OfRun{run, 0, 7}));
    }

    void theSizeOfAKeptAnswerIsCountedOnce() { // that of a long run takes milliseconds
        const QObject by;
        const auto run = std::make_shared<const trace::Run>();
        results_->setShown(run, nullptr);
        results_->want(&by, {Counted(OfRun{run, 1, 0})});
        QTRY_VERIFY(results_->of(OfRun{run, 1, 0}));
        measured = 0;
        for (int i = 1; i < 5; ++i) {
            results_->want(&by, {Counted(OfRun{run, 1, i})});
            QTRY_VERIFY(results_->of(OfRun{run, 1, i}));
        }
        QCOMPARE(measured, 4);
        QVERIFY(results_->of(OfRun{run, 1, 0}));
    }

    void theSecondModelAnswersWhatItIsAskedAlsoWhileTheShownOneDecodes() {
        const QObject by;
        const auto second = [this] { return document_->state().second.model; };
        document_->openSecond("b-model");
        QTRY_VERIFY(second());
        results_->setShown(document_->run(), second());
        const NameOf ofShown{nullptr, shown()}, ofSecond{second(), shown()};
        script_.holdRuns = true;
        document_->controller()->decode(std::string("two"));
        results_->want(&by, {Counted(ofShown), Counted(ofSecond)});
        QTRY_VERIFY(results_->shareOf(Counted(ofSecond)) > 0);
        QVERIFY(document_->controller()->isDecoding() && results_->shareOf(Counted(ofShown)) == 0);
        script_.holdRuns = false;
        QTRY_VERIFY(results_->of(ofShown) && results_->of(ofSecond));
        QCOMPARE(*results_->of(ofShown), std::string("a-model"));
        QCOMPARE(*results_->of(ofSecond), std::string("b-model"));
        results_->want(&by, {});
        results_->setShown(document_->run(), nullptr);
        QVERIFY(results_->of(ofShown) && !results_->of(ofSecond));
    }

    void whatNobodyWantsAnyMoreIsStoppedAndItsPartForgotten() {
        auto by = std::make_unique<QObject>();
        results_->want(by.get(), {Counted(Endless())});
        QTRY_VERIFY(results_->of(Endless()));
        by.reset();
        QVERIFY(!results_->isLong() && !results_->of(Endless()));
    }

    void whatIsKnownIsThereAgainUntilAnotherModelIsOpened() {
        const QObject by;
        const Question heads{shown(), ImportanceWhat()};
        results_->want(&by, {heads});
        QTRY_VERIFY(!results_->isAwaited(heads));
        const auto known = results_->of(heads.request, ImportanceWhat());
        results_->want(&by, {});
        QCOMPARE(results_->of(heads.request, ImportanceWhat()), known);
        document_->queue()->open({.path = "another-model"});
        QTRY_VERIFY(!results_->of(heads.request, ImportanceWhat()));
    }

  private:
    static std::shared_ptr<const trace::Run> run(int number) {
        auto made = std::make_shared<trace::Run>();
        made->complete = true;
        made->request = {.source = std::to_string(number), .paths = {trace::DecodePath()}};
        made->encoder.push_back({.weights = {1, 16, 16}}); // 1 KiB
        return made;
    }
    static bool isKept(const Results& results, int number) {
        return results.of(run(number)->request, trace::RunWhat()) != nullptr;
    }
    int keptOfTen(std::size_t mostBytes) {
        Results results(document_->queue(), nullptr, mostBytes);
        for (int i = 0; i < 10; ++i)
            results.setShown(run(i), nullptr);
        const auto all = std::views::iota(0, 10);
        return static_cast<int>(std::ranges::count_if(all, [&](int i) { return isKept(results, i); }));
    }

  private Q_SLOTS:
    void aRunThatWasShownIsFoundByItsRequest() {
        const auto first = run(1), newer = run(1);
        results_->setShown(first, nullptr);
        results_->setShown(run(2), nullptr);
        QCOMPARE(results_->of(first->request, trace::RunWhat()), first);
        results_->setShown(newer, nullptr); // takes the place of the older one
        QCOMPARE(results_->of(first->request, trace::RunWhat()), newer);
        auto growing = *run(3);
        growing.complete = false;
        results_->setShown(std::make_shared<const trace::Run>(growing), nullptr);
        QVERIFY(!isKept(*results_, 3));
    }

    void theOldestRunsAreLetGoWhereAllTakeTooMuch() {
        QCOMPARE(analysis::runBytes(*run(1)), std::int64_t(1024));
        QCOMPARE(keptOfTen(6 * 1024), 6);
        QCOMPARE(keptOfTen(1), 4); // those that are compared, however large they are
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ResultsTest)
#include "results_test.moc"
