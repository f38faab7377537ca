#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/compared_numbers.h"
#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/lens/lens_tint.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;

class LensTintTest : public QObject {
    Q_OBJECT

    /// The logarithm is rounded to float32, and no position changes faster than it.
    static void agree(LensTint tint, const trace::LensReading& reading, double expected) {
        const double logarithm = reading.lead.value_or(reading.chosenLogProbability);
        VERIFY_AGREES(tests::compare("position", lensTintPosition(tint, reading), expected,
                                     tests::ofRoundings(1, std::abs(logarithm))));
    }

  private Q_SLOTS:
    void theStrongestColourIsWhatTheModelIsSureOf() {
        const trace::LensReading sure{.chosenLogProbability = 0, .chosenRank = 0, .divergence = 0};
        for (const LensTint tint : lensTints)
            QCOMPARE(lensTintPosition(tint, sure), 1.0);
    }

    void everyTintFallsWithItsQuantity() {
        const trace::LensReading near{.chosenLogProbability = -1, .chosenRank = 2, .divergence = 0.5F};
        const trace::LensReading far{.chosenLogProbability = -7, .chosenRank = 200, .divergence = 5};
        for (const LensTint tint : lensTints)
            QVERIFY(lensTintPosition(tint, near) > lensTintPosition(tint, far));
    }

    void ranksAndSmallProbabilitiesAreLogarithmic() {
        QCOMPARE(lensTintPosition(LensTint::Rank, {.chosenRank = 9}), 0.75);
        QCOMPARE(lensTintPosition(LensTint::Rank, {.chosenRank = 99}), 0.5);
        const trace::LensReading tenth{.chosenLogProbability = float(std::log(0.1))};
        agree(LensTint::LogProbability, tenth, 0.75);
        agree(LensTint::Probability, tenth, 0.1);
    }

    /// Of two tokens the share of the chosen one, however improbable both are.
    void againstAnotherTokenTheProbabilityIsThatOfTheTwo() {
        const auto of = [](double p, double q) {
            return trace::LensReading{.chosenLogProbability = float(std::log(p)),
                                      .lead = float(std::log(p / q))};
        };
        agree(LensTint::Probability, of(0.003, 0.001), 0.75);
        agree(LensTint::LogProbability, of(1e-4, 9e-4), 0.75);
        const auto alone = of(0.003, 0.001);
        QCOMPARE(lensTintPosition(LensTint::Rank, alone), lensTintPosition(LensTint::Rank, {}));
        for (const LensTint tint : lensTints) {
            const trace::Token other{.piece = "▁Katze"};
            const bool depends = tint == LensTint::Probability;
            QCOMPARE(lensTintTitle(tint, other).contains("Katze"), depends);
        }
    }

    void whatLiesBeyondTheScaleHasTheColourOfItsEnd() {
        const trace::LensReading beyond{.chosenLogProbability = -40, .chosenRank = 50000, .divergence = 30};
        for (const LensTint tint : {LensTint::LogProbability, LensTint::Rank, LensTint::Divergence})
            QCOMPARE(lensTintPosition(tint, beyond), 0.0);
    }

    void whatIsNotANumberHasAColourOfItsOwn() {
        const float none = std::numeric_limits<float>::quiet_NaN();
        const double position = lensTintPosition(LensTint::Divergence, {.divergence = none});
        QVERIFY(std::isnan(position));
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            for (int i = 0; i <= 100; ++i)
                QVERIFY(lensTintColour(position, *theme) != lensTintColour(i / 100.0, *theme));
    }

    void textIsReadableOnEveryColour() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            for (int i = 0; i <= 100; ++i) {
                const QColor ground = lensTintColour(i / 100.0, *theme);
                QVERIFY(contrastRatio(readableOn(ground), ground) >= 4.5);
            }
    }

    void theLegendRunsFromPaleToStrong() {
        QImage image(300, 20, QImage::Format_RGB32);
        for (const LensTint tint : lensTints) {
            image.fill(Qt::white);
            QPainter painter(&image);
            drawLensLegend(painter, QRectF(image.rect()), tint, QFont(), lightTheme());
            painter.end();
            QVERIFY(qGray(image.pixel(2, 2)) > qGray(image.pixel(297, 2)));
        }
    }
};

HEADSCOPE_WATCHED_TEST(LensTintTest)
#include "lens_tint_test.moc"
