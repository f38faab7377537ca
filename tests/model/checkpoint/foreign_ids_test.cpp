#include <QTest>

#include "model/checkpoint/foreign_ids.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope;

class ForeignIdsTest : public QObject {
    Q_OBJECT

    static network::NetworkConfig decoder() { return {.decoder = {.layers = 1}, .targetVocabulary = 10}; }

  private Q_SLOTS:
    void idsOutsideTheVocabularyAreTakenAwayAndNoted() {
        checkpoint::Settings settings;
        settings.set("start_id", "50256", "config.json");
        settings.set("end_id", "9,10,3", "config.json");
        settings.set("pad_id", "-1", "config.json");
        settings.set("unknown_id", "0", "config.json");
        const auto notes = checkpoint::removeForeignIds(settings, decoder());
        QVERIFY(!settings.find("start_id"));
        QCOMPARE(settings.integers("end_id"), (std::vector<std::int64_t>{9, 3}));
        QVERIFY(!settings.find("pad_id"));
        QCOMPARE(settings.integer("unknown_id"), std::optional<std::int64_t>(0));
        QCOMPARE(notes.size(), std::size_t{3});
        QVERIFY(contains(notes.front(), {"start_id 50256 of config.json", "the vocabulary has 10 tokens"}));
    }

    void whatAPersonGivesStays() {
        checkpoint::Settings settings;
        settings.set("start_id", "50256", "--start-id");
        QVERIFY(checkpoint::removeForeignIds(settings, decoder()).empty());
        QVERIFY(settings.find("start_id"));
    }
};

HEADSCOPE_TEST(ForeignIdsTest)
#include "foreign_ids_test.moc"
