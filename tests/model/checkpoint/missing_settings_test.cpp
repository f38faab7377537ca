#include "tests/model/checkpoint/toy_checkpoint.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/checkpoint/missing_settings.h"

using namespace headscope;
using checkpoint::missingSettings;
using trace::MissingSetting;
using trace::Need;

class MissingSettingsTest : public QObject {
    Q_OBJECT

    static network::NetworkConfig sizes() {
        return {
            .encoder = {.layers = 1}, .decoder = {.layers = 1}, .sourceVocabulary = 5, .targetVocabulary = 7};
    }

    static std::vector<std::string> keys(const std::vector<MissingSetting>& settings) {
        std::vector<std::string> keys;
        for (const auto& setting : settings)
            keys.push_back(setting.key);
        return keys;
    }

  private Q_SLOTS:
    void ofABareTranslatorEverythingIsAsked() {
        const auto missing = missingSettings(sizes(), 12, {});
        QCOMPARE(keys(missing),
                 (std::vector<std::string>{"heads", "norm", "activation", "start_id", "end_id", "pad_id"}));
        QCOMPARE(missing[0].possible, (std::vector<std::string>{"1", "2", "3", "4", "6", "12"}));
        QCOMPARE(missing[1].possible, (std::vector<std::string>{"pre", "post"}));
        QCOMPARE(missing[2].possible, (std::vector<std::string>{"relu", "gelu", "gelu_new", "silu"}));
        QCOMPARE(missing[3].ids, std::int64_t{7});
        QCOMPARE(missing[5].ids, std::int64_t{5});
        QVERIFY(missing[0].need == Need::ToOpen && missing[3].need == Need::ToDecode);
        QVERIFY(missing[4].need == Need::Optional && missing[5].need == Need::Optional);
    }

    void whatIsKnownIsNotAsked() {
        checkpoint::Settings settings;
        for (const char* key : {"heads", "activation", "end_id"})
            settings.set(key, "whatever", "config.json");
        QCOMPARE(keys(missingSettings(sizes(), 12, settings)),
                 (std::vector<std::string>{"norm", "start_id", "pad_id"}));
    }

    void anEncoderIsNotAskedWhatOnlyADecoderNeeds() {
        auto encoder = sizes();
        encoder.decoder.layers = 0;
        encoder.targetVocabulary = 0;
        QCOMPARE(keys(missingSettings(encoder, 12, {})),
                 (std::vector<std::string>{"heads", "norm", "activation", "pad_id"}));
        encoder.sourceVocabulary = 0;
        QCOMPARE(keys(missingSettings(encoder, 12, {})),
                 (std::vector<std::string>{"heads", "norm", "activation"}));
    }

    void theHeadsOfAHugeProjectionAreListedAtOnce() {
        QCOMPARE(missingSettings(sizes(), std::int64_t{1} << 31, {}).front().possible.size(), 17u);
    }

    void aCheckpointThatLacksSeveralIsRefusedOnceWithAll() {
        auto settings = toy_checkpoint::settings();
        settings.erase("heads");
        settings.erase("norm");
        try {
            toy_checkpoint::describe(toy_checkpoint::file(), settings);
            QFAIL("it was described");
        } catch (const trace::MissingSettings& missing) {
            QCOMPARE(keys(missing.settings()),
                     (std::vector<std::string>{"heads", "norm", "start_id", "end_id", "pad_id"}));
            QVERIFY(foreign_files::contains(missing.what(), {"toy.pt", "--heads", "--norm", "--start-id"}));
        }
    }

    void whatOnlyDecodingNeedsStopsNoOpening() {
        const auto config = toy_checkpoint::describe(toy_checkpoint::file(), toy_checkpoint::settings());
        QCOMPARE(config.encoder.heads, 2);
    }
};

HEADSCOPE_TEST(MissingSettingsTest)
#include "missing_settings_test.moc"
