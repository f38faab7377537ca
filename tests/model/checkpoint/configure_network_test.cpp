#include "model/checkpoint/configure_network.h"
#include "model/files/read_file.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope;
using checkpoint::Family;
using checkpoint::Settings;
using network::NetworkConfig;

namespace {

Family family(const std::string& name) {
    const auto table = HEADSCOPE_SOURCE "/resources/families/" + name + ".json";
    return checkpoint::parseFamily(files::readText(table), table);
}

Settings settingsOf(const Family& family, const std::map<std::string, std::string>& stated) {
    Settings settings;
    for (const auto& [key, value] : family.settings)
        settings.set(key, value, "the family's table");
    for (const auto& [key, value] : stated)
        settings.set(key, value, "config.json");
    return settings;
}

NetworkConfig configured(const std::string& name, const std::map<std::string, std::string>& stated) {
    const auto table = family(name);
    return checkpoint::configureNetwork(table, settingsOf(table, stated), "config.json");
}

std::string refusalFor(const std::string& name, const std::map<std::string, std::string>& stated) {
    return refusalOf([&] { configured(name, stated); });
}

const std::map<std::string, std::string> least{
    {"encoder_layers", "2"}, {"model_width", "12"}, {"heads", "3"}, {"source_vocabulary_size", "20"}};

std::map<std::string, std::string> with(std::map<std::string, std::string> more) {
    more.insert(least.begin(), least.end());
    return more;
}

} // namespace

class ConfigureNetworkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void fourKeysDescribeATranslator() {
        const auto config = configured("headscope", least);
        QCOMPARE(config.encoder.layers, 2);
        QCOMPARE(config.decoder.layers, 2);
        QCOMPARE(config.encoder.feedForwardWidth, 48);
        QCOMPARE(config.encoder.headWidth, 4);
        QCOMPARE(config.decoder.heads, 3);
        QCOMPARE(config.targetVocabulary, std::int64_t{20});
        QCOMPARE(config.maximumPositions, std::int64_t{5000});
        QVERIFY(config.biases == network::Biases{});
        QVERIFY(!config.tiedSourceTarget && !config.tiedGenerator);
        QCOMPARE(config.embeddingScale, std::sqrt(12.0));
        QCOMPARE(config.encoder.scoreScale, 0.5);
    }

    void whatAConfigurationStatesIsConfiguredAgain_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("more");
        QTest::newRow("plain") << "headscope"
                               << "";
        QTest::newRow("tied") << "headscope"
                              << "tied_source_target=yes tied_generator=yes";
        QTest::newRow("no biases") << "headscope"
                                   << "bias_norm=no bias_generator=no bias_feed_forward=no "
                                      "bias_attention_output=no bias_query_key_value=no";
        QTest::newRow("wide heads") << "headscope"
                                    << "head_width=12 decoder_layers=1";
        QTest::newRow("no decoder") << "headscope"
                                    << "decoder_layers=0 classes=3 final_norm=no";
        QTest::newRow("on vectors") << "torch-encoder"
                                    << "norm=pre activation=gelu source_vocabulary_size=0";
        QTest::newRow("a table") << "headscope"
                                 << "positions=table maximum_positions=30 embedding_norm=yes";
        QTest::newRow("distances") << "headscope"
                                   << "positions=relative-buckets position_buckets=12 position_distance=40";
        QTest::newRow("rotation") << "headscope"
                                  << "positions=rotary position_base=500";
        QTest::newRow("rotation on vectors") << "headscope"
                                             << "positions=rotary source_vocabulary_size=0 decoder_layers=0";
        QTest::newRow("annotated") << "annotated-transformer"
                                   << "target_vocabulary_size=30";
        QTest::newRow("pi-tau") << "pi-tau"
                                << "";
        QTest::newRow("experts") << "qwen-moe"
                                 << "source_vocabulary_size=0 decoder_layers=2 target_vocabulary_size=30 "
                                    "experts=6 experts_per_token=2 expert_width=5 shared_expert_width=3 "
                                    "expert_layers=1";
        QTest::newRow("classifier") << "imdb-classifier"
                                    << "classes=2 head_width=12";
    }
    void whatAConfigurationStatesIsConfiguredAgain() {
        QFETCH(const QString, family);
        QFETCH(const QString, more);
        std::map<std::string, std::string> stated;
        for (const auto& pair : more.split(' ', Qt::SkipEmptyParts))
            stated[pair.section('=', 0, 0).toStdString()] = pair.section('=', 1).toStdString();
        const auto table = ::family(family.toStdString());
        const auto first = configured(family.toStdString(), with(stated));
        auto settings = settingsOf(table, stated);
        checkpoint::stateShape(settings, first);
        QVERIFY(checkpoint::configureNetwork(table, settings, "config.json") == first);
    }

    void everythingMissingOrImpossibleIsListedAtOnce() {
        QVERIFY(contains(refusalFor("headscope", {}),
                         {"config.json", "encoder_layers: 1 to 1024",
                          "model_width: ", "heads: ", "source_vocabulary_size: 0 to ",
                          "source_vocabulary_size: nothing", "What to do: "}));
        const auto refusal = refusalFor("headscope", with({{"decoder_layers", "-1"},
                                                           {"activation", "tanh"},
                                                           {"positions", "sine"},
                                                           {"norm_eps", "small"},
                                                           {"tied_generator", "perhaps"}}));
        QVERIFY(contains(refusal, {"decoder_layers: \"-1\"", "activation: \"tanh\"", "positions: \"sine\"",
                                   "norm_eps: \"small\"", "tied_generator: \"perhaps\""}));
    }

    void sizesThatDoNotFitTogetherAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("heads") << "heads"
                               << "5"
                               << "divides model_width 12";
        QTest::newRow("decoder heads") << "decoder_heads"
                                       << "0"
                                       << "decoder_heads: 1 to 65536";
        QTest::newRow("no layers") << "encoder_layers"
                                   << "0"
                                   << "encoder_layers: 1 to";
        QTest::newRow("many layers") << "encoder_layers"
                                     << "9999999999"
                                     << "encoder_layers: 1 to";
        QTest::newRow("wide heads") << "head_width"
                                    << "9999999999"
                                    << "head_width: 1 to";
        QTest::newRow("positions") << "maximum_positions"
                                   << "0"
                                   << "maximum_positions: 1 to";
        QTest::newRow("base") << "position_base"
                              << "1"
                              << "position_base: a number above 1";
    }
    void sizesThatDoNotFitTogetherAreRefused() {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        QFETCH(const QString, words);
        QVERIFY(contains(refusalFor("headscope", with({{key.toStdString(), value.toStdString()}})),
                         {words.toUtf8().constData()}));
        QVERIFY(contains(
            refusalFor("headscope", with({{"tied_source_target", "yes"}, {"target_vocabulary_size", "9"}})),
            {"tied_source_target: no, because"}));
    }

    void positionsThatAttentionCannotHaveAreRefused() {
        QVERIFY(contains(refusalFor("headscope", with({{"positions", "rotary"}, {"head_width", "5"}})),
                         {"positions: another scheme: rotation turns pairs"}));
        QVERIFY(contains(
            refusalFor("headscope", with({{"positions", "relative-buckets"}, {"position_buckets", "7"}})),
            {"position_buckets: an even number"}));
        QVERIFY(contains(
            refusalFor("headscope", with({{"positions", "relative-buckets"}, {"position_distance", "16"}})),
            {"position_distance: 17 to"}));
        QVERIFY(contains(refusalFor("pi-tau", with({{"positions", "relative-buckets"}})),
                         {"positions: none: the family pi-tau has no tensor for it"}));
    }

    void whatAFamilyHasNoTensorsForIsRefused() {
        QVERIFY(contains(refusalFor("pi-tau", with({{"bias_query_key_value", "yes"}})),
                         {"bias_query_key_value: none: the family pi-tau"}));
        QVERIFY(contains(refusalFor("annotated-transformer", with({{"bias_norm", "no"}, {"classes", "2"}})),
                         {"bias_norm: yes: every model of the family", "classes: 0 to 0"}));
        QVERIFY(contains(refusalFor("imdb-classifier", least), {"classes: 1 to"}));
    }
};

HEADSCOPE_TEST(ConfigureNetworkTest)
#include "configure_network_test.moc"
