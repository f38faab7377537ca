#include "tests/model/files/foreign_files.h"
#include "tests/model/text/tokens.h"
#include "tests/registered_test.h"

#include "model/files/gguf.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/hugging_face_tokenizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace foreign_files;
using namespace headscope;
using nlohmann::json;
using tokens::typed;
using trace::TokenRole;

namespace {

const std::filesystem::path tokenizerReferences = HEADSCOPE_SOURCE "/tests/reference/tokenizers";

const auto ggufTokenizers = tokenizerReferences.parent_path() / "gguf" / "tokenizers";

json recordedIn(const std::filesystem::path& file) {
    return files::parseJson(contentOf(file), file.string());
}

std::unique_ptr<text::Tokenizer> opened(const std::string& family) {
    return text::openHuggingFaceTokenizer(tokenizerReferences / family);
}

} // namespace

class HuggingFaceTokenizerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void idsAndTextAreThoseOfTransformers_data() {
        QTest::addColumn<QString>("family");
        for (const auto& entry : std::filesystem::directory_iterator(tokenizerReferences))
            if (std::filesystem::exists(entry.path() / "recorded.json")) {
                const auto name = QString::fromStdString(entry.path().filename().string());
                QTest::newRow(qPrintable(name)) << name;
            }
    }
    void idsAndTextAreThoseOfTransformers() {
        QFETCH(const QString, family);
        const auto tokenizer = opened(family.toStdString());
        const auto texts = recordedIn(tokenizerReferences / "texts.json");
        const auto recorded = recordedIn(tokenizerReferences / family.toStdString() / "recorded.json");
        QCOMPARE(recorded.size(), texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto sentence = texts[i].get<std::string>();
            const auto input = tokenizer->framed({.text = sentence});
            QVERIFY2(json(trace::idsOf(input->tokens)) == recorded[i][0], sentence.c_str());
            QVERIFY2(json(tokenizer->decode(trace::idsOf(input->tokens))) == recorded[i][1],
                     sentence.c_str());
            std::size_t begin = 0;
            for (const auto& token : input->tokens)
                if (token.range) {
                    QVERIFY2(token.range->begin >= begin && token.range->end >= token.range->begin &&
                                 token.range->end <= sentence.size(),
                             sentence.c_str());
                    begin = token.range->begin;
                }
        }
    }

    void tokenizersInGgufFilesAreTheSame_data() {
        QTest::addColumn<QString>("family");
        for (const auto& entry : std::filesystem::directory_iterator(ggufTokenizers))
            QTest::newRow(entry.path().stem().c_str())
                << QString::fromStdString(entry.path().stem().string());
    }
    void tokenizersInGgufFilesAreTheSame() {
        QFETCH(const QString, family);
        const auto path = ggufTokenizers / (family.toStdString() + ".gguf");
        const auto tokenizer = text::openHuggingFaceTokenizer(
            text::ggufTokenizer(files::readGgufMetadata(path), path.string()), path.string());
        const auto original = opened(family.toStdString());
        QCOMPARE(tokenizer->size(), original->size());
        const auto texts = recordedIn(tokenizerReferences / "texts.json");
        const auto recorded = recordedIn(tokenizerReferences / family.toStdString() / "recorded.json");
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto sentence = texts[i].get<std::string>();
            const auto ids = trace::idsOf(tokenizer->framed({.text = sentence})->tokens);
            QVERIFY2(json(ids) == recorded[i][0], sentence.c_str());
            QCOMPARE(tokenizer->decode(ids), recorded[i][1].get<std::string>());
        }
        for (std::int64_t id = 0; id < tokenizer->size(); ++id)
            QCOMPARE(tokenizer->piece(id), original->piece(id));
    }

    void otherTokenizersOfGgufFilesAreRefusedByName() {
        auto metadata = files::readGgufMetadata(ggufTokenizers / "gpt2.gguf");
        const auto refused = [&](const char* key, const json& value) {
            auto other = metadata;
            other[key] = value;
            return refusalOf([&] { text::ggufTokenizer(other, "model.gguf"); });
        };
        QVERIFY(contains(refused("tokenizer.ggml.pre", "kimi-k2"), {"kimi-k2", "llama-bpe", "model.gguf"}));
        QVERIFY(contains(refused("tokenizer.ggml.model", "rwkv"), {"rwkv", "llama, gpt2, bert or t5"}));
        QVERIFY(contains(refused("tokenizer.ggml.tokens", {"a", "b", "a"}), {"twice"}));
        QVERIFY(contains(refused("tokenizer.ggml.tokens", 5), {"tokenizer.ggml.tokens"}));
        QVERIFY(contains(refused("tokenizer.ggml.merges", json()), {"tokenizer.ggml.merges"}));
    }

    /// As tokenizer.json of Phi-3 says with "rstrip", which a GGUF file cannot.
    void tokensOfPhi3TakeTheWhiteSpaceAfterThem() {
        auto metadata = files::readGgufMetadata(ggufTokenizers / "older_llama2.gguf");
        const auto idsOf = [&](const char* text) {
            const auto tokenizer = text::openHuggingFaceTokenizer(text::ggufTokenizer(metadata, "m"), "m");
            return trace::idsOf(tokenizer->encode(text));
        };
        QVERIFY(idsOf("</s>  a") != idsOf("</s>a"));
        metadata["general.name"] = "Phi-3 mini";
        QVERIFY(idsOf("</s>  a") == idsOf("</s>a"));
        QVERIFY(idsOf("<s>  a") != idsOf("<s>a"));
    }

    void everySplittingOfGgufFilesIsRead_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        // As the regular expressions of the models' own tokenizer.json split "It's 12345 Ab,cd".
        for (const auto& [name, words] :
             std::map<const char*, const char*>{{"default", "It|'|s| |123|45| Ab|,|cd"},
                                                {"gpt-2", "It|'s| 12345| Ab|,|cd"},
                                                {"llama-bpe", "It|'s| |123|45| Ab|,cd"},
                                                {"qwen2", "It|'s| |1|2|3|4|5| Ab|,cd"},
                                                {"smollm", "It|'s| |1|2|3|4|5| Ab|,|cd"},
                                                {"falcon", "It|'|s| |123|45| Ab|,|cd"},
                                                {"deepseek-llm", "It|'|s| |12345| Ab|,|cd"},
                                                {"deepseek-coder", "It|'|s| |1|2|3|4|5| Ab|,|cd"},
                                                {"deepseek-v3", "It|'s| |123|45| Ab|,cd"},
                                                {"tekken", "It|'s| |1|2|3|4|5| Ab|,cd"},
                                                {"gpt-4o", "It's| |123|45| Ab|,cd"},
                                                {"bloom", "It's| 12345| Ab|,|cd"},
                                                {"viking", "It's| |1|2|3|4|5| Ab|,|cd"}})
            QTest::newRow(name) << name << words;
    }
    /// Every part of the text is a token, so that words are.
    void everySplittingOfGgufFilesIsRead() {
        QFETCH(const QString, name);
        QFETCH(const QString, words);
        const std::string text = "It's 12345 Ab,cd";
        const auto spelled = [&](std::size_t begin, std::size_t end) {
            return QString::fromStdString(text.substr(begin, end - begin)).replace(' ', "Ġ").toStdString();
        };
        std::set<std::string> tokens;
        std::set<std::pair<std::string, std::string>> merges;
        for (std::size_t begin = 0; begin < text.size(); ++begin)
            for (std::size_t end = begin + 1; end <= text.size(); ++end) {
                tokens.insert(spelled(begin, end));
                for (auto middle = begin + 1; middle < end; ++middle)
                    merges.emplace(spelled(begin, middle), spelled(middle, end));
            }
        json pairs = json::array();
        for (const auto& [left, right] : merges)
            pairs.push_back(left + " " + right);
        const json metadata{{"tokenizer.ggml.model", "gpt2"},
                            {"tokenizer.ggml.pre", name.toStdString()},
                            {"tokenizer.ggml.tokens", tokens},
                            {"tokenizer.ggml.merges", pairs},
                            {"tokenizer.ggml.add_bos_token", false}};
        const auto tokenizer = text::openHuggingFaceTokenizer(text::ggufTokenizer(metadata, "m"), "m");
        QStringList found;
        for (const auto& token : tokenizer->encode(text))
            found << QString::fromStdString(typed(token, text));
        QCOMPARE(found.join('|'), words);
    }

    void bytesOfOneCharacterHaveItsRange() {
        const std::string sentence = "a 😀";
        const auto tokens = opened("gpt2")->encode(sentence);
        QVERIFY(tokens.size() >= 3);
        QCOMPARE(typed(tokens.front(), sentence), std::string("a"));
        QCOMPARE(tokens.back().range->begin, std::size_t{2});
        QCOMPARE(tokens.back().range->end, sentence.size());
    }

    void byteLevelTokensAreShownAsText() {
        const auto tokenizer = opened("gpt2");
        const auto tokens = tokenizer->encode("and no\n\xc3\xa4");
        QVERIFY(std::ranges::any_of(
            tokens, [](const trace::Token& token) { return token.piece.starts_with(trace::spaceMark); }));
        QVERIFY(std::ranges::find(tokens, "<0x0A>", &trace::Token::piece) != tokens.end());
        QCOMPARE(tokenizer->piece(tokenizer->size()), "#" + std::to_string(tokenizer->size()));
    }

    void addedTokensStandForThemselves() {
        const std::string sentence = "a <mask> b";
        const auto tokens = opened("roberta")->encode(sentence);
        const auto mask = std::ranges::find(tokens, "<mask>", &trace::Token::piece);
        QVERIFY(mask != tokens.end());
        QCOMPARE(typed(*mask, sentence), std::string("<mask>"));
    }

    void twoTextsAreFramedAsAPair() {
        const auto input =
            opened("roberta")->framed({.text = "a", .second = std::optional<std::string_view>("b")});
        QCOMPARE(input->tokens.size(), std::size_t{6});
        QVERIFY(input->parts ==
                (std::vector{text::InputPart::Added, text::InputPart::First, text::InputPart::Added,
                             text::InputPart::Added, text::InputPart::Second, text::InputPart::Added}));
        QVERIFY(input->tokens.front().role == TokenRole::Start);
        QVERIFY(input->tokens.back().role == TokenRole::End);
        QVERIFY(input->tokens[4].range == (trace::ByteRange{0, 1}));
    }

    void aLanguageStandsBesideTheText_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("other");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("isFirst");
        QTest::newRow("mbart") << "mbart"
                               << "en_XX"
                               << "de_DE" << 25 << false;
        QTest::newRow("mbart50") << "mbart50"
                                 << "en_XX"
                                 << "de_DE" << 52 << true;
        QTest::newRow("nllb") << "nllb"
                              << "eng_Latn"
                              << "deu_Latn" << 202 << true;
    }
    void aLanguageStandsBesideTheText() {
        QFETCH(const QString, family);
        QFETCH(const QString, source);
        QFETCH(const QString, other);
        QFETCH(const int, count);
        QFETCH(const bool, isFirst);
        const auto tokenizer = opened(family.toStdString());
        const auto languages = tokenizer->languageTokens();
        QCOMPARE(languages.source, source.toStdString());
        QCOMPARE(languages.all.size(), static_cast<std::size_t>(count));
        const auto code = other.toStdString();
        const auto input = tokenizer->framed({.text = "a", .language = code});
        const auto& token = isFirst ? input->tokens.front() : input->tokens.back();
        QCOMPARE(token.piece, code);
        QCOMPARE(token.id, std::ranges::find(languages.all, code, &text::Language::code)->id);
        QVERIFY(contains(refusalOf([&] { tokenizer->framed({.text = "a", .language = "tlh"}); }),
                         {"tlh", source.toUtf8().constData()}));
    }

    void specialTokensHaveRoles() {
        const auto bert = opened("bert");
        const auto special = bert->specialTokens();
        QCOMPARE(bert->piece(*special.mask), std::string("[MASK]"));
        QCOMPARE(bert->piece(*special.classification), std::string("[CLS]"));
        QVERIFY(!special.start);
        const auto tokens = opened("roberta")->encode("a<pad>b</s>");
        QVERIFY(tokens[1].role == TokenRole::Padding);
        QVERIFY(tokens[3].role == TokenRole::End);
        QVERIFY(bert->encode("\u5b57")[0].role == TokenRole::Unknown);
    }

    void longTextsTakeLinearTime() {
        const auto tokenizer = opened("llama3");
        QVERIFY(!tokenizer->encode(std::string(1'000'000, ' ')).empty());
        QVERIFY(!tokenizer->encode(std::string(100'000, 'x')).empty());
    }

    /// Without a pre-tokenizer all of it is one word.
    void aWordOfAMillionCharactersTakesSeconds() {
        std::string text;
        while (text.size() < 1'000'000)
            text += "the boats were tied up ";
        for (const char* family : {"llama2", "gemma", "t5"})
            QVERIFY(!opened(family)->encode(text).empty());
    }

    void aPrependedMarkHasTheRangeOfTheFirstCharacter() {
        const std::string sentence = "ä b";
        const auto tokens = opened("llama2")->encode(sentence);
        QCOMPARE(tokens.front().range->begin, std::size_t{0});
        QCOMPARE(tokens.back().range->end, sentence.size());
    }

    void textThatIsNoUtf8IsRefused() {
        QVERIFY(contains(refusalOf([] { opened("gpt2")->encode("k\xe4se"); }), {"UTF-8"}));
    }

    void aBrokenFileIsRefusedByPlace_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        const auto with = [](const char* stage) {
            return QByteArray(R"({"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[]})") + stage + "}";
        };
        QTest::newRow("no model") << QByteArray("{}") << "model";
        QTest::newRow("model") << QByteArray(R"({"model":{"type":"Oracle"}})") << "Oracle";
        QTest::newRow("two of one id")
            << QByteArray(R"({"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}})") << "as has \"a\"";
        QTest::newRow("merge") << QByteArray(R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}})")
                               << "\"b\"";
        QTest::newRow("no pair") << QByteArray(R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}})")
                                 << "merges";
        QTest::newRow("normalizer") << with(R"(,"normalizer":{"type":"Upside"})") << "Upside";
        QTest::newRow("pre-tokenizer") << with(R"(,"pre_tokenizer":{"type":"Coin"})") << "Coin";
        QTest::newRow("expression")
            << with(R"(,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"*a"},"behavior":"Isolated"})")
            << "*a";
        QTest::newRow("template")
            << with(R"(,"post_processor":{"type":"BertProcessing","cls":["a",9],"sep":["b",1]})") << "9";
        QTest::newRow("added token") << with(R"(,"added_tokens":[{"id":-1,"content":"x"}])") << "-1";
        QTest::newRow("decoder") << with(R"(,"decoder":{"type":"Wheel"})") << "Wheel";
    }
    void aBrokenFileIsRefusedByPlace() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, found);
        const Folder folder;
        writeFile(folder / "tokenizer.json", content.toStdString());
        QVERIFY(contains(refusalOf([&] { text::openHuggingFaceTokenizer(folder.path()); }),
                         {"tokenizer.json", found.toUtf8().constData()}));
    }

    /// Twenty times thirty-two characters for each.
    void aNormalizerThatMakesTooMuchIsRefused() {
        const Folder folder;
        const json replace{
            {"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(32, 'a')}};
        const json model{{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", json::array()}};
        const json file{
            {"model", model},
            {"normalizer", {{"type", "Sequence"}, {"normalizers", json::array({replace, replace})}}}};
        writeFile(folder / "tokenizer.json", file.dump());
        const auto tokenizer = text::openHuggingFaceTokenizer(folder.path());
        QVERIFY(contains(refusalOf([&] { tokenizer->encode(std::string(100, 'a')); }), {"normalizer"}));
    }

    void olderFilesAreRefusedByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        QTest::newRow("words") << "vocab.txt" << QByteArray("[CLS]\n[SEP]\n") << "unk_token";
        QTest::newRow("frame") << "vocab.txt" << QByteArray("[UNK]\na\n") << "cls_token";
        QTest::newRow("pieces") << "tokenizer.model" << QByteArray("Dear diary") << "SentencePiece";
        QTest::newRow("config") << "tokenizer_config.json" << QByteArray("[]") << "array";
        QTest::newRow("flag") << "tokenizer_config.json"
                              << QByteArray(R"({"tokenizer_class":"GPT2Tokenizer","add_prefix_space":3})")
                              << "add_prefix_space";
    }
    void olderFilesAreRefusedByName() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        QFETCH(const QString, found);
        const Folder folder;
        const json model{{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", json::array()}};
        const json file{{"model", model}, {"pre_tokenizer", {{"type", "ByteLevel"}}}};
        if (name == "tokenizer_config.json")
            writeFile(folder / "tokenizer.json", file.dump());
        writeFile(folder / name.toUtf8().constData(), content.toStdString());
        QVERIFY(contains(refusalOf([&] { text::openHuggingFaceTokenizer(folder.path()); }),
                         {name.toUtf8().constData(), found.toUtf8().constData()}));
    }

    void aFolderSaysWhichFilesItsTokenizerHas() {
        QVERIFY(!text::hasHuggingFaceTokenizer(Folder().path()));
        const auto files = text::huggingFaceTokenizerFiles(tokenizerReferences / "older_gpt2");
        QCOMPARE(files.front().filename().string(), std::string("vocab.json"));
        QCOMPARE(files[1].filename().string(), std::string("merges.txt"));
    }

    void anExpressionThatNeverEndsIsRefused() {
        const Folder folder;
        writeFile(folder / "tokenizer.json",
                  R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":{"type":"Split",)"
                  R"("pattern":{"Regex":"(a+)+b"},"behavior":"Isolated"}})");
        const auto tokenizer = text::openHuggingFaceTokenizer(folder.path());
        QVERIFY(contains(refusalOf([&] { tokenizer->encode(std::string(60, 'a')); }), {"(a+)+b"}));
    }
};

HEADSCOPE_TEST(HuggingFaceTokenizerTest)
#include "hugging_face_tokenizer_test.moc"
