#include <QScrollBar>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/tall_area.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/mask_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class MaskViewLayoutTest : public QObject {
    Q_OBJECT

    static std::shared_ptr<const trace::Run> withPaddedTarget() {
        auto run = example::run();
        run->target.back().role = trace::TokenRole::Padding;
        return run;
    }

  private Q_SLOTS:
    void withLargeTextMapsScrollInsteadOfShrinking() {
        Selection selection;
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        MaskView view(&selection);
        QFont font = view.font();
        font.setPointSize(24);
        view.setFont(font);
        view.setRun(withPaddedTarget());
        view.resize(1000, 480);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (const auto page : {MaskView::Page::Why, MaskView::Page::Effect}) {
            view.setPage(page);
            QCoreApplication::processEvents();
            auto* maps = qobject_cast<LinkedMaps*>(view.focusProxy());
            for (std::size_t map = 0; map < maps->maps().size(); ++map) {
                const QSizeF cell = maps->cellRect(map, {0, 0}).size();
                QVERIFY2(cell.width() >= 4 && cell.height() >= 4,
                         qPrintable(QString("%1 x %2").arg(cell.width()).arg(cell.height())));
            }
            auto* bar = view.findChild<TallArea*>()->verticalScrollBar();
            QVERIFY(bar->maximum() > 0);
            bar->setValue(0);
            QTest::keyClick(maps, Qt::Key_End, Qt::ControlModifier);
            const QRect cell = maps->cellArea(*maps->cursorCell());
            QVERIFY(maps->visibleRegion().contains(cell)); // the keyboard scrolls the cell into view
        }
    }

    void whatClosesNothingLeavesItsRoomToTheOthersWhoseCellsAreNearlySquare() {
        Selection selection;
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        MaskView view(&selection);
        view.resize(600, 560);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto cellOf = [&](std::size_t map) {
            return qobject_cast<LinkedMaps*>(view.focusProxy())->cellRect(map, {0, 0}).size();
        };
        view.setRun(withPaddedTarget());
        const double beside = cellOf(0).width();
        QVERIFY(!qobject_cast<LinkedMaps*>(view.focusProxy())->maps()[1].values.empty());
        view.setRun(example::run());
        const auto& maps = qobject_cast<LinkedMaps*>(view.focusProxy())->maps();
        QVERIFY(maps[1].values.empty() && maps[1].words.contains("no token of the target is padding"));
        const QSizeF cell = cellOf(2);
        QVERIFY2(cell.width() > 1.3 * beside, qPrintable(QString("%1 > %2").arg(cell.width()).arg(beside)));
        QVERIFY2(cell.height() <= 1.4 * cell.width() && cell.width() <= 1.4 * cell.height(),
                 qPrintable(QString("%1 x %2").arg(cell.width()).arg(cell.height())));
    }

    void withUsualTextNothingScrolls() {
        Selection selection;
        selection.setHead({{AttentionKind::DecoderSelf, 1}, 2});
        MaskView view(&selection);
        view.setRun(example::run());
        view.resize(1000, 560);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCOMPARE(view.findChild<TallArea*>()->verticalScrollBar()->maximum(), 0);
    }
};

HEADSCOPE_WATCHED_TEST(MaskViewLayoutTest)
#include "mask_view_layout_test.moc"
