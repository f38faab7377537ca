#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/compared_cells.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;

/// Compares encoder-decoders with what Hugging Face's `transformers` computed
/// (tests/reference/make_translators.py).
class TranslatorsTest : public QObject {
    Q_OBJECT

    static void eachFolder(const char* with = "trace.npz") {
        QTest::addColumn<QString>("model");
        for (const std::string folders : {"hugging-face", "gguf"})
            for (const auto& entry : std::filesystem::directory_iterator(recordings::folder + folders)) {
                const auto model = folders + "/" + entry.path().filename().string();
                if (std::filesystem::exists(entry.path() / "trace.npz") &&
                    std::filesystem::exists(entry.path() / with) &&
                    recordings::read(model + "/trace.npz").contains("cross/weights"))
                    QTest::newRow(model.c_str()) << QString::fromStdString(model);
            }
    }

    /// The folder's settings with options of generate().
    static trace::Decoding withOptions(trace::Decoding decoding, const nlohmann::json& options) {
        decoding.beam = options.value("num_beams", decoding.beam);
        decoding.lengthPenalty = options.value("length_penalty", decoding.lengthPenalty);
        if (options.contains("early_stopping"))
            decoding.rule = options["early_stopping"] ? trace::BeamRule::GenerateEarly
                                                      : trace::BeamRule::GenerateHeuristic;
        return decoding;
    }

    /// A configuration of a small model beside the files of a tokenizer.
    static void writeModel(const QTemporaryDir& folder, const std::string& tokenizer,
                           const std::string& family) {
        for (const auto& entry :
             std::filesystem::directory_iterator(recordings::folder + "tokenizers/" + tokenizer))
            std::filesystem::copy(entry.path(), folder.path().toStdString());
        const nlohmann::json config{{"family", family},       {"encoder_layers", 1},
                                    {"d_model", 12},          {"encoder_attention_heads", 2},
                                    {"vocab_size", 700},      {"tied_source_target", true},
                                    {"tied_generator", true}, {"decoder_start_token_id", 2},
                                    {"eos_token_id", 2},      {"pad_token_id", 1}};
        std::ofstream(folder.filePath("config.json").toStdString()) << config;
    }

    static std::unique_ptr<engine::Engine> opened(const QTemporaryDir& folder, const std::string& source,
                                                  const std::string& target) {
        auto engine = engines::start();
        engine->open({.path = folder.filePath("config.json").toStdString(),
                      .settings = {{"source_language", source}, {"target_language", target}},
                      .randomSeed = 1},
                     {});
        return engine;
    }

