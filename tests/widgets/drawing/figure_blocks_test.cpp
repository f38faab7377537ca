#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/figure_blocks.h"

using namespace headscope::widgets;

class FigureBlocksTest : public QObject {
    Q_OBJECT

    static std::pair<double, double> heightsOfStillAndGrowing(double height) {
        std::pair<double, double> heights;
        const auto block = [](double natural, bool grows, double& drawn) {
            return FigureBlock{.size = [=](double width) { return QSizeF(width, natural); },
                               .draw = [&drawn](auto&, const QRectF& area, auto&) { drawn = area.height(); },
                               .grows = grows};
        };
        QPainter none;
        stacked({block(100, false, heights.first), block(300, true, heights.second)})
            .draw(none, QRectF(0, 0, 200, height + 12), lightTheme());
        return heights;
    }

  private Q_SLOTS:
    void allShareALowPageAndWhatGrowsAHighOne() {
        QCOMPARE(heightsOfStillAndGrowing(200), std::pair(50.0, 150.0));
        QCOMPARE(heightsOfStillAndGrowing(700), std::pair(100.0, 600.0));
    }
};

HEADSCOPE_WATCHED_TEST(FigureBlocksTest)
#include "figure_blocks_test.moc"
