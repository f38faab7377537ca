#include <QApplication>
#include <QProxyStyle>
#include <QTest>

#include "app/window/frame/slide_over.h"
#include "tests/registered_test.h"

using namespace headscope::app;

/// On a page that is blue, and then red.
class SlideOverTest : public QObject {
    Q_OBJECT

    static void fill(QWidget& page, Qt::GlobalColor colour) {
        page.setAutoFillBackground(true);
        page.setPalette(QPalette(colour));
    }
    static QColor at(QWidget& page, int y) { return page.grab().toImage().pixelColor(50, y); }

  private Q_SLOTS:
    void aPartSlidesInOverWhatWasThere() {
        QWidget page;
        page.resize(100, 100);
        fill(page, Qt::blue);
        page.show();
        SlideOver slide(&page);
        slide.keep();
        fill(page, Qt::red);
        slide.slideIn(QRect(0, 20, 100, 80), 10);
        QVERIFY(slide.isVisible());
        QCOMPARE(at(page, 10), QColor(Qt::red)); // where it does not lie
        QCOMPARE(at(page, 30), QColor(Qt::blue));
        QCOMPARE(at(page, 95), QColor(Qt::red));
        QTRY_VERIFY(!slide.isVisible());
        QCOMPARE(at(page, 30), QColor(Qt::red));
    }
    void nothingMovesWithoutAnimations() {
        struct Still : QProxyStyle {
            int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const override {
                return hint == SH_Widget_Animation_Duration
                           ? 0
                           : QProxyStyle::styleHint(hint, option, widget, more);
            }
        };
        QApplication::setStyle(new Still);
        QWidget page;
        page.resize(100, 100);
        page.show();
        SlideOver slide(&page);
        slide.keep();
        slide.slideIn(QRect(0, 20, 100, 80), 10);
        QVERIFY(!slide.isVisible());
        QApplication::setStyle("Fusion");
    }
};

HEADSCOPE_TEST_IN(QApplication, SlideOverTest)
#include "slide_over_test.moc"
