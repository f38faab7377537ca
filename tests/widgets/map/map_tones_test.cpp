#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_maps.h"
#include "widgets/map/map_tones.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;

class MapTonesTest : public QObject {
    Q_OBJECT

    /// Two rows of three cells, the last closed.
    static ShownMap map() {
        return {.values = {2, 3, {0.1F, 0.2F, 0.4F, 0.01F, 0.02F, 9}}, .mask = {2, 3, {1, 1, 1, 1, 1, 0}}};
    }

  private Q_SLOTS:
    void weightsAreColouredUpToOne() {
        const auto tones = mapTones(map(), {});
        QCOMPARE(tones.limit, 1.0);
        for (const auto mapping : {ColourMapping::Linear, ColourMapping::Logarithmic}) {
            auto beyond = map(); // of a file that holds other numbers than weights
            beyond.values(0, 0) = 2.7F;
            QCOMPARE(mapTones(beyond, {.mapping = mapping}).limit, 3.0);
        }
        QVERIFY(tones.values.empty()); // the map's own
        QCOMPARE(tones.scale(false).maximum(), 1.0);
    }

    void faintWeightsOfTheEncoderAreColouredUpToARoundNumber() {
        ShownMap faint{.kind = trace::AttentionKind::EncoderSelf,
                       .values = {3, 3, {0.01F, 0.02F, 0.03F, 0.14F, 0.01F, 0.01F, 0.02F, 0.02F, 0.9F}},
                       .mask = {3, 3, {1, 1, 1, 1, 1, 1, 1, 1, 0}}};
        const auto tones = mapTones(faint, {});
        QVERIFY(std::abs(tones.limit - 0.2) < 1e-9);
        QVERIFY(tones.values.empty());
        const QString words = tonesInWords({}, tones);
        QVERIFY2(words.contains("Colours end at 0.2") && words.contains("at most 0.03 in half of the rows"),
                 qPrintable(words));
        QCOMPARE(mapTones(faint, {.mapping = ColourMapping::Logarithmic}).limit, 1.0);
        faint.kind = trace::AttentionKind::Cross; // it grows while the model writes
        QCOMPARE(mapTones(faint, {}).limit, 1.0);
        QVERIFY(tonesInWords({}, mapTones(faint, {})).startsWith("Weak weights"));
        QCOMPARE(tonesInWords({}, mapTones(map(), {})), QString());
    }

    void otherQuantitiesAreColouredUpToTheirLargestOpenCell() {
        QVERIFY(std::abs(mapTones(map(), {.quantity = Quantity::Contribution}).limit - 0.4) < 1e-6);
    }

    void coloursPerRowReachTheEndInEveryRow() {
        const auto tones = mapTones(map(), {.colourPerRow = true});
        QCOMPARE(tones.values(0, 2), 1.0F);
        QCOMPARE(tones.values(1, 1), 1.0F);
        QCOMPARE(tones.values(1, 0), 0.5F);
    }

    void rowsOfATurnedMapAreItsColumns() {
        ShownMap turned = map();
        turned.transposed = true;
        const auto tones = mapTones(turned, {.colourPerRow = true, .transposed = true});
        QCOMPARE(tones.values(0, 0), 1.0F);
        QVERIFY(std::abs(tones.values(1, 0) - 0.1F) < 1e-6F);
    }

    void ranksAreThePartOfTheCellsThatAreSmaller() {
        const auto shared = mapTones(map(), {.mapping = ColourMapping::Rank});
        QCOMPARE(shared.values(1, 0), 0.0F);
        QCOMPARE(shared.values(0, 0), 0.5F);
        QCOMPARE(shared.values(0, 2), 1.0F);
        const auto perRow = mapTones(map(), {.mapping = ColourMapping::Rank, .colourPerRow = true});
        QCOMPARE(perRow.values(0, 0), 0.0F);
        QCOMPARE(perRow.values(1, 1), 1.0F);
    }

    void equalValuesHaveEqualRanks() {
        const ShownMap even{.values = {1, 3, {0.2F, 0.2F, 0.6F}}, .mask = {1, 3, 1}};
        const auto tones = mapTones(even, {.mapping = ColourMapping::Rank});
        QCOMPARE(tones.values(0, 0), tones.values(0, 1));
        QCOMPARE(tones.values(0, 2), 1.0F);
    }

    void whatHasASignKeepsItAndIsNeverLogarithmic() {
        const ShownMap map{.values = {1, 3, {-0.4F, 0.1F, 0.2F}}, .mask = {1, 3, 1}};
        const auto ranks =
            mapTones(map, {.quantity = Quantity::GradientAttention, .mapping = ColourMapping::Rank});
        QCOMPARE(ranks.values(0, 0), -1.0F);
        QVERIFY(ranks.scale(false).isDiverging());
        const MapOptions options{.quantity = Quantity::Scores, .mapping = ColourMapping::Logarithmic};
        QCOMPARE(mapTones(map, options).mapping, ColourMapping::Linear);
        QVERIFY(tonesInWords(options, mapTones(map, options)).contains("linearly"));
    }

    void whatIsNoNumberStaysSo() {
        ShownMap map{.values = {1, 2, {std::nanf(""), 0.5F}}, .mask = {1, 2, 1}};
        for (const auto mapping : {ColourMapping::Linear, ColourMapping::Rank})
            QVERIFY(std::isnan(mapTones(map, {.mapping = mapping, .colourPerRow = true}).values(0, 0)));
    }
};

HEADSCOPE_TEST(MapTonesTest)
#include "map_tones_test.moc"
