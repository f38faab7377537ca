#include <QApplication>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_compare.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_positions.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/number_map.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"

#include <functional>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

/// The colours of cells, exactly: text differs from machine to machine, these may not. One pixel a cell
/// stands in tests/gallery/images; HEADSCOPE_RECORD=1 writes them anew, for a person to look at before they
/// are kept.
class ImageBuffersTest : public QObject {
    Q_OBJECT

    static constexpr QRgb hatched = 0xffff00ff; ///< stands for cells that are closed

    /// The colour of a cell above its middle, where no mark lies and no minus; hatched where it is not of one
    /// colour.
    static QRgb colourOf(const QImage& image, const QRectF& cell) {
        const qreal ratio = image.devicePixelRatio();
        const QRect middle =
            QRectF(QPointF(cell.center().x() - 4, cell.center().y() - cell.height() / 4 - 4) * ratio,
                   QSizeF(8, 8) * ratio)
                .toRect();
        const QRgb first = image.pixel(middle.topLeft());
        for (int y = middle.top(); y <= middle.bottom(); ++y)
            for (int x = middle.left(); x <= middle.right(); ++x)
                if (image.pixel(x, y) != first)
                    return hatched;
        return first;
    }

    /// `size` in cells.
    static QImage cellsOf(QWidget& view, QSize size, const std::function<QRectF(MapCell)>& cellRect) {
        const QImage image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QImage cells(size, QImage::Format_RGB32);
        for (int row = 0; row < cells.height(); ++row)
            for (int column = 0; column < cells.width(); ++column)
                cells.setPixel(column, row, colourOf(image, cellRect({row, column})));
        return cells;
    }

    static void compareWithRecorded(const QImage& image, const QString& name) {
        const QString path = QString(HEADSCOPE_SOURCE "/tests/gallery/images/%1.png").arg(name);
        if (qEnvironmentVariableIsSet("HEADSCOPE_RECORD"))
            QVERIFY(image.save(path));
        const QImage recorded = QImage(path).convertToFormat(image.format());
        QVERIFY2(!recorded.isNull(), qPrintable("there is no " + path));
        QCOMPARE(image, recorded);
    }

    /// The options a person can choose, one by one.
    static QList<std::pair<QString, MapOptions>> options() {
        QList<std::pair<QString, MapOptions>> all;
        for (const Quantity quantity : allQuantities)
            all.append(
                {quantityName(quantity).replace(' ', '-').replace(QChar(0xd7), 'x'), {.quantity = quantity}});
        all.append({"log", {.mapping = ColourMapping::Logarithmic}});
        all.append({"rank", {.mapping = ColourMapping::Rank}});
        all.append({"per-row", {.colourPerRow = true}});
        all.append({"transposed", {.transposed = true}});
        all.append({"words", {.withoutSpecial = true, .words = true}});
        return all;
    }

    static std::shared_ptr<const trace::QuantityMaps> mapsFor(const trace::Run& run, Quantity quantity,
                                                              const trace::AttentionSite& site) {
        const auto computed = computedFor(quantity);
        if (!computed)
            return nullptr;
        if (*computed == trace::MapQuantity::NormWeighted)
            return example::normWeighted(run, site);
        if (*computed == trace::MapQuantity::GradientAttention)
            return example::gradient(run, site, 5);
        return example::shares(run, *computed, site);
    }

