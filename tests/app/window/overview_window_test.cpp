#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QStatusBar>
#include <QTest>

#include "app/results/results.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;
using trace::AttentionKind;
using trace::HeadAddress;

class OverviewWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    template <class Part>
    Part* part() const {
        return window_->findChild<Part*>();
    }
    std::string front() const { return tests::bench(*window_)->frontKey(); }
    widgets::Overview* overview() const { return part<widgets::Overview>(); }
    widgets::HeatmapPage* compared() const { return part<widgets::HeatmapPage>(); }
    widgets::Selection* selection() const { return window_->selection(); }
    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    static HeadAddress head(AttentionKind kind, int number) { return {{kind, 0}, number}; }

    void press(Qt::Key key) {
        QWidget* focus = window_->focusWidget();
        QTest::keyClick(focus ? focus : window_.get(), key);
    }

    void decode(const char* sentence) {
        window_->controller()->decode(std::string(sentence));
        QTRY_VERIFY(!window_->controller()->isDecoding());
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.holdRuns = false;
        script_.sourceTokens = 3;
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    void cleanup() { window_.reset(); }

    void oneKeyGoesToTheOverviewAndBack() {
        press(Qt::Key_O);
        QCOMPARE(front(), std::string("overview"));
        QVERIFY(overview()->view()->hasFocus());
        press(Qt::Key_O);
        QCOMPARE(front(), std::string("heatmap"));
        tests::bench(*window_)->open("lines");
        press(Qt::Key_O);
        QCOMPARE(front(), std::string("overview"));
        press(Qt::Key_Return);
        QCOMPARE(front(), std::string("heatmap"));
    }

    void arrowsInTheOverviewChooseAHeadAndPPinsIt() {
        selection()->setHead(head(AttentionKind::EncoderSelf, 0));
        press(Qt::Key_O);
        press(Qt::Key_Right);
        QVERIFY(selection()->head() == head(AttentionKind::EncoderSelf, 1));
        press(Qt::Key_P);
        QVERIFY(selection()->pinOf(head(AttentionKind::EncoderSelf, 1)));
        press(Qt::Key_P);
        QVERIFY(selection()->pinnedHeads().empty());
    }

    void aFifthPinIsRefusedInTheStatusBar() {
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf})
            for (int number = 0; number < 2; ++number)
                selection()->togglePinnedHead(head(kind, number));
        QVERIFY(action(ActionId::UnpinHeads)->isEnabled());
        selection()->setHead(head(AttentionKind::Cross, 1));
        action(ActionId::PinHead)->trigger();
        QVERIFY(window_->statusBar()->currentMessage().contains("cross.0.1 was not pinned: four heads are"));
        action(ActionId::UnpinHeads)->trigger();
        QVERIFY(selection()->pinnedHeads().empty());
        QVERIFY(!action(ActionId::UnpinHeads)->isEnabled());
    }

    void pinnedHeadsOfARunThatGrowsAreComparedOnceItIsWhole() {
        selection()->setHead(head(AttentionKind::Cross, 0));
        selection()->togglePinnedHead(head(AttentionKind::Cross, 0));
        selection()->setHead(head(AttentionKind::Cross, 1));
        QTRY_VERIFY(compared()->words(0).contains("from cross.0.1: 0.000 of 1 bit"));
        script_.holdRuns = true;
        window_->controller()->decode(std::string("another"));
        QTRY_VERIFY(!window_->controller()->run()->complete);
        QTRY_VERIFY2(compared()->words(0).startsWith("Compared with cross.0.1 when decoding"),
                     qPrintable(compared()->words(0)));
        script_.holdRuns = false;
        QTRY_VERIFY(compared()->words(0).contains("from cross.0.1: 0.000 of 1 bit"));
    }

    void aModelThatIsRefusedMeanwhileLeavesTheComparisons() {
        overview()->findChildren<QComboBox*>().at(1)->setCurrentText("Sort: by similarity");
        press(Qt::Key_O);
        selection()->setHead(head(AttentionKind::Cross, 0));
        selection()->togglePinnedHead(head(AttentionKind::Cross, 0));
        selection()->setHead(head(AttentionKind::Cross, 1));
        window_->openModel("bad-model");
        QTRY_VERIFY(overview()->view()->caption().contains("Cross-attention: groups 1, heads alone 0"));
        press(Qt::Key_O);
        QTRY_VERIFY(compared()->words(0).contains("from cross.0.1: 0.000 of 1 bit"));
    }

    void aLongMeasurementOfAStepIsSaidAndStopped() {
        const auto saysSo = [this] {
            return std::ranges::any_of(window_->statusBar()->findChildren<QLabel*>(), [](const auto* label) {
                return label->text().startsWith("Computing");
            });
        };
        script_.sourceTokens = 200;
        decode("a long one");
        selection()->setHead(head(AttentionKind::Cross, 0));
        QTRY_VERIFY(!action(ActionId::Stop)->isEnabled()); // nobody asked
        const auto* results = window_->findChild<app::Results*>();
        connect(results->queue(), &app::WorkQueue::busyChanged, this,
                [&] { script_.holdRuns = script_.holdRuns || results->isLong(); });
        action(ActionId::MapLosses)->setChecked(true);
        QTRY_VERIFY(action(ActionId::Stop)->isEnabled() && saysSo());
        action(ActionId::Stop)->trigger();
        QVERIFY(!action(ActionId::Stop)->isEnabled() && !saysSo());
    }

    void computedQuantitiesAreAskedForEveryPanel() {
        selection()->setHead(head(AttentionKind::Cross, 0));
        selection()->setPinnedHeads(
            {head(AttentionKind::EncoderSelf, 1), head(AttentionKind::DecoderSelf, 0)});
        action(ActionId::ShowNormWeighted)->setChecked(true);
        QCOMPARE(compared()->maps().size(), 3u);
        for (const auto* map : compared()->maps())
            QTRY_VERIFY(!map->shownMap().empty() && map->quantity() == widgets::Quantity::NormWeighted);
    }

    void headsAreGroupedOnlyWhereSomeoneLooks() {
        auto* order = overview()->findChildren<QComboBox*>().at(1);
        order->setCurrentText("Sort: by similarity");
        QVERIFY(!window_->controller()->isDecoding());
        QVERIFY(overview()->view()->caption().contains("when decoding is complete"));
        press(Qt::Key_O);
        QTRY_VERIFY(overview()->view()->caption().contains("Cross-attention: groups 1, heads alone 0"));
        decode("another");
        QTRY_VERIFY(overview()->view()->caption().contains("Cross-attention: groups 1, heads alone 0"));
    }

    void rolesAndStatisticsComeWithTheOverview() {
        press(Qt::Key_O);
        auto* tint = overview()->findChildren<QComboBox*>().at(0);
        tint->setCurrentText("Bars: entropy");
        QTRY_VERIFY(overview()->view()->cellInWords({0, 0}).contains("Entropy: "));
    }

    void pinsThatAnotherModelLacksAreDropped() {
        selection()->setPinnedHeads({{{AttentionKind::Cross, 5}, 0}, head(AttentionKind::Cross, 1)});
        window_->openModel("another-model");
        QTRY_VERIFY(selection()->pinnedHeads() == std::vector{head(AttentionKind::Cross, 1)});
    }
};

HEADSCOPE_WATCHED_TEST(OverviewWindowTest)
#include "overview_window_test.moc"
