#include <QTest>

#include "tests/registered_test.h"
#include "widgets/tiles/tile_layout.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;

class TileLayoutTest : public QObject {
    Q_OBJECT

    static std::vector<HeadAddress> heads(AttentionKind kind, int layers, int across) {
        std::vector<HeadAddress> all;
        for (int layer = 0; layer < layers; ++layer)
            for (int head = 0; head < across; ++head)
                all.push_back({{kind, layer}, head});
        return all;
    }

    static TileLayoutInput model(int layers, int across, QSize available) {
        TileLayoutInput input{
            .available = available, .line = 16, .titles = true, .headings = {20, 16}, .words = 40};
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
            input.blocks.push_back(
                {.kind = kind, .columns = across, .clusters = {{heads(kind, layers, across)}}});
        return input;
    }

    /// One kind, groups of these sizes, and heads that are alone.
    static TileLayoutInput grouped(const std::vector<int>& sizes, int alone, QSize available) {
        auto all = heads(AttentionKind::Cross, 1, 200);
        TileBlock block{.kind = AttentionKind::Cross, .captions = true};
        auto next = all.begin();
        for (int size : sizes) {
            block.clusters.push_back({{next, next + size}});
            next += size;
        }
        if (alone > 0)
            block.clusters.push_back({{next, next + alone}});
        return {.blocks = {block},
                .available = available,
                .line = 16,
                .titles = true,
                .headings = {20, 16},
                .words = 40};
    }

    /// One kind in as many columns as give the largest pictures.
    static TileLayoutInput list(int layers, int across, QSize available) {
        return {.blocks = {{.kind = AttentionKind::Cross,
                            .clusters = {{heads(AttentionKind::Cross, layers, across)}}}},
                .available = available,
                .foot = 12,
                .words = 40,
                .sides = {.least = 8, .most = 240, .wide = 1, .high = 1.5},
                .choosesColumns = true};
    }

    static void verifyNothingOverlapsOrLeaves(const TileLayout& layout, const TileLayoutInput& input) {
        for (auto one = layout.tiles.begin(); one != layout.tiles.end(); ++one) {
            QVERIFY(QRect(QPoint(), input.available).contains(one->picture));
            QVERIFY(one->picture.bottom() < input.available.height() - input.words);
            for (auto other = one + 1; other != layout.tiles.end(); ++other)
                QVERIFY(!one->picture.intersects(other->picture));
        }
    }

  private Q_SLOTS:
    void everyHeadHasOnePlace() {
        const auto input = model(12, 16, {1150, 660});
        const auto layout = layOutTiles(input);
        QCOMPARE(layout.tiles.size(), std::size_t(576));
        std::set<HeadAddress> found;
        for (const auto& tile : layout.tiles)
            found.insert(tile.head);
        QCOMPARE(found.size(), std::size_t(576));
        verifyNothingOverlapsOrLeaves(layout, input);
    }

    void layersRunDownAndHeadsAcross() {
        const auto layout = layOutTiles(model(3, 8, {900, 500}));
        const auto place = [&](int layer, int head) {
            return layout.tileOf({{AttentionKind::Cross, layer}, head})->picture;
        };
        QCOMPARE(place(0, 1).left(), place(0, 0).right() + 1 + 4);
        QCOMPARE(place(1, 0).top(), place(0, 0).bottom() + 1 + 4);
        QCOMPARE(place(2, 0).left(), place(0, 0).left());
        QCOMPARE(layout.blocks.size(), std::size_t(3));
        QCOMPARE(layout.blocks[2].rows.size(), std::size_t(3));
        QCOMPARE(layout.blocks[2].columns.size(), std::size_t(8));
        QCOMPARE(layout.blocks[2].rows[2].area.top(), place(2, 0).top());
        QCOMPARE(layout.blocks[2].columns[5].area.left(), place(0, 5).left());
    }

