#pragma once

#include <QImage>
#include <QSet>
#include <QString>
#include <QTest>

/// Who looks at the pictures of which view that `render` draws: a process a picture is what these tests take.
namespace drawn_views {

/// Held against the window's by figure_desk_window_test.
inline const QSet<QString> byTheWindow{
    "overview",     "heatmap",    "lines",      "arithmetic", "masks",         "positions",      "inputs",
    "architecture", "scale",      "classifier", "token-card", "predictions",   "compare",        "logit-lens",
    "attribution",  "importance", "candidates", "paths",      "contact-sheet", "training-curves"};
/// By copied_command_test.
inline const QSet<QString> byTheCommand{
    "random-twin", "head-table", "head-page",  "head-card", "head-scatter", "source-share", "decoding",
    "reference",   "what-if",    "hesitation", "why",       "source-words", "cell-card"};

/// By render_test, as the window shows what they show in another view, or the models of other tests lack it.
inline const QSet<QString> byTheCommandAlone{"beam-tree", "branches", "experts"};

/// Of "headscope-cli render MODEL --view=NAME ...".
inline QString viewOf(const QString& command) {
    return command.section("--view=", 1, 1).section(' ', 0, 0);
}

/// Something is drawn on it, and it is no thumbnail.
inline void look(const QImage& image) {
    QVERIFY(!image.isNull());
    const double scale = image.dotsPerMeterX() * 0.0254 / 192; // of what is written by default
    QVERIFY(image.width() > 600 * scale && image.height() > 200 * scale);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != image.pixel(0, 0))
                return;
    QFAIL("nothing is drawn");
}

} // namespace drawn_views
