#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_long_run.h"
#include "tests/widgets/shown_heatmap.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/ready_map.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview_view.h"

using namespace headscope;
using namespace headscope::widgets;

/// Maps that a run left out, computed again for the views.
class ReadyMapTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{trace::AttentionKind::EncoderSelf, 1}, 3};
    example::LongRuns runs_ = example::longRuns();
    Selection selection_;

    std::shared_ptr<const LongMap> whole(const MapOptions& options) const {
        return std::make_shared<LongMap>(LongMap{.run = runs_.leftOut,
                                                 .head = head,
                                                 .options = forNumbers(options),
                                                 .map = computeLongMap(*runs_.leftOut, head, options, {})});
    }

  private Q_SLOTS:
    void init() {
        selection_.setHead(head);
        selection_.setCursor({});
    }

    void aMapComputedAgainIsShownAsAStoredOne_data() {
        QTest::addColumn<MapOptions>("options");
        QTest::newRow("weights") << MapOptions();
        QTest::newRow("scores") << MapOptions{.quantity = Quantity::Scores};
        QTest::newRow("open scores") << MapOptions{.quantity = Quantity::OpenScores};
        QTest::newRow("turned") << MapOptions{.transposed = true};
        QTest::newRow("words") << MapOptions{.withoutSpecial = true, .words = true};
        QTest::newRow("ranks") << MapOptions{.mapping = ColourMapping::Rank, .colourPerRow = true};
    }
    void aMapComputedAgainIsShownAsAStoredOne() {
        QFETCH(const MapOptions, options);
        QVERIFY(isRecomputed(*runs_.leftOut, head, options) && !isRecomputed(*runs_.kept, head, options));
        const auto again = computeLongMap(*runs_.leftOut, head, options, {});
        const ReadyMap stored(shownMap(*runs_.kept, nullptr, head, options), options);
        QVERIFY(again->shown.values == stored.shown.values);
        QVERIFY(again->shown.mask == stored.shown.mask);
        QVERIFY(again->shown.queries.spans == stored.shown.queries.spans);
        QVERIFY(again->shown.keys.spans == stored.shown.keys.spans);
        QVERIFY(again->shown.received == stored.shown.received);
        QVERIFY(again->tones.values == stored.tones.values);
    }

    void theHeatmapWaitsShowsAPreviewAndThenTheWhole() {
        HeatmapView view(&selection_);
        heatmaps::show(view);
        view.setRun(runs_.leftOut);
        QVERIFY(view.shownMap().empty());
        auto preview = std::make_shared<LongMap>(computePreview(runs_.leftOut, head, {}, {}));
        preview->tokensACell = 4; // as of a longer one
        view.setLongMap(preview);
        QVERIFY(!view.shownMap().empty());
        QVERIFY(view.figureText().caption.contains("Preview"));
        view.setLongMap(whole({}));
        QVERIFY(!view.figureText().caption.contains("Preview"));
        QCOMPARE(view.rowCount(), int(runs_.leftOut->source.size()));
        const auto picture = heatmaps::pictureOf(view);
        view.setRun(runs_.kept);
        QVERIFY(picture == heatmaps::pictureOf(view));
    }

    void aMapOfAnotherHeadIsNotShown() {
        HeatmapView view(&selection_);
        view.setRun(runs_.leftOut);
        view.setLongMap(whole({}));
        QVERIFY(!view.shownMap().empty());
        selection_.setHead({head.site, head.head + 1});
        QVERIFY(view.shownMap().empty());
        view.setLongMap(nullptr);
        view.setWhyNoMaps("no memory");
        QVERIFY(view.shownMap().empty());
    }

    void aSmallMapIsThatOfTheStoredOne() {
        const ThumbnailLook look{.side = {40, 40}, .theme = &lightTheme()};
        QVERIFY(headThumbnail(*runs_.leftOut, head, look).isNull());
        const auto tile = std::make_shared<analysis::PooledMap>(
            analysis::pooledWeights(runs_.leftOut->encoder[1], std::size_t(head.head), tileSide, tileSide));
        QVERIFY(headThumbnail(*runs_.leftOut, head, look, tile).toImage() ==
                headThumbnail(*runs_.kept, head, look).toImage());
    }

    void theOverviewAsksForWhatIsMissingAndGetsOnWithTheRest() {
        OverviewView view(&selection_);
        int asked = 0;
        connect(&view, &OverviewView::tilesWanted, this, [&] { ++asked; });
        view.resize(800, 600);
        view.setRun(runs_.leftOut);
        view.show();
        QTRY_VERIFY(asked > 0);
        QCOMPARE(view.missingTiles().size(), runs_.leftOut->encoder.size() * 8);
        for (const auto& missing : view.missingTiles())
            view.setTile(missing, std::make_shared<analysis::PooledMap>(analysis::pooledWeights(
                                      *runs_.leftOut->record(missing.site), std::size_t(missing.head),
                                      tileSide, tileSide)));
        QVERIFY(view.missingTiles().empty());
        QTRY_VERIFY(view.isComplete());
    }

    /// What needs every cell of a map says so.
    void otherViewsSayWhatTheyNeed() {
        LinesView lines(&selection_);
        lines.resize(600, 400);
        lines.setRun(runs_.leftOut);
        MaskView masks(&selection_);
        masks.resize(600, 400);
        masks.setRun(runs_.leftOut);
        for (QWidget* view : {static_cast<QWidget*>(&lines), static_cast<QWidget*>(&masks)})
            QVERIFY(!view->grab().isNull());
    }
};

HEADSCOPE_WATCHED_TEST(ReadyMapTest)
#include "ready_map_test.moc"
