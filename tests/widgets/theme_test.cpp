#include <QTest>

#include "widgets/theme.h"

using namespace headscope::widgets;

class ThemeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theContrastOfBlackOnWhiteIsTwentyOne() {
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
    }

    void everyTextCanBeReadOnEveryGround() {
        for (const Theme& theme : {lightTheme(), darkTheme()}) {
            for (const QColor& text : {theme.text, theme.faintText, theme.good, theme.bad})
                for (const QColor& ground : {theme.background, theme.panel})
                    QVERIFY2(contrastRatio(text, ground) >= 4.5,
                             qPrintable(text.name() + " on " + ground.name()));
            QVERIFY(contrastRatio(theme.onAccent, theme.accent) >= 4.5);
            QVERIFY(contrastRatio(theme.background, theme.focus) >= 4.5);
            QVERIFY(contrastRatio(theme.onAccent, theme.stepMark) >= 4.5);
        }
    }

    void everyMarkStandsOutFromTheBackground() {
        for (const Theme& theme : {lightTheme(), darkTheme()}) {
            for (const QColor& mark : {theme.accent, theme.focus, theme.stepMark, theme.hatch})
                QVERIFY2(contrastRatio(mark, theme.background) >= 3, qPrintable(mark.name()));
            for (const QColor& category : categoryColours(theme))
                QVERIFY2(contrastRatio(category, theme.background) >= 3, qPrintable(category.name()));
        }
    }

    void theThemeFollowsThePalette() {
        QVERIFY(!themeOf(QPalette(QColor("#f0f0f0"))).dark);
        QVERIFY(themeOf(QPalette(QColor("#202020"))).dark);
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            QCOMPARE(&themeOf(paletteOf(*theme)), theme);
    }

    void paletteTextCanBeReadInFieldsAndButtons() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            const QPalette palette = paletteOf(*theme);
            const auto contrast = [&](QPalette::ColorRole text, QPalette::ColorRole ground) {
                return contrastRatio(palette.color(text), palette.color(ground));
            };
            QVERIFY(contrast(QPalette::Text, QPalette::Base) >= 4.5);
            QVERIFY(contrast(QPalette::PlaceholderText, QPalette::Base) >= 4.5);
            QVERIFY(contrast(QPalette::ButtonText, QPalette::Button) >= 4.5);
            QVERIFY(contrast(QPalette::HighlightedText, QPalette::Highlight) >= 4.5);
        }
    }
};

QTEST_APPLESS_MAIN(ThemeTest)
#include "theme_test.moc"
