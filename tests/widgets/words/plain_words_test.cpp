#include <QApplication>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/plain_words.h"

using namespace headscope::widgets;

class PlainWordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup() { QApplication::setLayoutDirection(Qt::LeftToRight); }

    void aMinusIsARealOne() {
        QCOMPARE(shownNumber("-1.5"), "\u22121.5");
        QCOMPARE(numberText(-1.5), "\u22121.5000");
        QCOMPARE(shareText(0.751), "75.1 %");
    }
    void signsStayWithTheirNumbersFromRightToLeft() {
        QApplication::setLayoutDirection(Qt::RightToLeft);
        QCOMPARE(shownNumber("-1.5"), isolated("\u22121.5"));
        QCOMPARE(shareText(0.751), isolated("75.1 %"));
        QCOMPARE(shortSignedText(2), isolated("+2.00"));
        QCOMPARE(numberText(1.5), "1.5000");
        QCOMPARE(withoutIsolation(numberText(-1.5)), "\u22121.5000"); // in files
    }
};

HEADSCOPE_TEST_IN(QApplication, PlainWordsTest)
#include "plain_words_test.moc"
