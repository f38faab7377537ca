#include <QAction>
#include <QApplication>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

using headscope::app::MainWindow;
using headscope::test::FakeEngine;

class LargeTextTest : public QObject {
    Q_OBJECT

    /// What stands in the way, for whoever mends it.
    static QByteArray largest(const QWidget& window) {
        QStringList all;
        for (const auto* widget : window.findChildren<QWidget*>())
            if (const QSize least = widget->minimumSizeHint(); (least.height() > 100 || least.width() > 300))
                all += QString("%1 %2 %3x%4")
                           .arg(widget->metaObject()->className(), widget->accessibleName())
                           .arg(least.width())
                           .arg(least.height());
        return all.join('\n').toUtf8();
    }

  private Q_SLOTS:
    void theWindowFitsOnALaptopWithLargeText_data() {
        QTest::addColumn<int>("points");
        QTest::addColumn<bool>("allPanels");
        QTest::newRow("24") << 24 << false;
        QTest::newRow("18, all views shown") << 18 << true;
    }
    void theWindowFitsOnALaptopWithLargeText() {
        QFETCH(int, points);
        QFETCH(bool, allPanels);
        const QFont usual = QApplication::font();
        QFont font = usual;
        font.setPointSize(points);
        QApplication::setFont(font);
        FakeEngine::Script script;
        MainWindow window([&] { return std::make_unique<FakeEngine>(script); },
                          {.model = "a-model", .sentence = QString("a sentence")});
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(window.controller()->run() && window.controller()->run()->complete);
        auto* bench = headscope::tests::bench(window);
        QSize least = window.minimumSizeHint();
        for (const auto* view : bench->views())
            if (allPanels) { // a page that is hidden keeps its minimum of before
                bench->show(bench->keyOf(view));
                QTest::qWait(50);
                least = least.expandedTo(window.minimumSizeHint());
            }
        window.resize(1366, 840);
        QTest::qWait(50);
        QApplication::setFont(usual);
        QVERIFY2(least.width() <= 1366 && least.height() <= 840, QByteArray::number(least.width()) + "x" +
                                                                     QByteArray::number(least.height()) +
                                                                     "\n" + largest(window));
    }
};

HEADSCOPE_WATCHED_TEST(LargeTextTest)
#include "large_text_test.moc"
