#include <QSignalSpy>
#include <QTest>

#include "app/results/map_analyses.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::DecodeController;
using app::MapAnalyses;
using app::Results;
using app::WorkQueue;
using trace::AttentionKind;
using trace::MapQuantity;

class MapAnalysesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<Results> answers_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<MapAnalyses> maps_;

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }
    trace::AttentionSite site() const { return selection_->head().site; }
    MapAnalyses::Maps shown() const { return maps_->shownAt(site()); }
    MapAnalyses::Maps effect() const { return maps_->effectAt(site()); }
    QString whyNot() const { return maps_->whyNotAt(site()); }
    bool isBusy() const { return queue_->isBusy(WorkQueue::JobKind::Answers); }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        answers_ = std::make_unique<Results>(queue_.get());
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        maps_ = std::make_unique<MapAnalyses>(answers_.get(), controller_.get(), selection_.get());
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        decode("one");
        selection_->setHead({{AttentionKind::Cross, 0}, 0});
    }

    void cleanup() {
        queue_->stop(WorkQueue::JobKind::Answers);
        maps_.reset();
        controller_.reset();
        answers_.reset();
        selection_.reset();
        queue_.reset();
    }

    void nothingIsComputedThatNobodyAskedFor() {
        QVERIFY(!isBusy());
        QVERIFY(!shown() && !effect());
    }

    void whatIsShownFollowsTheSite() {
        maps_->setQuantity(MapQuantity::NormWeighted);
        QVERIFY(!shown());
        QTRY_VERIFY(shown());
        QCOMPARE(shown()->site.kind, AttentionKind::Cross);
        selection_->setHead({{AttentionKind::Cross, 0}, 1});
        QVERIFY(shown()); // heads of a site come together
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 1});
        QVERIFY(!shown());
        QTRY_VERIFY(shown());
        QCOMPARE(shown()->site.kind, AttentionKind::EncoderSelf);
    }

    void otherSitesThatAreLookedAtHaveTheirOwn() {
        const trace::AttentionSite encoder{AttentionKind::EncoderSelf, 0};
        maps_->setAlsoShown({encoder, {AttentionKind::Cross, 0}});
        QVERIFY(!isBusy()); // the run holds what is shown
        maps_->setQuantity(MapQuantity::NormWeighted);
        QVERIFY(!maps_->shownAt(encoder));
        QTRY_VERIFY(shown() && maps_->shownAt(encoder));
        QCOMPARE(maps_->shownAt(encoder)->site.kind, AttentionKind::EncoderSelf);
        QCOMPARE(maps_->shownAt({AttentionKind::Cross, 0}), shown());
        QVERIFY(!maps_->shownAt({AttentionKind::DecoderSelf, 0})); // nobody looks there
        QVERIFY(maps_->whyNotAt(encoder).isEmpty());
    }

    void gradientsFollowTheStepAndStayForWhoStepsBack() {
        maps_->setQuantity(MapQuantity::GradientAttention);
        QTRY_VERIFY(shown());
        const auto first = shown();
        selection_->setStep(2);
        QVERIFY(shown() != first);
        QTRY_VERIFY(shown());
        QCOMPARE(shown()->step, std::size_t(2));
        selection_->setStep(int(first->step));
        QCOMPARE(shown(), first);
    }

    void anotherSentenceOrContrastIsComputedAnew() {
        maps_->setQuantity(MapQuantity::GradientAttention);
        QTRY_VERIFY(shown());
        controller_->setRatherThan("t11");
        QVERIFY(!shown());
        QTRY_VERIFY(shown());
        QCOMPARE(shown()->request.ratherThan, std::optional<std::string>("t11"));
        decode("two");
        QTRY_VERIFY(shown());
        QCOMPARE(std::get<std::string>(shown()->request.source), std::string("two"));
    }

    void aModelThatIsRefusedMeanwhileLeavesTheMaps() {
        script_.holdRuns = true;
        maps_->setQuantity(MapQuantity::Rollout);
        queue_->open({.path = "bad-model"});
        script_.holdRuns = false;
        QTRY_VERIFY(shown());
    }

    void staleWorkIsDropped() {
        script_.holdRuns = true;
        maps_->setQuantity(MapQuantity::Rollout);
        QVERIFY(isBusy());
        maps_->setQuantity(std::nullopt);
        QVERIFY(!isBusy());
        script_.holdRuns = false;
        maps_->setQuantity(MapQuantity::Contribution);
        QTRY_VERIFY(shown());
        QCOMPARE(shown()->quantity, MapQuantity::Contribution);
    }

    void whatIsLookedAtComesBeforeWhatIsCompared() {
        maps_->setEffectWanted(true);
        maps_->setQuantity(MapQuantity::Rollout);
        QTRY_VERIFY(shown());
        QTRY_VERIFY(effect());
        QCOMPARE(effect()->quantity, MapQuantity::NormWeighted);
        QTRY_VERIFY(!isBusy());
    }

    void weightsAndEffectAreComparedAtOtherSitesThatAreLookedAt() {
        const trace::AttentionSite encoder{AttentionKind::EncoderSelf, 0};
        maps_->setAlsoShown({encoder});
        maps_->setEffectWanted(true);
        QTRY_VERIFY(effect() && maps_->effectAt(encoder));
        QCOMPARE(maps_->effectAt(encoder)->site.kind, AttentionKind::EncoderSelf);
    }

    void aRefusalIsKeptAndNotAskedForAgain() {
        controller_->setRatherThan("nothing");
        maps_->setQuantity(MapQuantity::GradientAttention);
        QTRY_VERIFY(!whyNot().isEmpty());
        selection_->setStep(2); // refused too: a view that asked anew has to be told
        const QSignalSpy told(maps_.get(), &MapAnalyses::changed);
        QTRY_VERIFY(!told.isEmpty() && !whyNot().isEmpty());
        QVERIFY(!shown());
        const QSignalSpy busy(queue_.get(), &WorkQueue::busyChanged);
        maps_->setQuantity(MapQuantity::GradientAttention);
        QCOMPARE(busy.size(), 0);
        controller_->setRatherThan("");
        QTRY_VERIFY(shown());
        QVERIFY(whyNot().isEmpty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, MapAnalysesTest)
#include "map_analyses_test.moc"
