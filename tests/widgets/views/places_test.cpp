#include <QTest>

#include "tests/registered_test.h"
#include "widgets/views/places.h"

#include <algorithm>

using namespace headscope;

class PlacesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aViewThatLostItsPlaceIsNowInAnother() {
        QCOMPARE(widgets::nowIn("beam-tree"), std::string("paths"));
        QCOMPARE(widgets::nowIn("branches"), std::string("paths"));
        QCOMPARE(widgets::nowIn("heatmap"), std::string("heatmap"));
        QVERIFY(!widgets::placeOf("beam-tree") && widgets::placeOf(widgets::nowIn("beam-tree")));
    }

    void theTitleOfAWorkspaceIsByModel() {
        const auto& all = widgets::workspaces();
        const auto decode = std::ranges::find(all, "decode", &widgets::Workspace::key);
        trace::ModelSummary model;
        model.decoderLayers = 1;
        QCOMPARE(QString(decode->titleFor(model)), QString("Decode"));
        model.decoderLayers = 0;
        QCOMPARE(QString(decode->titleFor(model)), QString("Predict"));
        model.classes = 2;
        QCOMPARE(QString(decode->titleFor(model)), QString("Answer"));
        QCOMPARE(QString(all.front().titleFor(model)), QString("Heads"));
    }

    void aViewAboveAnotherStandsInItsRegion() {
        for (const auto& place : widgets::places())
            if (place.side == widgets::Place::Side::Above) {
                const auto* below = widgets::placeOf(place.beside);
                QVERIFY(below && std::ranges::any_of(widgets::places(), [&](const auto& each) {
                            return each.key == place.beside && each.region == place.region;
                        }));
            }
    }
};

HEADSCOPE_TEST(PlacesTest)
#include "places_test.moc"
