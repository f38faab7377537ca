#include <QTest>

#include "app/results/errands.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/views/architecture/architecture_view.h"

using namespace headscope;
using app::DecodeController;
using app::Errands;
using app::WorkQueue;
using widgets::ArchitectureView;

namespace {

/// It wants things computed, and draws nothing.
class Pictureless : public widgets::View {
  public:
    void drawFigure(QPainter&, QSize, const widgets::Theme&) const override {}
    widgets::FigureText figureText() const override { return {}; }
    bool hasFigure() const override { return false; }
};

} // namespace

class ErrandsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<ArchitectureView> view_;
    std::unique_ptr<Errands> errands_;

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }
    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.tamper = {};
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        view_ = std::make_unique<ArchitectureView>(selection_.get());
        errands_ = std::make_unique<Errands>(queue_.get(), controller_.get());
        errands_->serve(view_.get());
        connect(controller_.get(), &DecodeController::runChanged, view_.get(), &ArchitectureView::setRun);
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        decode("one");
    }

    void cleanup() {
        queue_.reset(); // before those it tells
        errands_.reset();
        view_.reset();
        controller_.reset();
        selection_.reset();
    }

    void whatFlowsIsMeasuredOnceTheViewIsInSight() {
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), std::size_t(1));
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        QCOMPARE(requests(), std::size_t(2));
        view_->hide();
        view_->show();
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), std::size_t(2)); // it is known
    }

    void onlyWhatWasFedIsRead() {
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        const auto& path = view_->facts().flow->request.paths.back();
        const auto* forced = std::get_if<trace::TargetIds>(&path.forced);
        QVERIFY(forced && forced->ids.size() == controller_->run()->target.size());
        QCOMPARE(path.newTokens, 0);
    }

    void anotherSentenceIsMeasuredAgain() {
        view_->show();
        QTRY_VERIFY(view_->facts().flow);
        const auto first = view_->facts().flow;
        decode("two");
        QTRY_VERIFY(view_->facts().flow && view_->facts().flow != first);
    }

    void whatIsRefusedIsSaid() {
        script_.tamper = [](trace::Run&) {
            throw trace::Refusal({.what = "The flow cannot be measured", .wayOut = "shorten the sentence"});
        };
        view_->show();
        QTRY_VERIFY2(view_->details().contains("The flow cannot be measured"), qPrintable(view_->details()));
    }

    void whatWasRefusedIsNotAskedAgain() {
        /// As a view would that forgets its refusal.
        class Insistent : public Pictureless {
          public:
            std::optional<widgets::Errand> errand() override {
                return widgets::Errand{.about = 1,
                                       .count = [](const trace::Task&) -> widgets::Errand::Deliver {
                                           throw trace::Refusal({.what = "No"});
                                       },
                                       .refused =
                                           [this](const trace::RefusalText&) {
                                               ++refusals;
                                               Q_EMIT questionsChanged();
                                           }};
            }
            int refusals = 0;
        };
        Insistent view;
        errands_->serve(&view);
        QTRY_COMPARE(view.refusals, 1);
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(view.refusals, 1);
    }

    void whatAPersonStopsIsNotBegunAgain() {
        class Endless : public Pictureless {
          public:
            std::optional<widgets::Errand> errand() override {
                return widgets::Errand{.about = 1,
                                       .count = [](const trace::Task& work) -> widgets::Errand::Deliver {
                                           for (;;)
                                               work.report(0.5);
                                       },
                                       .refused = [](const trace::RefusalText&) {},
                                       .progressed = [](double) {},
                                       .stopped =
                                           [this] {
                                               ++stops;
                                               Q_EMIT questionsChanged();
                                           }};
            }
            int stops = 0;
        };
        Endless view;
        errands_->serve(&view);
        QVERIFY(errands_->isLong());
        errands_->stop();
        QCOMPARE(view.stops, 1);
        QVERIFY(!errands_->isLong());
    }
};

HEADSCOPE_WATCHED_TEST(ErrandsTest)
#include "errands_test.moc"