    void headsThatShareKeysStandTogether() {
        const trace::ModelSummary llama{
            .decoderLayers = 3, .decoderHeads = 8, .architecture = {{"key_value_heads", "2"}}};
        QCOMPARE(llama.headsPerKey(AttentionKind::DecoderSelf), 4);
        auto input = model(3, 8, {900, 500});
        input.blocks = blocksAsInTheModel(&llama, heads(AttentionKind::DecoderSelf, 3, 8));
        QCOMPARE(input.blocks.front().clusters.size(), std::size_t(6));
        const auto layout = layOutTiles(input);
        verifyNothingOverlapsOrLeaves(layout, input);
        const auto place = [&](int layer, int head) {
            return layout.tileOf({{AttentionKind::DecoderSelf, layer}, head})->picture;
        };
        QCOMPARE(place(1, 3).left() - place(1, 2).right(), layout.gap + 1);
        QVERIFY(place(1, 4).left() - place(1, 3).right() > 2 * layout.gap);
        QCOMPARE(place(2, 7).top(), place(2, 0).top());
        QCOMPARE(layout.blocks.front().columns[7].area.left(), place(0, 7).left());
        const trace::ModelSummary usual{.decoderLayers = 3, .decoderHeads = 8};
        QCOMPARE(blocksAsInTheModel(&usual, heads(AttentionKind::DecoderSelf, 3, 8)).front().clusters.size(),
                 std::size_t(1));
    }

    void kindsStandBesideEachOtherInAWideViewAndBelowInATallOne() {
        const auto wide = layOutTiles(model(3, 8, {1800, 300}));
        QCOMPARE(wide.blocks[2].title.top(), wide.blocks[0].title.top());
        const auto tall = layOutTiles(model(3, 8, {420, 900}));
        QCOMPARE(tall.blocks[2].title.left(), tall.blocks[0].title.left());
        QVERIFY(tall.blocks[2].title.top() > tall.blocks[1].title.top());
    }

    void fewHeadsFillTheirPlace() {
        for (const auto& [layers, across, kinds] :
             {std::tuple(2, 2, 1), std::tuple(2, 1, 3), std::tuple(2, 4, 3)})
            for (const QSize size : {QSize(1100, 560), QSize(700, 560)}) {
                auto input = model(layers, across, size);
                input.blocks.resize(static_cast<std::size_t>(kinds));
                const auto layout = layOutTiles(input);
                verifyNothingOverlapsOrLeaves(layout, input);
                QRect all;
                for (const auto& tile : layout.tiles)
                    all |= tile.picture;
                QVERIFY2(all.width() > size.width() * 3 / 4,
                         qPrintable(QString("%1 of %2").arg(all.width()).arg(size.width())));
            }
    }

    void numbersAreThoseOfTheAddresses() {
        const auto layout = layOutTiles(model(3, 8, {900, 500}));
        for (int layer = 0; layer < 3; ++layer)
            QCOMPARE(layout.blocks[0].rows[static_cast<std::size_t>(layer)].number, layer);
        QCOMPARE(layout.blocks[0].columns.front().number, 0);
        QCOMPARE(layout.blocks[0].columns.back().number, 7);
    }

    void twelveLayersOfSixteenHeadsAreLargeEnoughToSee() {
        const auto layout = layOutTiles(model(12, 16, {1150, 660}));
        QVERIFY(std::min(layout.side.width(), layout.side.height()) >= 18);
    }

    void whereThereIsHardlyAnyRoomNothingGoesWrong() {
        for (const QSize size : {QSize(0, 0), QSize(40, 900), QSize(200, 160)})
            QCOMPARE(layOutTiles(model(12, 16, size)).tiles.size(), std::size_t(576));
        QVERIFY(layOutTiles({.available = {400, 400}}).isEmpty());
    }

    void groupsFollowEachOtherAndThoseThatAreAloneStandApart() {
        const auto input = grouped({5, 3, 2}, 6, {400, 400});
        const auto layout = layOutTiles(input);
        verifyNothingOverlapsOrLeaves(layout, input);
        const auto& clusters = layout.blocks.front().clusters;
        QCOMPARE(clusters.size(), std::size_t(4));
        constexpr int frame = 3; // around the selected picture
        for (const auto& cluster : clusters) {
            QVERIFY(cluster.caption.isValid() && !layout.tileAt(cluster.caption.center()));
            for (const auto& tile : layout.tiles)
                QVERIFY(!tile.picture.adjusted(-frame, -frame, frame, frame).intersects(cluster.caption));
        }
        const int last = layout.tiles[9].line;
        QVERIFY(layout.tiles[10].line > last);
    }