  private Q_SLOTS:
    void cellsHaveTheColoursThatWereRecorded_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("dark");
        const auto all = options();
        for (int i = 0; i < all.size(); ++i)
            for (const auto kind : {AttentionKind::DecoderSelf, AttentionKind::Cross})
                for (const bool dark : {false, true})
                    QTest::addRow("%s-%s-%s", qPrintable(all[i].first),
                                  kind == AttentionKind::Cross ? "cross" : "decoder", dark ? "dark" : "light")
                        << i << static_cast<int>(kind) << dark;
    }

    void cellsHaveTheColoursThatWereRecorded() {
        QFETCH(int, choice);
        QFETCH(int, kind);
        QFETCH(bool, dark);
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        const auto run = example::run({.sourcePadding = 1});
        const trace::AttentionSite site{static_cast<AttentionKind>(kind), 1};
        const MapOptions chosen = options()[choice].second;
        Selection selection;
        selection.setHead({site, 5});
        HeatmapView view(&selection);
        view.setRun(run);
        view.setOptions(chosen);
        if (const auto maps = mapsFor(*run, chosen.quantity, site))
            view.setMaps(maps);
        view.resize(1000, 900);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const MapLayout& layout = view.mapLayout();
        compareWithRecorded(cellsOf(view, layout.window().size().toSize(),
                                    [&](MapCell cell) { return layout.cellRect(cell.row, cell.column); }),
                            QTest::currentDataTag());
    }

    void differencesHaveTheColoursThatWereRecorded_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("dark");
        for (const auto kind : {AttentionKind::DecoderSelf, AttentionKind::Cross})
            for (const bool dark : {false, true})
                QTest::addRow("difference-%s-%s", kind == AttentionKind::Cross ? "cross" : "decoder",
                              dark ? "dark" : "light")
                    << static_cast<int>(kind) << dark;
    }

    void differencesHaveTheColoursThatWereRecorded() {
        QFETCH(int, kind);
        QFETCH(bool, dark);
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        const auto run = example::run();
        const ComparedPair pair{.first = run, .second = example::edited(*run)};
        Selection selection;
        selection.setHead({{static_cast<AttentionKind>(kind), 1}, 5});
        CompareView view(&selection);
        example::give(view, example::compared(pair, selection.head()));
        view.resize(1500, 1000);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* maps = view.findChild<LinkedMaps*>();
        const trace::Matrix& values = maps->maps().back().values;
        const QSize size(static_cast<int>(values.columns()), static_cast<int>(values.rows()));
        compareWithRecorded(cellsOf(*maps, size, [=](MapCell cell) { return maps->cellRect(2, cell); }),
                            QTest::currentDataTag());
    }

    void masksHaveTheColoursThatWereRecorded_data() {
        QTest::addColumn<bool>("effect");
        QTest::addColumn<bool>("dark");
        for (const bool effect : {false, true})
            for (const bool dark : {false, true})
                QTest::addRow("masks-%s-%s", effect ? "effect" : "why", dark ? "dark" : "light")
                    << effect << dark;
    }

    void masksHaveTheColoursThatWereRecorded() {
        QFETCH(bool, effect);
        QFETCH(bool, dark);
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        Selection selection;
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 5});
        MaskView view(&selection);
        const auto run = example::run({.sourcePadding = 1});
        if (!effect) // a mask that closes nothing has no picture
            run->target.back().role = trace::TokenRole::Padding;
        view.setRun(run);
        view.setPage(effect ? MaskView::Page::Effect : MaskView::Page::Why);
        view.resize(2000, 1500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (auto* maps : view.findChildren<LinkedMaps*>())
            if (maps->isVisible() && !maps->isEmpty())
                for (std::size_t map = 0; map < maps->maps().size(); ++map) {
                    const trace::Matrix& values = maps->maps()[map].values;
                    const QSize size(static_cast<int>(values.columns()), static_cast<int>(values.rows()));
                    compareWithRecorded(
                        cellsOf(*maps, size, [=](MapCell cell) { return maps->cellRect(map, cell); }),
                        QString("%1-%2").arg(QTest::currentDataTag()).arg(map + 1));
                }
    }

    void positionsHaveTheColoursThatWereRecorded_data() {
        QTest::addColumn<int>("page");
        QTest::addColumn<bool>("dark");
        using Page = PositionalEncodingView::Page;
        for (const auto& [name, page] :
             {std::pair("table", Page::Table), std::pair("similarity", Page::Similarity),
              std::pair("terms", Page::Scores)})
            for (const bool dark : {false, true})
                QTest::addRow("positions-%s-%s", name, dark ? "dark" : "light")
                    << static_cast<int>(page) << dark;
    }

    void positionsHaveTheColoursThatWereRecorded() {
        QFETCH(int, page);
        QFETCH(bool, dark);
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        Selection selection;
        selection.setHead({{AttentionKind::EncoderSelf, 0}, 5});
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setPage(static_cast<PositionalEncodingView::Page>(page));
        view.setPositionsShown(12);
        if (view.page() == PositionalEncodingView::Page::Scores)
            example::give(view, example::positionAnswer(view, run));
        view.scoreTerms()->setAllTermsShown(true);
        view.resize(7200, 3000); // nine maps in a row of one card
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (auto* map : view.findChildren<NumberMap*>())
            if (map->isVisible())
                compareWithRecorded(cellsOf(*map, {map->columnCount(), map->rowCount()},
                                            [=](MapCell cell) { return QRectF(map->cellArea(cell)); }),
                                    QTest::currentDataTag());
        auto* terms = view.findChild<ScoreTermMaps*>();
        for (std::size_t map = 0; terms->isVisible() && map < terms->mapCount(); ++map)
            compareWithRecorded(cellsOf(*terms, {terms->columnCount(), terms->rowCount()},
                                        [=](MapCell cell) { return terms->cellRect(map, cell); }),
                                QString("%1-%2").arg(QTest::currentDataTag()).arg(map + 1));
    }

    void smallMapsHaveThePixelsThatWereRecorded_data() {
        QTest::addColumn<int>("repeats");
        QTest::addColumn<bool>("dark");
        for (const int repeats : {1, 12})
            for (const bool dark : {false, true})
                QTest::addRow("thumbnail-%d-%s", repeats, dark ? "dark" : "light") << repeats << dark;
    }

    void smallMapsHaveThePixelsThatWereRecorded() {
        QFETCH(int, repeats);
        QFETCH(bool, dark);
        const auto run = example::run({.repeats = repeats, .sourcePadding = 2});
        const ThumbnailLook look{.side = {64, 64}, .theme = dark ? &darkTheme() : &lightTheme()};
        const QImage image = headThumbnail(*run, {{AttentionKind::DecoderSelf, 1}, 3}, look).toImage();
        compareWithRecorded(image.convertToFormat(QImage::Format_RGB32), QTest::currentDataTag());
    }
};

HEADSCOPE_WATCHED_TEST(ImageBuffersTest)
#include "image_buffers_test.moc"
