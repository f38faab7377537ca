#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
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
        bar.setPosition(4, 11);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "5/11");
        QCOMPARE(bar.step(), 4);
        QCOMPARE(bar.steps(), 11);
    }

    void settingThePositionEmitsNothing() {
        DecodeBar bar;
        const QSignalSpy requested(&bar, &DecodeBar::stepRequested);
        bar.setPosition(4, 11);
        bar.setPosition(2, 3);
        QCOMPARE(requested.size(), 0);
    }

    void theSliderAsksForAStep() {
        DecodeBar bar;
        bar.setPosition(4, 11);
        const QSignalSpy requested(&bar, &DecodeBar::stepRequested);
        QTest::keyClick(bar.findChild<QSlider*>(), Qt::Key_Right);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested.front().front().toInt(), 5);
        QCOMPARE(bar.findChild<QLabel*>()->text(), "6/11");
    }

    void withoutStepsTheSliderSaysWhy() {
        DecodeBar bar;
        const auto* slider = bar.findChild<QSlider*>();
        QVERIFY(!slider->isEnabled());
        QVERIFY(!slider->toolTip().isEmpty());
        QCOMPARE(bar.findChild<QLabel*>()->text(), "0/0");
    }

    void buttonsDoWhatTheirActionsDo() {
        DecodeBar bar;
        QAction toStart("To the &start"), back("Back"), forward("Forward"), toEnd("To the end"), stop("Stop");
        bar.setActions({&toStart, &back, &forward, &toEnd, &stop});
        const auto buttons = bar.findChildren<QToolButton*>();
        QCOMPARE(buttons.size(), 5);
        QCOMPARE(buttons.front()->accessibleName(), "To the start");
        const QSignalSpy triggered(&forward, &QAction::triggered);
        QTest::mouseClick(buttons[2], Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
    }
};

HEADSCOPE_WATCHED_TEST(DecodeBarTest)
#include "decode_bar_test.moc"
