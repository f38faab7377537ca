#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "tests/widgets/shown_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/cell_card/cell_card.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/lines/lines_view.h"

using namespace headscope;
using app::MainWindow;
using trace::AttentionKind;

class ArithmeticWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    widgets::ArithmeticView* view() const { return window_->findChild<widgets::ArithmeticView*>(); }
    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    void open() { window_->actions()["arithmetic"]->trigger(); }
    std::vector<trace::Request> requestsWithProjections() {
        const std::lock_guard lock(script_.mutex);
        std::vector<trace::Request> asked;
        for (const auto& request : script_.requests)
            if (request.recording.projections)
                asked.push_back(request);
        return asked;
    }

    /// Zeros: every score is 0, as the fake engine says.
    static void project(trace::Run& run) {
        if (!run.request.recording.projections)
            return;
        for (auto* records : {&run.encoder, &run.decoder, &run.cross})
            for (auto& record : *records) {
                record.q = {record.weights.heads(), record.weights.rows(), 4};
                record.k = record.v = {record.weights.heads(), record.weights.columns(), 4};
            }
    }

    std::size_t runs() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        script_.tamper = project;
        script_.holdRuns = false;
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(run() && run()->complete && !window_->controller()->isDecoding());
    }

    void theSameKeysOnceMorePutItAway() {
        open();
        QVERIFY(view()->isVisible());
        QApplication::processEvents();
        open();
        QVERIFY(!view()->isVisible());
        open();
        QVERIFY(view()->isVisible());
    }

    void cleanup() { window_.reset(); }

    void closedItComputesNothing() {
        QVERIFY(!view()->isVisible());
        window_->selection()->setHover(focusOn(1, 2));
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QVERIFY(requestsWithProjections().empty());
    }

    void openItComputesTheShownRunOnce() {
        open();
        QVERIFY(view()->isVisible());
        QTRY_VERIFY(view()->cell());
        const auto asked = requestsWithProjections();
        QCOMPARE(asked.size(), std::size_t(1));
        QCOMPARE(asked.front().paths.size(), std::size_t(1));
        window_->selection()->setHover(focusOn(1, 2));
        QCOMPARE(view()->cell()->query, std::size_t(1));
        QCOMPARE(view()->cell()->key, std::size_t(2));
        QCOMPARE(requestsWithProjections().size(), std::size_t(1));
    }

    void whatTheRowAddsComesWithIt() {
        open();
        QTRY_VERIFY(view()->addition());
        window_->selection()->setHover(focusOn(1, 2));
        QVERIFY(!view()->addition());
        QTRY_VERIFY(view()->addition());
        QCOMPARE(view()->cell()->query, std::size_t(1));
        const auto asked = runs();
        window_->selection()->setHover(focusOn(1, 0)); // another key of the row
        QVERIFY(view()->addition());
        QCOMPARE(runs(), asked);
        tests::bench(*window_)->show("masks"); // which asks for nothing
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        const auto closed = runs();
        window_->selection()->setHover(focusOn(2, 0));
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(runs(), closed);
    }

    void aModelThatIsRefusedMeanwhileLeavesBoth() {
        script_.holdRuns = true;
        open();
        QTRY_COMPARE(requestsWithProjections().size(), std::size_t(1));
        window_->openModel("bad-model");
        script_.holdRuns = false;
        QTRY_VERIFY(view()->addition());
        script_.holdRuns = true;
        const auto asked = runs();
        window_->selection()->setHover(focusOn(1, 2));
        QVERIFY(!view()->addition());
        QTRY_COMPARE(runs(), asked + 1);
        window_->openModel("bad-model");
        script_.holdRuns = false;
        QTRY_VERIFY(view()->addition());
    }

    void anotherSentenceIsComputedAnew() {
        open();
        QTRY_VERIFY(view()->cell());
        window_->controller()->decode(std::string("another one"));
        QTRY_COMPARE(requestsWithProjections().size(), std::size_t(2));
        QVERIFY(requestsWithProjections().back().source == trace::Source(std::string("another one")));
        QTRY_VERIFY(view()->cell());
        tests::bench(*window_)->close("arithmetic");
        window_->controller()->decode(std::string("a third"));
        QTRY_VERIFY(!window_->controller()->isDecoding());
        QCOMPARE(requestsWithProjections().size(), std::size_t(2));
    }

    /// As the menu of a cell does.
    void aPinnedCellIsExplainedWhereThePanelIsOpened() {
        window_->selection()->setHead({{AttentionKind::Cross, 0}, 0});
        window_->selection()->togglePinned(widgets::TokenFocus::cell(AttentionKind::Cross, 2, 1));
        tests::bench(*window_)->open("arithmetic");
        QVERIFY(view()->isVisible());
        QTRY_VERIFY(view()->cell());
        QCOMPARE(view()->cell()->query, std::size_t(2));
    }

    void theCardOfACellPinsItAndOpensItsArithmetic() {
        window_->selection()->setHead({{AttentionKind::Cross, 0}, 0});
        window_->selection()->setStep(2);
        auto* card = window_->findChild<widgets::CellCard*>();
        const auto shown = card->cell().value();
        QCOMPARE(shown.row, 2);
        for (int i = 0; i < 2; ++i) { // it stays open
            tests::buttonOf(*card, "Show the Arithmetic")->click();
            QVERIFY(view()->isVisible());
        }
        QVERIFY(window_->selection()->pinned() == focusOn(shown.row, shown.column));
        QTRY_VERIFY(view()->cell());
        QCOMPARE(view()->cell()->key, std::size_t(shown.column));
        QCOMPARE(float(view()->cell()->shownWeight), float(card->weight().value()));
    }

    void theCardOfACellFindsTheHeadsThatHaveIt() {
        auto* card = window_->findChild<widgets::CellCard*>();
        QVERIFY(card->cell());
        auto* table = window_->findChild<widgets::HeadTable*>();
        QVERIFY(!table->known().cell());
        tests::buttonOf(*card, "Find Heads")->click();
        QVERIFY(table->isVisible());
        QCOMPARE(int(table->known().cell().value().query), card->cell()->row);
        QCOMPARE(int(table->known().cell().value().key), card->cell()->column);
    }

    void theLinesHaveATabOfTheirOwn() {
        auto* lines = window_->findChild<widgets::LinesView*>();
        QVERIFY(!lines->isVisible());
        window_->actions()["lines"]->trigger();
        QVERIFY(lines->isVisible());
        QVERIFY(lines->hasFigure());
    }

  private:
    widgets::TokenFocus focusOn(int query, int key) const {
        return widgets::TokenFocus::cell(window_->selection()->head().site.kind, query, key);
    }
};

HEADSCOPE_WATCHED_TEST(ArithmeticWindowTest)
#include "arithmetic_window_test.moc"
