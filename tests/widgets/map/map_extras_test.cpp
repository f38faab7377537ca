#include <QApplication>
#include <QPainter>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_extras.h"

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace headscope;
using namespace headscope::widgets;

class MapExtrasTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aNumberInACellNeverStatesAFalseZero() {
        QCOMPARE(cellNumber(0, 2), "0");
        QCOMPARE(cellNumber(-0.0f, 2), "0");
        QCOMPARE(cellNumber(0.004f, 2), "<.01");
        QCOMPARE(cellNumber(-0.004f, 2), ">\u2212.01");
        QCOMPARE(cellNumber(1e-30f, 6), "<.000001");
        QCOMPARE(cellNumber(0.006f, 2), "0.01");
        QCOMPARE(cellNumber(-0.25f, 2), "\u22120.25");
        QCOMPARE(cellNumber(0.3f, 0), "<1");
        QCOMPARE(cellNumber(12.0f, 0), "12");
    }

    void theNumbersThatMustFitAreThoseOfTheCellsThatAreSeen_data() {
        QTest::addColumn<QRectF>("window");
        QTest::addColumn<std::vector<int>>("rows");
        QTest::addColumn<std::vector<int>>("columns");
        using Cells = std::vector<int>;
        QTest::newRow("all") << QRectF(0, 0, 5, 8) << Cells{0, 1, 2, 3, 4, 5, 6, 7} << Cells{0, 1, 2, 3, 4};
        QTest::newRow("whole cells") << QRectF(1, 2, 3, 4) << Cells{2, 3, 4, 5} << Cells{1, 2, 3};
        QTest::newRow("cut cells") << QRectF(1.4, 2.4, 2, 3) << Cells{2, 3, 4, 5} << Cells{1, 2, 3};
        QTest::newRow("the end") << QRectF(2.5, 5.5, 2.5, 2.5) << Cells{5, 6, 7} << Cells{2, 3, 4};
    }

    /// A number that is far too wide is put into one cell after the other.
    void theNumbersThatMustFitAreThoseOfTheCellsThatAreSeen() {
        QFETCH(QRectF, window);
        QFETCH(std::vector<int>, rows);
        QFETCH(std::vector<int>, columns);
        ShownMap shown;
        shown.mask = trace::MaskMatrix(8, 5, 1);
        MapLayout layout({.area = {0, 0, 180, 800}, .rows = 8, .columns = 5});
        layout.show(window);
        std::vector<int> rowsSeen, columnsSeen;
        for (int row = 0; row < 8; ++row)
            for (int column = 0; column < 5; ++column) {
                shown.values = trace::Matrix(8, 5);
                shown.values(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) = 1e30F;
                if (cellNumbersFit(shown, layout, QFont()))
                    continue;
                if (rowsSeen.empty() || rowsSeen.back() != row)
                    rowsSeen.push_back(row);
                if (std::ranges::find(columnsSeen, column) == columnsSeen.end())
                    columnsSeen.push_back(column);
            }
        QCOMPARE(rowsSeen, rows);
        QCOMPARE(columnsSeen, columns);
    }

    void keysThatACausalMaskWouldHideAreFramed_data() {
        QTest::addColumn<bool>("transposed");
        QTest::newRow("keys across") << false;
        QTest::newRow("keys down") << true;
    }
    void keysThatACausalMaskWouldHideAreFramed() {
        QFETCH(const bool, transposed);
        ShownMap shown{.kind = trace::AttentionKind::DecoderSelf, .transposed = transposed};
        shown.mask = trace::MaskMatrix(4, 4, 1);
        for (std::size_t token = 0; token < 4; ++token)
            shown.keys.spans.push_back({token, token + 1});
        shown.queries.spans = shown.keys.spans;
        QVERIFY(isWithoutCausalMask(shown));
        const MapLayout layout({.area = {0, 0, 200, 200}, .rows = 4, .columns = 4});
        const auto& theme = themeOf(QPalette());
        QImage image(200, 200, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        drawKeysAhead(painter, shown, layout, theme);
        painter.end();
        const auto isLine = [&](int query, int key) { // before this key
            const QRectF cell = transposed ? layout.cellRect(key, query) : layout.cellRect(query, key);
            const QPointF edge =
                transposed ? QPointF(cell.center().x(), cell.top()) : QPointF(cell.left(), cell.center().y());
            return image.pixelColor(edge.toPoint()) == theme.unsure;
        };
        for (int query = 0; query < 3; ++query)
            for (int key = 1; key < 4; ++key)
                QCOMPARE(isLine(query, key), key == query + 1);
        shown.mask(transposed ? 3 : 0, transposed ? 0 : 3) = 0;
        QVERIFY(!isWithoutCausalMask(shown));
    }
};

HEADSCOPE_TEST_IN(QApplication, MapExtrasTest)
#include "map_extras_test.moc"