  private Q_SLOTS:
    void mapsAndDistributionsAreTheRecordedOnes_data() { eachFolder(); }
    void mapsAndDistributionsAreTheRecordedOnes() {
        QFETCH(QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto recorded = recordings::read(model.toStdString() + "/trace.npz");
        const auto run = engine->of(recordings::requestOf(model.toStdString(), recorded), trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        for (const auto* mask : {"encoder_self/mask", "decoder_self/mask", "cross/mask"})
            QVERIFY(std::ranges::equal(recorded.at(mask).bytes, recordings::maskOf(*run, mask), {},
                                       [](std::byte byte) { return std::to_integer<bool>(byte); }));
        QCOMPARE(trace::idsOf(run->next), recordings::integers(recorded, "next_ids"));
        QVERIFY(run->model->ignoredTensors.empty());
        QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
    }

    void idsAreThoseOfGenerate_data() { eachFolder("generate.json"); }
    void idsAreThoseOfGenerate() {
        QFETCH(QString, model);
        const auto engine = engines::start();
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        const auto recorded = recordings::readJson(model.toStdString() + "/generate.json");
        const auto& sources = recorded.at("sources");
        for (const auto& search : tests::some(recorded.at("searches")))
            for (std::size_t i = 0; i < tests::some(sources).size(); ++i) {
                auto request = engines::greedy(sources[i], summary->newTokens);
                request.decoding = withOptions(summary->decoding, search.at("options"));
                const auto run = engine->of(request, trace::RunWhat());
                auto ids = engines::outputOf(*run);
                ids.insert(ids.begin(), run->target.front().id);
                QCOMPARE(ids, search.at("outputs")[i].get<std::vector<std::int64_t>>());
            }
    }

    void analysesAddUpToTheNumbersOfTheModel_data() { eachFolder(); }
    void analysesAddUpToTheNumbersOfTheModel() {
        QFETCH(QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::forced({5, 9, 14, 22, 2}, {4, 13, 8, 44});
        const auto run = engine->of(request, trace::RunWhat());
        const auto lens = engine->of(request, trace::LensWhat());
        for (const auto& attribution : lens->attributions) {
            VERIFY_AGREES(recordings::compareParts(model.toStdString(), attribution));
        }
        auto detailed = request;
        detailed.recording.projections = true;
        const auto projected = engine->of(detailed, trace::RunWhat());
        for (const auto& site : {trace::AttentionSite{trace::AttentionKind::EncoderSelf, 1},
                                 trace::AttentionSite{trace::AttentionKind::DecoderSelf, 1}}) {
            const auto cell = analysis::cellArithmetic(*run, *projected, {site, 1}, 3, 1);
            QVERIFY(cell);
            QCOMPARE(cell->shownScore, double{run->record(site)->scores(1, 3, 1)});
            VERIFY_AGREES(engines::compareScore(*cell));
        }
    }

    /// Version 5 of transformers says that embeddings are tied even if the output projection is stored.
    void configurationsOfVersion5AreThoseOfVersion4() {
        const QTemporaryDir folder;
        const auto model = recordings::folder + "hugging-face/flan-t5-tiny";
        for (const auto& entry : std::filesystem::directory_iterator(model))
            std::filesystem::copy(entry.path(), folder.path().toStdString());
        auto config = recordings::readJson("hugging-face/flan-t5-tiny/config.json");
        config["tie_word_embeddings"] = true;
        config["scale_decoder_outputs"] = false;
        std::ofstream(folder.filePath("config.json").toStdString()) << config;
        const auto request = engines::greedy({5, 9, 14, 22, 2}, 6);
        const auto run = engines::with(folder.path().toStdString())->of(request, trace::RunWhat());
        QVERIFY(engines::sameBits(*run, *engines::with(model)->of(request, trace::RunWhat())));
    }

    void typesThatCannotBeReadTogetherAreNamed() {
        const QTemporaryDir folder;
        for (const auto& entry :
             std::filesystem::directory_iterator(recordings::folder + "hugging-face/bert2bert-tiny"))
            std::filesystem::copy(entry.path(), folder.path().toStdString());
        auto config = recordings::readJson("hugging-face/bert2bert-tiny/config.json");
        config["decoder"]["model_type"] = "electra";
        std::ofstream(folder.filePath("config.json").toStdString()) << config;
        trace::RefusalText refused;
        try {
            engines::with(folder.path().toStdString());
        } catch (const trace::Refusal& refusal) {
            refused = refusal.text();
        }
        QCOMPARE(refused.found, std::string("bert, electra"));
        QVERIFY(refused.expected.find("bert and gpt2") != std::string::npos);
    }

    /// Generation settings of older folders may stand with the decoder alone.
    void settingsOfTheDecoderAreFollowed() {
        const QTemporaryDir folder;
        for (const char* name : {"config.json", "model.safetensors"})
            std::filesystem::copy(recordings::folder + "hugging-face/bert2gpt2-tiny/" + name,
                                  folder.path().toStdString());
        auto config = recordings::readJson("hugging-face/bert2gpt2-tiny/config.json");
        config["eos_token_id"] = nullptr;
        config["decoder"].update({{"num_beams", 3}, {"eos_token_id", 49}});
        std::ofstream(folder.filePath("config.json").toStdString()) << config;
        const auto model = engines::start()->open({.path = folder.path().toStdString()}, {});
        QCOMPARE(model->decoding.beam, 3);
        QCOMPARE(*model->special.end, std::int64_t{49});
    }

    void aDecoderWithAVocabularyOfItsOwnHasItsOwnTokenizer() {
        const QTemporaryDir folder;
        const auto open = [&](int targets) {
            const nlohmann::json config{
                {"family", "encoder-decoder-gpt2"},
                {"encoder",
                 {{"model_type", "bert"},
                  {"hidden_size", 12},
                  {"num_hidden_layers", 1},
                  {"num_attention_heads", 2},
                  {"vocab_size", 700}}},
                {"decoder", {{"model_type", "gpt2"}, {"n_layer", 1}, {"n_head", 2}, {"vocab_size", targets}}},
                {"decoder_start_token_id", 1}};
            std::ofstream(folder.filePath("config.json").toStdString()) << config;
            auto engine = engines::start();
            engine->open({.path = folder.filePath("config.json").toStdString(), .randomSeed = 1}, {});
            return engine->of({.source = std::string("So is it."), .paths = {{.newTokens = 2}}},
                              trace::RunWhat());
        };
        const auto copy = [](const char* tokenizer, const QString& to) {
            std::filesystem::copy(recordings::folder + "tokenizers/" + tokenizer, to.toStdString());
        };
        copy("bert", folder.path());
        const auto without = open(5000);
        QCOMPARE(without->source.front().piece, std::string("[CLS]"));
        QVERIFY(without->next.front().piece.starts_with("#"));
        QVERIFY(without->model->notes.back().find("decoder_tokenizer") != std::string::npos);
        std::filesystem::create_directory(folder.filePath("decoder_tokenizer").toStdString());
        copy("gpt2", folder.filePath("decoder_tokenizer"));
        const auto with = open(700);
        QVERIFY(with->model->notes.empty());
        QVERIFY(!with->next.front().piece.starts_with("#"));
    }

    void languagesStandAroundTheSourceAndFirstInTheTarget_data() {
        QTest::addColumn<QString>("tokenizer");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QStringList>("codes"); // source, target
        QTest::addColumn<bool>("isLast");       // the source's language follows it
        QTest::addColumn<bool>("starts");       // the target's language is fed first, else it is forced
        QTest::newRow("nllb") << "nllb"
                              << "m2m100" << QStringList{"deu_Latn", "fra_Latn"} << false << false;
        QTest::newRow("m2m100") << "m2m100"
                                << "m2m100" << QStringList{"de", "fr"} << false << false;
        QTest::newRow("mbart50") << "mbart50"
                                 << "mbart" << QStringList{"de_DE", "fr_XX"} << false << false;
        QTest::newRow("mbart") << "mbart"
                               << "mbart" << QStringList{"de_DE", "fr_XX"} << true << true;
    }
    void languagesStandAroundTheSourceAndFirstInTheTarget() {
        QFETCH(QString, tokenizer);
        QFETCH(QString, family);
        QFETCH(QStringList, codes);
        QFETCH(bool, isLast);
        QFETCH(bool, starts);
        const QTemporaryDir folder;
        writeModel(folder, tokenizer.toStdString(), family.toStdString());
        const auto open = [&](const QString& source, const QString& target) {
            return opened(folder, source.toStdString(), target.toStdString());
        };
        const auto engine = open(codes[0], codes[1]);
        const auto run =
            engine->of({.source = std::string("So is it."), .paths = {{.newTokens = 3}}}, trace::RunWhat());
        const auto& model = *run->model;
        QCOMPARE(model.sourceLanguage, codes[0].toStdString());
        QCOMPARE(model.targetLanguage, codes[1].toStdString());
        const auto& source = isLast ? run->source.back() : run->source.front();
        QVERIFY(source.piece.find(codes[0].toStdString()) != std::string::npos);
        auto forced = trace::Request{.source = std::string("So is it."),
                                     .paths = {{.forced = std::string("So"), .newTokens = 0}}};
        const auto target = engine->of(forced, trace::RunWhat())->target;
        QVERIFY(target[starts ? 0 : 1].piece.find(codes[1].toStdString()) != std::string::npos);
        QCOMPARE(model.decoding.forcedFirst.has_value(), !starts);
        std::string refused;
        try {
            open("xx", codes[1]);
        } catch (const trace::Refusal& refusal) {
            refused = refusal.what();
        }
        QVERIFY2(refused.find(codes[0].toStdString()) != std::string::npos, refused.c_str());
    }

    /// tests/reference/make_targets.py
    void aGivenTargetIsFedAsTransformersFeedsIt() {
        for (const auto& recorded : tests::some(recordings::readJson("targets.json"))) {
            const auto tokenizer = recorded.at("tokenizer").get<std::string>();
            const QTemporaryDir folder;
            writeModel(folder, tokenizer, tokenizer.starts_with("mbart") ? "mbart" : "m2m100");
            if (recorded.at("legacy")) {
                auto settings = recordings::readJson("tokenizers/" + tokenizer + "/tokenizer_config.json");
                settings["legacy_behaviour"] = true;
                std::ofstream(folder.filePath("tokenizer_config.json").toStdString()) << settings;
            }
            const auto engine = opened(folder, recorded.at("source"), recorded.at("target"));
            const auto forced = recorded.at("text").get<std::string>();
            const trace::Request request{.source = std::string("So is it."),
                                         .paths = {{.forced = forced, .newTokens = 0}}};
            const auto run = engine->of(request, trace::RunWhat());
            auto fed = recorded.at("fed").get<std::vector<std::int64_t>>();
            if (fed.back() == 2)
                fed.pop_back(); // the end token of the target, which is not fed
            QCOMPARE(trace::idsOf(run->target), fed);
            // Decoding itself, the model begins with the language's token either way.
            const auto language = recorded.at("labels")[recorded.at("legacy") ? fed.size() : 0];
            if (tokenizer != "mbart")
                QCOMPARE(*run->model->decoding.forcedFirst, language.get<std::int64_t>());
        }
    }

    void aConvertedFolderIsTheSameModel_data() { eachFolder(); }
    void aConvertedFolderIsTheSameModel() {
        QFETCH(QString, model);
        const auto engine = engines::start();
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        auto request = engines::greedy({5, 9, 14, 22, 2}, summary->newTokens);
        request.decoding = summary->decoding;
        const auto before = engine->of(request, trace::RunWhat());
        const QTemporaryDir folder;
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto converted = engine->open({.path = folder.path().toStdString()}, {});
        QVERIFY(converted->decoding == summary->decoding);
        QVERIFY(converted->special == summary->special);
        const auto after = engine->of(request, trace::RunWhat());
        QCOMPARE(engines::outputOf(*after), engines::outputOf(*before));
        if (converted->bytes == summary->bytes) // products with blocks are rounded in another order
            QVERIFY(engines::sameBits(*before, *after));
        const auto random =
            engine->open({.path = folder.filePath("config.json").toStdString(), .randomSeed = 1}, {});
        QVERIFY(random->parameters >= converted->parameters); // which leave tables of sinusoids out
        for (const auto& flag : random->architecture)
            if (flag.first != "format")
                QVERIFY2(std::ranges::count(converted->architecture, flag) == 1, flag.first.c_str());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TranslatorsTest)
#include "translators_test.moc"
