#include <QTest>

#include "tests/registered_test.h"
#include "widgets/drawing/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace headscope::widgets;

class ThemeTest : public QObject {
    Q_OBJECT

    /// CIE 1976 L*a*b*.
    static std::array<double, 3> lab(const QColor& colour) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const double r = linear(colour.redF());
        const double g = linear(colour.greenF());
        const double b = linear(colour.blueF());
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
        const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
        const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
        return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    /// As seen by dichromats without red or green cones (Machado, Oliveira and Fernandes 2009).
    static QColor seen(const QColor& colour, const std::array<double, 9>& by) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const auto curved = [](double c) {
            return static_cast<float>(c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
        };
        const std::array<double, 3> light{linear(colour.redF()), linear(colour.greenF()),
                                          linear(colour.blueF())};
        std::array<float, 3> shown{};
        for (std::size_t i = 0; i < 3; ++i)
            shown[i] = curved(std::clamp(
                by[3 * i] * light[0] + by[3 * i + 1] * light[1] + by[3 * i + 2] * light[2], 0.0, 1.0));
        return QColor::fromRgbF(shown[0], shown[1], shown[2]);
    }

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
            for (const auto& [text, ground] :
                 {std::pair(theme.onAccent, theme.accent), std::pair(theme.accent, theme.accentSoft),
                  std::pair(theme.text, theme.accentSoft), std::pair(theme.changed, theme.changedSoft),
                  std::pair(theme.faintText, theme.rail)})
                QVERIFY2(contrastRatio(text, ground) >= 4.5,
                         qPrintable(text.name() + " on " + ground.name()));
            for (const QColor& ground : {theme.background, theme.panel})
                QVERIFY2(contrastRatio(theme.outline, ground) >= 3, qPrintable(ground.name()));
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

    void noTwoCategoriesLookAlike() {
        constexpr std::array<double, 9> all{1, 0, 0, 0, 1, 0, 0, 0, 1};
        constexpr std::array<double, 9> noRed{0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                                              0.099216, -0.003882, -0.048116, 1.051998};
        constexpr std::array<double, 9> noGreen{0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                                                0.047413, -0.011820, 0.042940,  0.968881};
        for (const Theme& theme : {lightTheme(), darkTheme()})
            for (const auto& [eyes, least] :
                 {std::pair(all, 25.0), std::pair(noRed, 12.0), std::pair(noGreen, 12.0)})
                for (std::size_t i = 0; i < 8; ++i)
                    for (std::size_t j = 0; j < i; ++j) {
                        const auto one = lab(seen(categoryColours(theme)[i], eyes));
                        const auto other = lab(seen(categoryColours(theme)[j], eyes));
                        const double apart =
                            std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
                        QVERIFY2(apart >= least,
                                 qPrintable(QString("%1 and %2: %3").arg(i).arg(j).arg(apart)));
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

HEADSCOPE_TEST(ThemeTest)
#include "theme_test.moc"
