#include "widgets/drawing/theme.h"

#include "widgets/drawing/colour_scale.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

Theme makeLight() {
    return {
        .dark = false,
        .background = QColor("#ffffff"),
        .panel = QColor("#f1f3f5"),
        .rail = QColor("#e7eaee"),
        .line = QColor("#d5dae0"),
        .outline = QColor("#7c8590"),
        .text = QColor("#1b1f24"),
        .faintText = QColor("#5a636e"),
        .accent = QColor("#0b5cad"),
        .onAccent = QColor("#ffffff"),
        .accentSoft = QColor("#dbe9f7"),
        .focus = QColor("#c2185b"),
        .stepMark = QColor("#0b5cad"),
        .mark = QColor("#a9b1ba"),
        .hatch = QColor("#8a929b"),
        .good = QColor("#1b6b3a"),
        .bad = QColor("#b3261e"),
        .unsure = QColor("#c06a12"),
        .changed = QColor("#6b2fa8"),
        .changedSoft = QColor("#f1e8fb"),
    };
}

Theme makeDark() {
    return {
        .dark = true,
        .background = QColor("#1b1d22"),
        .panel = QColor("#26292f"),
        .rail = QColor("#2e3239"),
        .line = QColor("#3a3f47"),
        .outline = QColor("#7a828d"),
        .text = QColor("#e8eaed"),
        .faintText = QColor("#a3abb5"),
        .accent = QColor("#7ab8ff"),
        .onAccent = QColor("#10151c"),
        .accentSoft = QColor("#1d3350"),
        .focus = QColor("#ff7ab8"),
        .stepMark = QColor("#7ab8ff"),
        .mark = QColor("#656c76"),
        .hatch = QColor("#7d848e"),
        .good = QColor("#7fd8a0"),
        .bad = QColor("#ff9a90"),
        .unsure = QColor("#f0a45a"),
        .changed = QColor("#cda9f7"),
        .changedSoft = QColor("#33244a"),
    };
}

double relativeLuminance(const QColor& colour) {
    return 0.2126 * linearised(colour.redF()) + 0.7152 * linearised(colour.greenF()) +
           0.0722 * linearised(colour.blueF());
}

} // namespace

const Theme& lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& themeOf(const QPalette& palette) {
    const auto luminance = [&](QPalette::ColorRole role) { return relativeLuminance(palette.color(role)); };
    return luminance(QPalette::Window) < luminance(QPalette::WindowText) ? darkTheme() : lightTheme();
}

QPalette paletteOf(const Theme& theme) {
    QPalette palette(theme.text, theme.background, theme.background, theme.line, theme.line, theme.text,
                     theme.text, theme.background, theme.background);
    palette.setColor(QPalette::Midlight, theme.rail);
    palette.setColor(QPalette::AlternateBase, theme.panel);
    palette.setColor(QPalette::ToolTipBase, theme.dark ? theme.rail : theme.text);
    palette.setColor(QPalette::ToolTipText, theme.dark ? theme.text : theme.background);
    palette.setColor(QPalette::PlaceholderText, theme.faintText);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.faintText);
    return palette;
}

double contrastRatio(const QColor& one, const QColor& other) {
    const double first = relativeLuminance(one) + 0.05;
    const double second = relativeLuminance(other) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor readableOn(const QColor& background) {
    return contrastRatio(Qt::black, background) >= contrastRatio(Qt::white, background) ? Qt::black
                                                                                        : Qt::white;
}

const std::array<QColor, 8>& categoryColours(const Theme& theme) {
    static const std::array<QColor, 8> onLight{
        QColor("#0072b2"), QColor("#c04a00"), QColor("#00785a"), QColor("#a8508a"),
        QColor("#2f2f2f"), QColor("#544200"), QColor("#a550fb"), QColor("#2110b8"),
    };
    static const std::array<QColor, 8> onDark{
        QColor("#56b4e9"), QColor("#ff8a3d"), QColor("#2fc99c"), QColor("#e79ccb"),
        QColor("#f2f2f2"), QColor("#ffd24a"), QColor("#9379fc"), QColor("#b3ffa2"),
    };
    return theme.dark ? onDark : onLight;
}

} // namespace headscope::widgets