    void aGroupIsTornApartOnlyWhereNoLineHoldsIt() {
        const auto layout = layOutTiles(grouped({40, 3, 3, 3, 3, 3, 3}, 0, {300, 300}));
        const auto& clusters = layout.blocks.front().clusters;
        QVERIFY(clusters.front().parts.size() > 1);
        for (std::size_t i = 1; i < clusters.size(); ++i)
            QCOMPARE(clusters[i].parts.size(), std::size_t(1));
    }

    void aFootStandsUnderEveryPictureAndBelowNothingElse() {
        const auto layout = layOutTiles(list(2, 2, {300, 300}));
        for (const auto& tile : tests::some(layout.tiles)) {
            QCOMPARE(tile.foot.height(), 12);
            QCOMPARE(tile.foot.top(), tile.picture.bottom() + 1);
            for (const auto& other : layout.tiles)
                QVERIFY(!tile.foot.intersects(other.picture));
        }
    }

    void aListHasTheColumnsThatGiveTheLargestPictures() {
        const auto area = [](const TileLayout& layout) { return layout.side.width() * layout.side.height(); };
        for (const QSize room : {QSize(460, 600), QSize(900, 300), QSize(300, 900), QSize(200, 200)}) {
            auto input = list(3, 8, room);
            const auto layout = layOutTiles(input);
            verifyNothingOverlapsOrLeaves(layout, input);
            input.choosesColumns = false;
            for (int columns = 1; columns <= 24; ++columns) {
                input.blocks.front().columns = columns;
                const auto other = layOutTiles(input);
                if (other.right <= room.width() - tileMargin && other.gap == layout.gap &&
                    other.bottom + input.words <= room.height() - tileMargin)
                    QVERIFY(area(layout) >= area(other));
            }
        }
    }

    void picturesThatWouldBeTooSmallToReadMakeTheLayoutHigher() {
        for (const bool isList : {true, false}) {
            auto input = list(12, isList ? 16 : 6, {460, 300});
            input.sides.readable = 56;
            input.choosesColumns = isList;
            input.blocks.front().columns = isList ? 0 : 6;
            const auto layout = layOutTiles(input);
            QCOMPARE(layout.side, QSize(56, 56));
            QVERIFY(layout.bottom > 300);
            QVERIFY(layout.right <= 460);
        }
    }

    void arrowsGoToTheNextPictureAlsoOfAnotherKind() {
        const auto layout = layOutTiles(model(3, 8, {1800, 300}));
        const HeadAddress from{{AttentionKind::EncoderSelf, 1}, 6};
        QVERIFY(neighbourOf(layout, from, Direction::Right) == (HeadAddress{from.site, 7}));
        QVERIFY(neighbourOf(layout, from, Direction::Up) ==
                (HeadAddress{{AttentionKind::EncoderSelf, 0}, 6}));
        QVERIFY(neighbourOf(layout, {from.site, 7}, Direction::Right) ==
                (HeadAddress{{AttentionKind::DecoderSelf, 1}, 0}));
        QVERIFY(!neighbourOf(layout, {{AttentionKind::Cross, 2}, 7}, Direction::Right));
        QVERIFY(!neighbourOf(layout, {{AttentionKind::Cross, 2}, 7}, Direction::Down));
        QVERIFY(!neighbourOf(layout, {{AttentionKind::Cross, 9}, 0}, Direction::Left));
        QVERIFY(endOfLine(layout, from, true) == (HeadAddress{from.site, 7}));
        QVERIFY(endOfLine(layout, from, false) == (HeadAddress{from.site, 0}));
        const auto tall = layOutTiles(model(3, 8, {420, 900}));
        QVERIFY(neighbourOf(tall, {{AttentionKind::EncoderSelf, 2}, 4}, Direction::Down) ==
                (HeadAddress{{AttentionKind::DecoderSelf, 0}, 4}));
    }
};

HEADSCOPE_TEST(TileLayoutTest)
#include "tile_layout_test.moc"
