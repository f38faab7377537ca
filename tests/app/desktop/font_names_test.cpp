#include <QApplication>
#include <QFontDatabase>
#include <QTest>

#include "app/desktop/font_names.h"
#include "tests/registered_test.h"

using namespace headscope;

class FontNamesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsThereIsInstalledByAnyOfItsNames() {
        QVERIFY(app::isInstalled(QApplication::font().family()));
        for (const QString& family : QFontDatabase::families()) {
            QVERIFY2(app::isInstalled(family), qPrintable(family));
            QVERIFY2(app::isInstalled(family.toUpper()), qPrintable(family));
        }
        for (const char* generic : {"Sans", "Sans Serif", "sans-serif", "serif", "Monospace"})
            QVERIFY2(app::isInstalled(generic), generic);
        QVERIFY(!app::isInstalled("No Such Grotesk"));
        QVERIFY(!app::isInstalled({}));
    }

    void theOnesThatAreCalledMostLikeItAreNamed() {
        const QString some = QFontDatabase::families().front().section(" [", 0, 0);
        const QString why = app::whyNotInstalled(some.chopped(1) + "?");
        QVERIFY2(why.contains("such as " + some), qPrintable(why));
        QVERIFY2(why.contains("fc-list") && why.endsWith(some.chopped(1) + "?\""), qPrintable(why));
    }

    /// Desktops name fonts that are not there.
    void whatIsDrawnInPlaceOfAFontIsInstalled() {
        QVERIFY(app::isInstalled(app::installedFamily(QFont("No Such Grotesk"))));
        QCOMPARE(app::installedFamily(QFont("sans-serif")), QString("sans-serif"));
    }
};

HEADSCOPE_TEST_IN(QApplication, FontNamesTest)
#include "font_names_test.moc"
