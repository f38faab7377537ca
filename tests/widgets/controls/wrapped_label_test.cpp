#include <QImage>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/controls/wrapped_label.h"

using namespace headscope::widgets;

class WrappedLabelTest : public QObject {
    Q_OBJECT

    static bool hasInk(const QImage& image, int fromRow, int toRow) {
        const QRgb ground = image.pixel(image.width() - 1, image.height() - 1);
        for (int y = fromRow; y < toRow; ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) != ground)
                    return true;
        return false;
    }

  private Q_SLOTS:
    void withEnoughRoomItIsAnyLabel() {
        WrappedLabel label;
        QLabel usual;
        for (QLabel* each : std::initializer_list<QLabel*>{&label, &usual}) {
            each->setWordWrap(true);
            each->setText("Weights, each row sums to 1, of a head that looks at one word alone.");
            each->resize(160, 200);
        }
        QVERIFY(!label.isCut());
        QCOMPARE(label.grab().toImage(), usual.grab().toImage());
    }

    void noLineIsCutThrough() {
        WrappedLabel label;
        label.setText("Weights, each row sums to 1, of a head that looks at one word alone.");
        const int line = label.fontMetrics().height();
        label.resize(160, 2 * line + line / 2);
        QVERIFY(label.isCut());
        const QImage image = label.grab().toImage();
        QVERIFY(hasInk(image, line, 2 * line));
        QVERIFY(!hasInk(image, 2 * line + 1, image.height()));
    }

    void textThatCanBeSelectedIsPaintedOnce() {
        class Counted : public WrappedLabel {
          public:
            int paints = 0;

          protected:
            void paintEvent(QPaintEvent* event) override {
                ++paints;
                WrappedLabel::paintEvent(event);
            }
        } label;
        label.setTextInteractionFlags(Qt::TextSelectableByMouse);
        label.setContentsMargins(5, 3, 5, 3);
        label.setText(
            QString("Weights, each row sums to 1, of a head that looks at one word alone.\n").repeated(8));
        for (const int height : {900, 60}) {
            label.resize(233, height);
            label.show();
            QVERIFY(QTest::qWaitForWindowExposed(&label));
            QTest::qWait(50);
            label.paints = 0;
            for (int turn = 0; turn < 20; ++turn)
                QTest::qWait(5);
            QCOMPARE(label.paints, 0);
        }
    }

    void markupIsText() {
        WrappedLabel label;
        label.setText("<b>bold</b>");
        QCOMPARE(label.textFormat(), Qt::PlainText);
    }
};

HEADSCOPE_WATCHED_TEST(WrappedLabelTest)
#include "wrapped_label_test.moc"
