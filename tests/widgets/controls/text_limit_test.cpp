#include "widgets/controls/text_limit.h"

#include <QLineEdit>
#include <QTest>
#include <QToolTip>

#include "tests/watched_test.h"

using namespace headscope;

class TextLimitTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsCutOffIsSaid() {
        QLineEdit line;
        widgets::limitText(&line, 5);
        line.show();
        line.insert("three");
        QVERIFY(QToolTip::text().isEmpty() && line.accessibleDescription().isEmpty());
        line.insert(" more");
        QCOMPARE(line.text(), "three");
        QVERIFY(QToolTip::text().contains("first 5 characters"));
        QCOMPARE(line.accessibleDescription(), QToolTip::text());
        QTest::keyClick(&line, Qt::Key_Backspace);
        QVERIFY(line.accessibleDescription().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(TextLimitTest)
#include "text_limit_test.moc"
