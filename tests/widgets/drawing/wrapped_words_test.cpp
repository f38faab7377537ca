#include "tests/watched_test.h"
#include "widgets/drawing/wrapped_words.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace headscope::widgets;

class WrappedWordsTest : public QObject {
    Q_OBJECT

    static QImage drawn(const QString& words, const QRectF& area) {
        QImage image(320, 80, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setPen(Qt::black);
        drawWrapped(painter, area, words);
        return image;
    }

    static int lowestInk(const QImage& image) {
        for (int y = image.height() - 1; y >= 0; --y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).lightness() < 128)
                    return y;
        return -1;
    }

  private Q_SLOTS:
    void descendersAreNotCutBesideASignOfAnotherFont() {
        const double line = QFontMetricsF(QFont()).height();
        const int plain = lowestInk(drawn("gjpqy", QRectF(0, 8, 320, 2 * line)));
        for (const double top : {8.0, 8.3, 8.49}) // also between two pixels
            QVERIFY(std::abs(lowestInk(drawn(QString::fromUtf8("\u26A0 gjpqy"), QRectF(0, top, 320, line))) -
                             plain) <= 1);
    }

    void whatHasNoRoomEndsInDots() {
        const double line = QFontMetricsF(QFont()).height();
        const QString words = QString("words ").repeated(40);
        const QImage one = drawn(words, QRectF(0, 0, 320, line));
        QVERIFY(lowestInk(one) <= line);
        QVERIFY(drawn(words, QRectF(0, 0, 320, 2 * line)) != one);
    }
};

HEADSCOPE_WATCHED_TEST(WrappedWordsTest)
#include "wrapped_words_test.moc"
