#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_picture.h"

#include <set>

using namespace headscope;
using namespace headscope::widgets;

class MapPictureTest : public QObject {
    Q_OBJECT

    static constexpr std::size_t side = 13;

    /// How wide the ground is between one cell and the next along a line through the middle of a row.
    static std::multiset<int> gapsAcross(const QImage& image, int y) {
        std::multiset<int> gaps;
        int gap = 0;
        bool inMap = false;
        for (int x = 0; x < image.width(); ++x) {
            const bool cell = image.pixelColor(x, y).blue() > image.pixelColor(x, y).red() + 20;
            if (cell && inMap && gap > 0)
                gaps.insert(gap);
            inMap = inMap || cell;
            gap = cell ? 0 : gap + 1;
        }
        return gaps;
    }

  private Q_SLOTS:
    void allNeighboursAreSetApartByTheSameHairOrNone_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 0.9, 1.25, 1.37, 2.0})
            QTest::addRow("%g", scale) << scale;
    }

    /// Cells rounded to pixels are not all of one size, and a picture is drawn at any scale.
    void allNeighboursAreSetApartByTheSameHairOrNone() {
        QFETCH(double, scale);
        trace::Matrix values(side, side);
        for (auto& value : values.values())
            value = 1;
        const MapPicture picture{.values = trace::view(values),
                                 .scale = ColourScale::sequential(0, 1.8, ColourMapping::Linear, false),
                                 .rowLabels = {},
                                 .columnLabels = {}};
        for (int left = 0; left < 12; ++left) {
            const double width = 11.0 * side + 3 * left;
            const MapLayout layout({.area = QRectF(20 + left, 20, width, width),
                                    .rows = int(side),
                                    .columns = int(side),
                                    .rowLabelWidths = {},
                                    .columnLabelWidths = {}});
            QImage image(QSizeF(scale * 300, scale * 300).toSize(), QImage::Format_RGB32);
            image.fill(Qt::white);
            {
                QPainter painter(&image);
                painter.scale(scale, scale);
                drawMapCells(painter, picture, layout, lightTheme());
            }
            const auto gaps = gapsAcross(image, int(scale * layout.cellRect(6, 0).center().y()));
            QVERIFY2(gaps.empty() || (gaps.size() == side - 1 && *gaps.begin() == *gaps.rbegin()),
                     qPrintable(QString("%1 cells apart").arg(gaps.size())));
        }
    }
};

HEADSCOPE_WATCHED_TEST(MapPictureTest)
#include "map_picture_test.moc"
