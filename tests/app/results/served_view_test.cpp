#include <QTest>

#include "tests/app/results/served_document.h"
#include "tests/app/window/busy_queue.h"
#include "tests/watched_test.h"
#include "widgets/views/architecture/architecture_view.h"

using namespace headscope;
using widgets::ArchitectureView;

class ServedViewTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    std::unique_ptr<ArchitectureView> view_;

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.tamper = {};
        served_ = std::make_unique<tests::ServedDocument>(script_);
        view_ = std::make_unique<ArchitectureView>(served_->selection());
        served_->serve(view_.get());
        QVERIFY(served_->open("a-model") && served_->decode("one"));
    }

    void cleanup() {
        script_.holdRuns = false;
        view_.reset();
        served_.reset();
    }

    void whatFlowsIsMeasuredOnceTheViewIsInSight() {
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(requests(), std::size_t(1));
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        QCOMPARE(requests(), std::size_t(2));
        view_->hide();
        view_->show();
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(requests(), std::size_t(2)); // it is known
    }

    void onlyWhatWasFedIsRead() {
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        const auto& path = view_->facts().flow->request.paths.back();
        const auto* forced = std::get_if<trace::TargetIds>(&path.forced);
        QVERIFY(forced && forced->ids.size() == served_->controller()->run()->target.size());
        QCOMPARE(path.newTokens, 0);
    }

    void anotherSentenceIsMeasuredAgain() {
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        const auto first = view_->facts().flow;
        QVERIFY(served_->decode("two"));
        QTRY_VERIFY(view_->facts().flow && view_->facts().flow != first);
    }

    void whatIsRefusedIsSaid() {
        script_.tamper = [](trace::Run&) {
            throw trace::Refusal({.what = "The flow cannot be measured", .wayOut = "shorten the sentence"});
        };
        view_->show();
        QTRY_VERIFY2(view_->details().contains("The flow cannot be measured"), qPrintable(view_->details()));
    }

    void whatIsUnderWayIsDroppedOnceTheViewIsHidden() {
        script_.holdRuns = true;
        script_.cancelled = 0;
        view_->show();
        QTRY_COMPARE(requests(), std::size_t(2));
        view_->hide();
        QTRY_COMPARE(script_.cancelled.load(), 1);
        script_.holdRuns = false;
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
    }

    void whatIsUnderWayGivesWayToARunAndIsAskedAgain() {
        script_.holdRuns = true;
        script_.cancelled = 0;
        view_->show();
        QTRY_COMPARE(requests(), std::size_t(2));
        served_->controller()->decode(std::string("two"));
        QTRY_COMPARE(script_.cancelled.load(), 1);
        script_.holdRuns = false;
        QTRY_VERIFY(view_->facts().flow);
        QCOMPARE(requests(), std::size_t(4));
    }
};

HEADSCOPE_WATCHED_TEST(ServedViewTest)
#include "served_view_test.moc"
