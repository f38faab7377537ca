#include "tests/model/files/foreign_files.h"
#include "tests/model/text/tokens.h"
#include "tests/registered_test.h"

#include "model/files/limited_json.h"
#include "model/text/marian_tokenizer.h"
#include "model/text/sentence_piece.h"
#include "model/text/tokenizer_pair.h"

#include <nlohmann/json.hpp>

using namespace foreign_files;
using namespace headscope;
using tokens::typed;
using trace::TokenRole;

namespace {

const std::filesystem::path reference = HEADSCOPE_SOURCE "/tests/reference";

text::MarianFiles filesOf(const std::string& model) {
    const auto folder = reference / model;
    text::MarianFiles files{folder / "source.spm", folder / "target.spm", folder / "vocab.json", {}};
    if (std::filesystem::exists(folder / "target_vocab.json"))
        files.targetVocabulary = folder / "target_vocab.json";
    return files;
}

std::vector<std::string> piecesOf(const std::vector<trace::Token>& tokens) {
    std::vector<std::string> pieces;
    for (const auto& token : tokens)
        pieces.push_back(token.piece);
    return pieces;
}

} // namespace

class MarianTokenizerTest : public QObject {
    Q_OBJECT

    std::unique_ptr<text::Tokenizer> joint_;

    /// The refusal if one file is replaced by `content`.
    std::string refusalWith(const char* name, const std::string& content) {
        const Folder folder;
        auto files = filesOf("marian-tiny");
        writeFile(folder / name, content);
        (std::string(name) == "vocab.json" ? files.vocabulary : files.sourcePieces) = folder / name;
        return refusalOf([&] { text::openMarianTokenizer(files); });
    }

  private Q_SLOTS:
    void initTestCase() { joint_ = text::openMarianTokenizer(filesOf("marian-tiny")); }

