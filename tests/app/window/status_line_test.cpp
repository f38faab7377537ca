#include <QHelpEvent>
#include <QLabel>
#include <QTest>
#include <QToolTip>

#include "app/window/status_line.h"
#include "tests/watched_test.h"
#include "widgets/words/plain_text.h"

using namespace headscope;
using app::StatusLine;

class StatusLineTest : public QObject {
    Q_OBJECT

    const QString command_ =
        "Copied: headscope-cli render tatoeba-en-de --source='The old man gave his daughter "
        "a red book.' --view=heatmap --head=cross.2.5 --scale=log --out=cross.2.5.png";

    static void pointAt(StatusLine& line) {
        QHelpEvent help(QEvent::ToolTip, {20, 5}, line.mapToGlobal(QPoint(20, 5)));
        QCoreApplication::sendEvent(&line, &help);
    }

  private Q_SLOTS:
    void aMessageThatHasRoomIsSaidInFull() {
        StatusLine line;
        line.resize(3000, 30);
        line.show();
        QVERIFY(QTest::qWaitForWindowExposed(&line));
        line.showMessage(command_);
        QCOMPARE(line.shownMessage(), command_);
        pointAt(line);
        QVERIFY(QToolTip::text().isEmpty());
    }

    void aLongMessageLosesItsMiddleAndSaysAllOfItInItsTooltip() {
        StatusLine line;
        auto* cell = new QLabel("cross.2.5 [a > b] 0.6142");
        line.addPermanentWidget(cell);
        line.resize(600, 30);
        line.show();
        QVERIFY(QTest::qWaitForWindowExposed(&line));
        line.showMessage(command_);
        const QString shown = line.shownMessage();
        QVERIFY2(shown.startsWith("Copied: headscope-cli") && shown.endsWith(".png"), qPrintable(shown));
        QVERIFY(line.fontMetrics().horizontalAdvance(shown) <= cell->x());
        QCOMPARE(line.currentMessage(), command_);
        pointAt(line);
        QCOMPARE(QToolTip::text(), widgets::plainToolTip(command_));
        const QImage before = line.grab().toImage();
        line.showMessage(QString(command_).replace("cross.2.5.png", "other.png"));
        QVERIFY(line.grab().toImage() != before); // its end is drawn
    }
};

HEADSCOPE_WATCHED_TEST(StatusLineTest)
#include "status_line_test.moc"
