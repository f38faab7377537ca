#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/watched_test.h"
#include "widgets/controls/decode_bar.h"

using namespace headscope::widgets;

class DecodeBarTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void thePositionCountsFromOne() {
        DecodeBar bar;
        QCOMPARE(bar.findChild<QLabel*>()->text(), "step 0 of 0");
        bar.setPosition(4, 11);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "step 5 of 11");
    }

    void thePositionMayBeThatOfAMask() {
        DecodeBar bar;
        bar.setPosition(1, 3);
        bar.setUnit(DecodeBar::Unit::Mask);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "mask 2 of 3");
        bar.setBrief(true);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "2 / 3");
        bar.setBrief(false);
        bar.setUnit(DecodeBar::Unit::Step);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "step 2 of 3");
    }

    void buttonsDoWhatTheirActionsDo() {
        DecodeBar bar;
        QAction toStart("To the &start"), back("Back"), forward("Forward"), toEnd("To the end"), stop("Stop"),
            runTo("Run until");
        bar.setActions({&toStart, &back, &forward, &toEnd, &stop, &runTo});
        const auto buttons = bar.findChildren<QToolButton*>();
        QCOMPARE(buttons.size(), 6);
        QCOMPARE(buttons.front()->accessibleName(), "To the start");
        const QSignalSpy triggered(&forward, &QAction::triggered);
        QTest::mouseClick(buttons[2], Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
    }
};

HEADSCOPE_WATCHED_TEST(DecodeBarTest)
#include "decode_bar_test.moc"
