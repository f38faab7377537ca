#include "tests/model/checkpoint/toy_checkpoint.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace foreign_files;
using namespace headscope::network;
using toy_checkpoint::describe;

namespace {

std::string refusalWith(const std::string& key, const std::string& value) {
    auto settings = toy_checkpoint::settings();
    settings.set(key, value, "config.json");
    return refusalOf([&] { describe(toy_checkpoint::file(), settings); });
}

} // namespace

class DescribeNetworkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sizesComeFromTheTensorsAndTheRestFromTheSettings() {
        const auto config = describe(toy_checkpoint::file(), toy_checkpoint::settings());
        QCOMPARE(config.encoder.layers, 1);
        QCOMPARE(config.decoder.layers, 1);
        QCOMPARE(config.modelWidth, 4);
        QCOMPARE(config.encoder.feedForwardWidth, 6);
        QCOMPARE(config.encoder.heads, 2);
        QCOMPARE(config.decoder.heads, 2);
        QCOMPARE(config.encoder.headWidth, 2);
        QCOMPARE(config.sourceVocabulary, std::int64_t{5});
        QCOMPARE(config.targetVocabulary, std::int64_t{7});
        QCOMPARE(config.maximumPositions, std::int64_t{9});
        QVERIFY(config.encoder.normScheme == NormScheme::Pre);
        QVERIFY(config.normKind == NormKind::AnnotatedLayerNorm);
        QVERIFY(config.positions == PositionScheme::Table);
        QVERIFY(config.maskFill == MaskFill::MinusBillion);
        QCOMPARE(config.embeddingScale, 2.0);
        QCOMPARE(config.encoder.scoreScale, 1 / std::sqrt(2.0));
        QVERIFY(config.biases == Biases{});
        QVERIFY(!config.tiedSourceTarget && !config.tiedGenerator);
    }

    void headsThatNobodyGaveAreAskedFor() {
        auto settings = toy_checkpoint::settings();
        settings.erase("heads");
        const auto refusal = refusalOf([&] { describe(toy_checkpoint::file(), settings); });
        QVERIFY(contains(refusal, {"heads", "--heads", "headscope.json", "divides the 4 rows"}));
    }

    void headsThatDoNotDivideAreRefused() {
        for (const char* heads : {"3", "0", "8", "9223372036854775807"})
            QVERIFY(contains(refusalWith("heads", heads), {"heads", heads, "divides the 4 rows"}));
        for (const char* heads : {"0", "3", "4611686018427387906", "9223372036854775807"})
            QVERIFY(contains(refusalWith("decoder_heads", heads), {"decoder_heads", heads}));
    }

    void allThatTheConfigurationClaimsWronglyIsSaidAtOnce() {
        auto settings = toy_checkpoint::settings();
        for (const char* key : {"encoder_layers", "decoder_layers", "model_width", "feed_forward_width",
                                "source_vocabulary_size", "target_vocabulary_size"})
            settings.set(key, "100", "config.json");
        const auto refusal = refusalOf([&] { describe(toy_checkpoint::file(), settings); });
        QVERIFY(contains(refusal,
                         {"toy.pt", "encoder_layers 100", "target_vocabulary_size 100", "encoder_layers 1,",
                          "decoder_layers 1,", "model_width 4", "feed_forward_width 6",
                          "source_vocabulary_size 5", "target_vocabulary_size 7"}));
    }

    void namesThatAreNoChoiceAreRefusedWithTheChoices() {
        QVERIFY(contains(refusalWith("norm", "middle"),
                         {"norm", "\"middle\"", "pre", "post", "sublayer-output"}));
        QVERIFY(contains(refusalWith("norm_kind", ""), {"norm_kind", "annotated"}));
        QVERIFY(contains(refusalWith("activation", "tanh"), {"activation", "gelu_new"}));
        QVERIFY(contains(refusalWith("mask_fill", "0"), {"mask_fill", "-1e9"}));
        QVERIFY(contains(refusalWith("positions", "spiral"), {"positions", "sinusoid-halves"}));
        QVERIFY(contains(refusalWith("embedding_scale", "big"), {"embedding_scale", "a number"}));
        QVERIFY(contains(refusalWith("score_scale", "nan"), {"score_scale", "a number"}));
    }

    void positionsOfAFormulaAreBounded() {
        auto settings = toy_checkpoint::settings();
        settings.set("positions", "sinusoid-halves", "config.json");
        QCOMPARE(describe(toy_checkpoint::file(), settings).maximumPositions, std::int64_t{5000});
        settings.set("maximum_positions", "99999999999", "config.json");
        const auto describeToy = [&] { describe(toy_checkpoint::file(), settings); };
        QVERIFY(contains(refusalOf(describeToy), {"maximum_positions"}));
        settings.set("maximum_positions", "0", "config.json");
        QVERIFY(contains(refusalOf(describeToy), {"maximum_positions"}));
        settings.set("maximum_positions", "10", "config.json");
        settings.set("position_base", "0.5", "config.json");
        QVERIFY(contains(refusalOf(describeToy), {"position_base"}));
    }

    void tensorsThatSizesAreReadFromMustBeThere() {
        auto file = toy_checkpoint::file();
        toy_checkpoint::remove(file, "src_embed.1.pe");
        const auto withFile = [&] { return refusalOf([&] { describe(file, toy_checkpoint::settings()); }); };
        QVERIFY(contains(withFile(), {"toy.pt", "src_embed.1.pe", "no such tensor"}));
        file = toy_checkpoint::file();
        toy_checkpoint::named(file, "encoder.layers.0.self_attn.linears.0.weight").shape = {16};
        QVERIFY(contains(withFile(), {"linears.0.weight", "shape [16]"}));
        toy_checkpoint::remove(file, "encoder.layers.0.self_attn.linears.0.weight");
        QVERIFY(contains(withFile(), {"encoder.layers.0.self_attn.linears.0.weight"}));
    }

    void anEncoderAloneIsDescribed() {
        auto file = toy_checkpoint::file();
        std::erase_if(file.tensors, [](const auto& tensor) { return tensor.name.starts_with("decoder."); });
        const auto config = describe(file, toy_checkpoint::settings());
        QCOMPARE(config.decoder.layers, 0);
        QCOMPARE(config.targetVocabulary, std::int64_t{0});
    }

    void oneTensorUnderSeveralNamesIsTied() {
        auto file = toy_checkpoint::file();
        for (const char* name : {"src_embed.0.lut.weight", "tgt_embed.0.lut.weight"}) {
            auto& embedding = toy_checkpoint::named(file, name);
            embedding.bytes = toy_checkpoint::named(file, "generator.proj.weight").bytes;
            embedding.shape = {7, 4};
        }
        auto config = describe(file, toy_checkpoint::settings());
        QVERIFY(config.tiedSourceTarget && config.tiedGenerator);
        // A writer that drops duplicates keeps an arbitrary one of the names.
        toy_checkpoint::remove(file, "src_embed.0.lut.weight");
        toy_checkpoint::remove(file, "generator.proj.weight");
        config = describe(file, toy_checkpoint::settings());
        QVERIFY(config.tiedSourceTarget && config.tiedGenerator);
        QCOMPARE(config.sourceVocabulary, std::int64_t{7});
    }
};

HEADSCOPE_TEST(DescribeNetworkTest)
#include "describe_network_test.moc"
