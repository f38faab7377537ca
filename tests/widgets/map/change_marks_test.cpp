#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/compared_runs.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/head_grid/head_grid_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class ChangeMarksTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{AttentionKind::Cross, 0}, 1};
    static constexpr trace::HeadAddress other{{AttentionKind::Cross, 1}, 1};

    template <class View>
    static QImage picture(std::shared_ptr<const trace::Run> run, const trace::HeadAddress& shown) {
        Selection selection;
        selection.setHead(shown);
        View view(&selection);
        view.setRun(run);
        view.resize(900, 640);
        return view.grab().toImage();
    }

  private Q_SLOTS:
    void aHeadThatIsOffIsMarkedAndNoOther() {
        const std::vector<trace::Intervention> off{{trace::ScaleHead{.head = head}}};
        QCOMPARE(headMark(off, head), HeadMark::Off);
        QCOMPARE(headMark(off, other), HeadMark::None);
    }

    void whatIsSwitchedOffInTheListMarksNothing() {
        QCOMPARE(headMark({{trace::ScaleHead{.head = head}, false}}, head), HeadMark::None);
        QCOMPARE(headMark({{trace::ScaleHead{.head = head, .factor = 1}}}, head), HeadMark::None);
    }

    void aSublayerThatIsOffMarksAllItsHeads() {
        const std::vector<trace::Intervention> off{
            {trace::ScaleSublayer{.sublayer = {trace::SublayerKind::Cross, 0}}}};
        QCOMPARE(headMark(off, head), HeadMark::Off);
        QCOMPARE(headMark(off, other), HeadMark::None);
        const std::vector<trace::Intervention> feedForward{
            {trace::ScaleSublayer{.sublayer = {trace::SublayerKind::DecoderFeedForward, 0}}}};
        QCOMPARE(headMark(feedForward, head), HeadMark::None);
    }

    void otherChangesOfAHeadMarkItAsChanged() {
        QCOMPARE(headMark({{trace::ReplaceHead{.head = head}}}, head), HeadMark::Changed);
        QCOMPARE(headMark({{trace::BlockCell{.head = head}}}, head), HeadMark::Changed);
        QCOMPARE(headMark({{trace::LiftMask{}}}, head), HeadMark::None);
    }

    void cellsBeyondTheMapAreLeftOut() {
        const std::vector<trace::Intervention> changes{{trace::BlockCell{head, 1, 2}},
                                                       {trace::BlockCell{head, 9, 2}},
                                                       {trace::BlockCell{other, 1, 1}},
                                                       {trace::ForceRow{head, 3}},
                                                       {trace::ForceRow{head, 4'000'000'000u}}};
        QCOMPARE(changedCells(changes, head, 5, 5), (ChangedCells{.blocked = {{1, 2}}, .forcedRows = {3}}));
    }

    void theOverviewAndTheHeatmapShowTheMarks() {
        const auto plain = example::run();
        auto off = example::run();
        off->request.interventions = {{trace::ScaleHead{.head = head}}};
        QVERIFY(picture<HeadGridView>(off, head) != picture<HeadGridView>(plain, head));
        auto blocked = example::run();
        blocked->request.interventions = {{trace::BlockCell{head, 1, 2}}};
        QVERIFY(picture<HeatmapView>(blocked, head) != picture<HeatmapView>(plain, head));
        QCOMPARE(picture<HeatmapView>(blocked, other), picture<HeatmapView>(plain, other));
    }
};

HEADSCOPE_WATCHED_TEST(ChangeMarksTest)
#include "change_marks_test.moc"