    void idsPiecesAndTextAreThoseOfTransformers_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("one vocabulary") << "marian-tiny";
        QTest::newRow("two vocabularies") << "marian-tiny-untied";
    }
    void idsPiecesAndTextAreThoseOfTransformers() {
        QFETCH(const QString, model);
        const auto tokenizer = text::openMarianTokenizer(filesOf(model.toStdString()));
        const auto recorded =
            files::parseJson(contentOf(reference / model.toStdString() / "tokenized.json"), "tokenized.json");
        QVERIFY(recorded.size() >= 20);
        for (const auto& entry : recorded) {
            const auto sentence = entry.at("text").get<std::string>();
            const auto ids = entry.at("ids").get<std::vector<std::int64_t>>();
            const auto targetIds = entry.at("target_ids").get<std::vector<std::int64_t>>();
            const auto tokens = tokenizer->encode(sentence);
            auto framed = idsOf(tokens);
            framed.push_back(0);
            QVERIFY2(framed == ids, sentence.c_str());
            QCOMPARE(piecesOf(tokens), entry.at("pieces").get<std::vector<std::string>>());
            auto target = idsOf(tokenizer->encodeTarget(sentence));
            target.push_back(0);
            QVERIFY2(target == targetIds, sentence.c_str());
            QCOMPARE(tokenizer->decode(ids), entry.at("decoded").get<std::string>());
            QCOMPARE(tokenizer->decode(targetIds), entry.at("target_decoded").get<std::string>());
        }
    }

    void rangesAreThoseOfTheTypedSentence() {
        const std::string sentence = ">>de<< Ärger 😀 is</s>>>fr<<hello";
        const auto tokens = joint_->encode(sentence);
        std::size_t end = 0;
        for (const auto& token : tokens) {
            QVERIFY(token.range && token.range->begin >= end && token.range->end >= token.range->begin);
            end = token.range->end;
        }
        QCOMPARE(end, sentence.size());
        QCOMPARE(typed(tokens[0], sentence), std::string(">>de<<"));
        const auto withPiece = [&](const std::string& piece) {
            return *std::ranges::find(tokens, piece, &trace::Token::piece);
        };
        QCOMPARE(typed(withPiece("Ä"), sentence), std::string("Ä"));
        QCOMPARE(typed(withPiece("😀"), sentence), std::string("😀"));
        QCOMPARE(typed(withPiece("</s>"), sentence), std::string("</s>"));
        QCOMPARE(typed(withPiece(">>fr<<"), sentence), std::string(">>fr<<"));
        QVERIFY(withPiece("😀").role == TokenRole::Unknown);
        QVERIFY(withPiece("</s>").role == TokenRole::End);
        QVERIFY(withPiece("Ä").role == TokenRole::Text);
    }

    /// As in transformers.
    void aTypedPaddingTokenIsOne() {
        const auto tokens = joint_->encode("a<pad>b");
        const auto padding = std::ranges::find(tokens, "<pad>", &trace::Token::piece);
        QVERIFY(padding != tokens.end());
        QCOMPARE(joint_->piece(padding->id), std::string("<pad>"));
        QVERIFY(padding->role == TokenRole::Padding);
        QCOMPARE(padding->range->begin, std::size_t{1});
    }

    void languagesAreTheCodesOfTheVocabulary() {
        QCOMPARE(joint_->languages(), (std::vector<std::string>{">>de<<", ">>fr<<"}));
        QVERIFY(text::openMarianTokenizer(filesOf("marian-tiny-untied"))->languages().empty());
    }

    void eachSideHasItsVocabulary() {
        const auto two = text::openMarianTokenizer(filesOf("marian-tiny-untied"));
        QVERIFY(two->piece(5) != two->targetPiece(5));
        QCOMPARE(two->piece(0), std::string("</s>"));
        QCOMPARE(two->targetPiece(two->targetSize()), "#" + std::to_string(two->targetSize()));
        QCOMPARE(joint_->piece(3), std::string(">>fr<<"));
        QCOMPARE(joint_->size(), std::int64_t{598});
        QCOMPARE(joint_->targetSize(), joint_->size());
        QVERIFY(contains(joint_->description(), {"Marian", "598"}));
        QCOMPARE(joint_->decode(std::vector<std::int64_t>{-1, 598, 0}), std::string());
    }

    void textThatIsNoUtf8IsRefused() {
        QVERIFY(contains(refusalOf([&] { joint_->encode("k\xe4se"); }), {"UTF-8"}));
        QVERIFY(contains(refusalOf([&] { joint_->encode(">>\xe4<< a"); }), {"UTF-8"}));
    }

    void aBrokenVocabularyIsRefusedByName_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        QTest::newRow("list") << QByteArray("[1]") << "array";
        QTest::newRow("empty") << QByteArray("{}") << "none";
        QTest::newRow("twice") << QByteArray(R"({"<unk>":0,"b":0})") << "\"b\" has 0, as has \"<unk>\"";
        QTest::newRow("gap") << QByteArray(R"({"<unk>":0,"b":2})") << "\"b\" has 2";
        QTest::newRow("negative") << QByteArray(R"({"<unk>":0,"b":-1})") << "\"b\" has -1";
        QTest::newRow("text") << QByteArray(R"({"<unk>":0,"b":"1"})") << "\"b\" has \"1\"";
        QTest::newRow("fraction") << QByteArray(R"({"<unk>":0,"b":1.0})") << "\"b\" has 1.0";
        QTest::newRow("no unknown") << QByteArray(R"({"a":0,"b":1})") << "<unk>";
    }
    void aBrokenVocabularyIsRefusedByName() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, found);
        QVERIFY(contains(refusalWith("vocab.json", content.toStdString()),
                         {"vocab.json", found.toUtf8().constData()}));
    }

    void aBrokenModelIsRefusedByName() {
        QVERIFY(contains(refusalWith("source.spm", "Dear diary"), {"source.spm", "SentencePiece"}));
    }

    /// Of models of Marian itself, each language has the ids of its own file.
    void twoSentencePieceFilesAreTwoVocabularies() {
        const auto files = filesOf("marian-tiny");
        const auto source = text::openSentencePiece(files.sourcePieces);
        const auto target = text::openSentencePiece(files.targetPieces);
        const auto pair = text::pairOfTokenizers(text::openSentencePiece(files.sourcePieces),
                                                 text::openSentencePiece(files.targetPieces));
        const std::string sentence = "It is late.";
        QCOMPARE(pair->encode(sentence), source->encode(sentence));
        const auto tokens = target->encode(sentence);
        QCOMPARE(pair->encodeTarget(sentence), tokens);
        QCOMPARE(pair->decode(trace::idsOf(tokens)), target->decode(trace::idsOf(tokens)));
        QCOMPARE(pair->piece(5), source->piece(5));
        QCOMPARE(pair->targetPiece(5), target->piece(5));
        QCOMPARE(pair->size(), source->size());
        QCOMPARE(pair->targetSize(), target->size());
    }
};

HEADSCOPE_TEST(MarianTokenizerTest)
#include "marian_tokenizer_test.moc"
