#include <QPainter>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"

using namespace headscope;
using namespace headscope::widgets;

class ColourBarTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyTickHasItsNumberInTheRoomThatIsKept() {
        const QFont font;
        const QRectF plot(20, 30, 100, 400);
        for (const auto& scale : {ColourScale::sequential(0, 1, ColourMapping::Linear, false),
                                  ColourScale::sequential(0, 0.05, ColourMapping::Linear, false),
                                  ColourScale::diverging(3, false)}) {
            gallery::DrawnWords page({300, 460});
            QPainter painter(&page);
            drawColourBar(painter, plot, scale, font, lightTheme());
            painter.end();
            QStringList expected, drawn;
            for (const auto& tick : scale.ticks(6))
                expected += tick.text;
            for (const auto& word : page.words()) {
                drawn += word.text;
                QVERIFY(word.shape.boundingRect().left() > plot.right());
                QVERIFY(word.shape.boundingRect().right() <= plot.right() + colourBarWidth(scale, font));
            }
            QVERIFY(expected.size() > 1);
            QCOMPARE(drawn, expected);
        }
    }
};

HEADSCOPE_WATCHED_TEST(ColourBarTest)
#include "colour_bar_test.moc"
