#include <QTest>

#include "model/checkpoint/generation_config.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using namespace headscope;
using checkpoint::Generation;
using trace::BeamRule;

class GenerationConfigTest : public QObject {
    Q_OBJECT

    /// With a vocabulary of 10 tokens.
    static Generation generationOf(const std::string& json, int encoderLayers = 1) {
        const Folder folder;
        writeFile(folder / "model.safetensors", "");
        writeFile(folder / "generation_config.json", json);
        checkpoint::Settings settings;
        settings.set("generation", "hugging-face", "the test");
        return checkpoint::readGeneration(checkpoint::findModel(folder.path()), settings,
                                          network(encoderLayers));
    }

    static network::NetworkConfig network(int encoderLayers = 1) {
        return {.encoder = {.layers = encoderLayers}, .decoder = {.layers = 1}, .targetVocabulary = 10};
    }

    static std::string generationRefusal(const std::string& json) {
        return refusalOf([&] { generationOf(json); });
    }

  private Q_SLOTS:
    void whatIsNotSaidIsAsGenerateHasIt() {
        const auto generation = generationOf("{}");
        QCOMPARE(generation.newTokens, 19); // of 20 tokens the first is the start
        QCOMPARE(generation.decoding.beam, 1);
        QCOMPARE(generation.decoding.topK, 0);
        QCOMPARE(generation.decoding.lengthPenalty, 1.0);
        QVERIFY(generation.decoding.rule == BeamRule::GenerateHeuristic);
        QVERIFY(generation.unused.empty());
        QCOMPARE(generationOf(R"({"do_sample": true})").decoding.topK, 50);
        // What follows a prompt has the program's own limit, unless the folder gives one.
        QCOMPARE(generationOf("{}", 0).newTokens, Generation{}.newTokens);
        QCOMPARE(generationOf(R"({"max_length": 50})", 0).newTokens, 50);
    }

    void everyKeyIsFollowed() {
        const auto generation = generationOf(R"({"num_beams": 4, "length_penalty": 0.5, "min_length": 6,
            "no_repeat_ngram_size": 3, "do_sample": true, "temperature": 0.75, "top_k": 7, "top_p": 0.5,
            "bad_words_ids": [[0, 9], [], [5]], "forced_eos_token_id": 9, "renormalize_logits": true,
            "max_length": 31, "repetition_penalty": 1.5, "early_stopping": "never", "min_p": 0.5,
            "forced_bos_token_id": 4, "suppress_tokens": [2, 3], "begin_suppress_tokens": [6],
            "eos_token_id": [7, 8], "decoder_start_token_id": 1})");
        const auto& decoding = generation.decoding;
        QCOMPARE(decoding.beam, 4);
        QCOMPARE(decoding.lengthPenalty, 0.5);
        QCOMPARE(decoding.minimumLength, 0);
        QCOMPARE(decoding.minimumTotal, 6);
        // generate() counts no end token, minimumLength does.
        QCOMPARE(generationOf(R"({"min_new_tokens": 2})").decoding.minimumLength, 3);
        QCOMPARE(decoding.noRepeat, 3);
        QVERIFY(decoding.renormalise);
        QVERIFY(generation.samples && !decoding.sample); // sampling is offered, never the default
        QCOMPARE(decoding.temperature, 0.75);
        QCOMPARE(decoding.topK, 7);
        QCOMPARE(decoding.topP, 0.5);
        QCOMPARE(decoding.forbidden, (std::vector<std::vector<std::int64_t>>{{0, 9}, {5}}));
        QCOMPARE(decoding.forcedEnd, std::optional<std::int64_t>(9));
        QVERIFY(decoding.rule == BeamRule::GenerateNever);
        QCOMPARE(generation.newTokens, 30);
        QCOMPARE(decoding.forcedFirst, std::optional<std::int64_t>(4));
        QCOMPARE(decoding.suppressed, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(decoding.suppressedFirst, (std::vector<std::int64_t>{6}));
        QCOMPARE(decoding.repetitionPenalty, 1.5);
        QCOMPARE(generation.ends, (std::vector<std::int64_t>{7, 8}));
        QCOMPARE(generation.start, std::optional<std::int64_t>(1));
        QCOMPARE(generation.unused, std::string("min_p: 0.5"));
        QCOMPARE(generationOf(R"({"force_bos_token_to_be_generated": true, "bos_token_id": 5})")
                     .decoding.forcedFirst,
                 std::optional<std::int64_t>(5));
        QVERIFY(generationOf(R"({"early_stopping": true})").decoding.rule == BeamRule::GenerateEarly);
    }

    void idsOutsideTheVocabularyAreLeftOutAndNoted() {
        const auto generation = generationOf(
            R"({"forced_eos_token_id": 10, "bad_words_ids": [[3, -1], [0]], "eos_token_id": [9, 50256]})");
        QVERIFY(!generation.decoding.forcedEnd);
        QCOMPARE(generation.decoding.forbidden, (std::vector<std::vector<std::int64_t>>{{0}}));
        QCOMPARE(generation.ends, (std::vector<std::int64_t>{9}));
        QCOMPARE(generation.notes.size(), std::size_t{3});
        QVERIFY(contains(generation.notes.back(),
                         {"eos_token_id 50256", "generation_config.json", "the vocabulary has 10 tokens"}));
        QVERIFY(generationOf(R"({"bad_words_ids": [[0]], "forced_eos_token_id": 0})").notes.empty());
    }

    void whatIsNoObjectIsRefused() {
        QVERIFY(contains(generationRefusal("[1]"), {"generation_config.json", "a JSON object", "array"}));
        QVERIFY(contains(generationRefusal(R"({"early_stopping": 3})"), {"early_stopping", "never"}));
        QVERIFY(
            contains(generationRefusal(R"({"repetition_penalty": 0})"), {"repetition_penalty", "above 0"}));
        QVERIFY(contains(generationRefusal(R"({"num_beams": -1})"), {"num_beams", "0 to 1000000"}));
    }

    void otherFoldersDecodeAsTheCommandLineDoes() {
        const auto generation = checkpoint::readGeneration({}, {}, network());
        QCOMPARE(generation.newTokens, 60);
        QCOMPARE(generation.decoding.beam, trace::Decoding().beam);
    }
};

HEADSCOPE_TEST(GenerationConfigTest)
#include "generation_config_test.moc"
