#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/token_strip.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"

#include <functional>

using namespace headscope;
using namespace headscope::widgets;

class TokenStripTest : public QObject {
    Q_OBJECT

    static void show(TokenStrip& strip, int width) {
        strip.setPalette(paletteOf(lightTheme()));
        strip.resize(width, strip.heightForWidth(width));
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
    }

  private Q_SLOTS:
    void chipsFlowOntoFurtherLinesAndNeverOverlap() {
        TokenStrip strip("Source tokens");
        strip.setTokens(example::run({.repeats = 6})->source);
        show(strip, 300);
        QVERIFY(strip.heightForWidth(300) > strip.heightForWidth(3000));
        for (int i = 0; i < 61; ++i) {
            QVERIFY(strip.rect().contains(strip.chipRect(i)));
            for (int j = i + 1; j < 61; ++j)
                QVERIFY(!strip.chipRect(i).intersects(strip.chipRect(j)));
        }
    }

    void aPieceThatIsWiderThanTheStripIsElided() {
        TokenStrip strip("Source tokens");
        strip.setTokens({example::token(1, std::string(400, 'w'))});
        show(strip, 200);
        QVERIFY(strip.rect().contains(strip.chipRect(0)));
    }

    void chipsAreShadedByWeightAndMaskedOnesAreNot() {
        TokenStrip strip("Source tokens");
        strip.setTokens(example::run()->source);
        strip.setShading({1, 0.5, 0}, {false, false, true});
        show(strip, 900);
        const QImage image = strip.grab().toImage();
        const auto ground = [&](int chip) {
            return image.pixel(strip.chipRect(chip).center().x(), strip.chipRect(chip).top() + 3);
        };
        QCOMPARE(ground(0), ColourScale().colour(1));
        QCOMPARE(ground(1), ColourScale().colour(0.5));
        QCOMPARE(ground(2), lightTheme().panel.rgb());
    }

    /// Of two strips in one colour, what differs is a shape.
    void whatColoursSayShapesSayToo() {
        const auto shapes = [](const std::function<void(TokenStrip&)>& mark) {
            TokenStrip strip("Target tokens");
            strip.setTokens(example::run()->source);
            mark(strip);
            show(strip, 900);
            QImage image = strip.grab().toImage().convertToFormat(QImage::Format_RGB32);
            const QRgb ground = lightTheme().panel.rgb(), background = lightTheme().background.rgb();
            const QRgb window = strip.palette().color(QPalette::Window).rgb();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QRgb colour = image.pixel(x, y);
                    const bool isGround = colour == ground || colour == background || colour == window;
                    image.setPixel(x, y, isGround ? 0xffffffff : 0xff000000);
                }
            return image;
        };
        const auto changed = shapes([](auto& strip) { strip.setChanged({false, true}); });
        const auto lit = shapes([](auto& strip) { strip.setLit(1); });
        QVERIFY(changed != lit);
        const auto bars = [&](bool isUnsure) {
            return shapes(
                [=](auto& strip) { strip.setChoices({{.probability = 0.5, .isUnsure = isUnsure}}); });
        };
        QVERIFY(bars(true) != bars(false));
        const auto darkPixels = [](float contribution) {
            TokenStrip strip("Source tokens");
            strip.setTokens(example::run()->source);
            strip.setContributions({contribution, 1});
            show(strip, 900);
            const QImage image = strip.grab(strip.chipRect(0)).toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += qGray(image.pixel(x, y)) < 128;
            return count;
        };
        QVERIFY(darkPixels(-0.01F) > darkPixels(0.01F)); // a minus
    }

    void aBarUnderATokenIsAsLongAsItWasProbable() {
        TokenStrip strip("Target tokens");
        strip.setTokens(example::run()->source);
        std::vector<TokenChoice> choices(11);
        choices[0] = {.probability = 1.0, .isUnsure = false, .isForced = false, .words = "sure"};
        choices[1] = {.probability = 0.5, .isUnsure = true, .isForced = true, .words = "second: none"};
        strip.setChoices(choices);
        show(strip, 900);
        const QImage image = strip.grab().toImage();
        const auto bar = [&](int chip, double at) { // from its left end to its right
            const QRect rect = strip.chipRect(chip).adjusted(5, 0, -5, 0);
            return image.pixelColor(rect.left() + static_cast<int>(at * rect.width()), rect.bottom() - 3);
        };
        QCOMPARE(bar(0, 0.9), lightTheme().faintText);
        QCOMPARE(bar(1, 0.3), lightTheme().unsure);
        QCOMPARE(bar(1, 0.9), lightTheme().background);
        QTest::mouseMove(&strip, strip.chipRect(1).center());
        QVERIFY(strip.accessibleDescription().endsWith("second: none"));
        strip.setTokens({example::token(1, "another")});
        QVERIFY(strip.choices().empty());
    }

    void hoveringAndClickingNameTheToken() {
        TokenStrip strip("Source tokens");
        strip.setTokens(example::run()->source);
        show(strip, 900);
        const QSignalSpy hovered(&strip, &TokenStrip::tokenHovered);
        const QSignalSpy clicked(&strip, &TokenStrip::tokenClicked);
        QTest::mouseMove(&strip, strip.chipRect(4).center());
        QCOMPARE(hovered.last().front().value<std::optional<int>>(), std::optional(4));
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.chipRect(4).center());
        QCOMPARE(clicked.last().front().toInt(), 4);
        QVERIFY(strip.accessibleDescription().startsWith("5 of 11: "));
        QTest::mouseMove(&strip, QPoint(899, 1));
        QCOMPARE(hovered.last().front().value<std::optional<int>>(), std::nullopt);
    }

    void everyChipIsReachedByKeys() {
        TokenStrip strip("Target tokens");
        strip.setTokens(example::run()->target);
        strip.setOutlined(3);
        show(strip, 900);
        const QSignalSpy hovered(&strip, &TokenStrip::tokenHovered);
        const QSignalSpy clicked(&strip, &TokenStrip::tokenClicked);
        const auto last = [&] { return hovered.last().front().value<std::optional<int>>(); };
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(last(), std::optional(3));
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(last(), std::optional(4));
        QTest::keyClick(&strip, Qt::Key_Return);
        QCOMPARE(clicked.last().front().toInt(), 4);
        QTest::keyClick(&strip, Qt::Key_End);
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(last(), std::optional(11));
        QTest::keyClick(&strip, Qt::Key_Escape);
        QCOMPARE(last(), std::nullopt);
    }

    void newTokensForgetTheOldShading() {
        TokenStrip strip("Source tokens");
        strip.setTokens(example::run()->source);
        strip.setShading({1, 1, 1});
        strip.setTokens(example::run({.repeats = 2})->source);
        show(strip, 1600);
        QCOMPARE(strip.grab().toImage().pixel(strip.chipRect(0).center().x(), strip.chipRect(0).top() + 3),
                 lightTheme().panel.rgb());
    }

    void anEmptyStripIsNoError() {
        TokenStrip strip("Source tokens");
        strip.setPlaceholder("Nothing yet");
        show(strip, 300);
        QTest::keyClick(&strip, Qt::Key_Right);
        QVERIFY(!strip.chipAt({10, 10}));
        QVERIFY(!strip.chipRect(0).isValid());
        QCOMPARE(strip.accessibleName(), "Source tokens");
    }
};

HEADSCOPE_WATCHED_TEST(TokenStripTest)
#include "token_strip_test.moc"
