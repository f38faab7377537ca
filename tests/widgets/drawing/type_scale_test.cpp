#include <QApplication>
#include <QLabel>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/type_scale.h"

using namespace headscope::widgets;

class TypeScaleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void rolesAreRelativeToTheBody() {
        QFont body;
        for (const double points : {8.0, 10.0, 14.0}) {
            body.setPointSizeF(points);
            QCOMPARE(fontOf(TextRole::Display, body).pointSizeF(), 2 * points);
            QCOMPARE(fontOf(TextRole::Title, body).pointSizeF(), 1.25 * points);
            QCOMPARE(fontOf(TextRole::Body, body), body);
            QVERIFY(fontOf(TextRole::Section, body).bold() && !fontOf(TextRole::Caption, body).bold());
            QVERIFY(fontOf(TextRole::Caption, body).pointSizeF() >= 8);
        }
    }

    void allTextsFollowTheChosenSize() {
        const QFont usual = QApplication::font();
        QLabel title;
        setTextRole(&title, TextRole::Title);
        setTextSize(150);
        QCOMPARE(QApplication::font().pointSizeF(), 1.5 * usual.pointSizeF());
        QCOMPARE(title.font().pointSizeF(), 1.5 * 1.25 * usual.pointSizeF());
        setTextSize(100);
        QCOMPARE(QApplication::font().pointSizeF(), usual.pointSizeF());
        QCOMPARE(title.font().pointSizeF(), 1.25 * usual.pointSizeF());
    }
};

HEADSCOPE_WATCHED_TEST(TypeScaleTest)
#include "type_scale_test.moc"
