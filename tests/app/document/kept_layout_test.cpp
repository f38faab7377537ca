#include <QSplitter>
#include <QTest>

#include "app/document/kept_layout.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::KeptLayout;

class KeptLayoutTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatMovesASplitByItselfIsPutRightUntilAPersonTouchesIt() {
        QWidget window;
        window.resize(600, 300);
        auto* halves = new QSplitter(&window);
        halves->resize(600, 300);
        for (int i = 0; i < 2; ++i)
            halves->addWidget(new QWidget);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto moveTo = [&](int width) { halves->setSizes({width, 600 - width}); };
        const auto left = [&] { return halves->widget(0)->width(); };
        KeptLayout layout(&window);
        moveTo(220);
        const int own = left();
        layout.keep(layout.places());
        moveTo(130);
        QVERIFY(left() < own);
        QTRY_COMPARE(left(), own);
        QTest::keyClick(&window, Qt::Key_A);
        moveTo(130);
        QTest::qWait(50);
        QVERIFY(left() < own);
    }
};

HEADSCOPE_WATCHED_TEST(KeptLayoutTest)
#include "kept_layout_test.moc"
