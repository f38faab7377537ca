#include "tests/model/files/foreign_files.h"
#include "tests/model/text/tokens.h"
#include "tests/registered_test.h"

#include "model/text/sentence_piece.h"

using namespace foreign_files;
using namespace headscope;
using tokens::typed;
using trace::TokenRole;

namespace {

constexpr const char* bundled = HEADSCOPE_SOURCE "/resources/models/tatoeba-en-de/spm.model";

} // namespace

class SentencePieceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<text::Tokenizer> model_;

  private Q_SLOTS:
    void initTestCase() { model_ = text::openSentencePiece(bundled); }

    void idsAreThoseOfTheCommandLineTool() {
        QCOMPARE(idsOf(model_->encode("Tom is käse-hungry 🙂 .")),
                 (std::vector<std::int64_t>{5, 21, 750, 283, 306, 221, 181, 251, 1520, 35, 1, 35, 4}));
        QCOMPARE(idsOf(model_->encode("  two   spaces ")), (std::vector<std::int64_t>{429, 4766, 10}));
    }

    void rangesTileTheSentenceInBytes() {
        const std::string sentence = "Tom is käse-hungry 🙂 .";
        const auto tokens = model_->encode(sentence);
        std::size_t end = 0;
        for (const auto& token : tokens) {
            QVERIFY(token.range.has_value());
            QCOMPARE(token.range->begin, end);
            end = token.range->end;
        }
        QCOMPARE(end, sentence.size());
        QCOMPARE(tokens[3].piece, std::string("ä"));
        QCOMPARE(typed(tokens[3], sentence), std::string("ä"));
        QCOMPARE(*tokens[3].range, (trace::ByteRange{8, 10}));
        QCOMPARE(typed(tokens[10], sentence), std::string("🙂"));
        QCOMPARE(typed(tokens[1], sentence), std::string(" is"));
    }

    void rangesFollowTheTypedTextWhereItWasNormalised() {
        const std::string sentence = "\xef\xac\x81ne"; // the ligature "fi" as one character
        const auto tokens = model_->encode(sentence);
        QCOMPARE(tokens.size(), std::size_t{1});
        QCOMPARE(tokens[0].piece, std::string("▁fine"));
        QCOMPARE(*tokens[0].range, (trace::ByteRange{0, sentence.size()}));
    }

    void whatTheVocabularyDoesNotHoldIsUnknown() {
        const auto tokens = model_->encode("水");
        QCOMPARE(idsOf(tokens), (std::vector<std::int64_t>{35, 1}));
        QVERIFY(tokens[1].role == TokenRole::Unknown);
        QVERIFY(tokens[0].role == TokenRole::Text);
        QCOMPARE(tokens[1].piece, std::string("水"));
    }

    void emptyTextHasNoTokens() {
        QVERIFY(model_->encode("").empty());
        QVERIFY(model_->encode("   ").empty());
        QCOMPARE(model_->decode({}), std::string());
    }

    void textThatIsNoUtf8IsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("lone continuation") << QByteArray("a\x80");
        QTest::newRow("cut") << QByteArray("a\xc3");
        QTest::newRow("Latin-1") << QByteArray("k\xe4se");
        QTest::newRow("overlong") << QByteArray("\xc0\xaf");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80");
    }
    void textThatIsNoUtf8IsRefused() {
        QFETCH(const QByteArray, text);
        QVERIFY(contains(refusalOf([&] { model_->encode(text.toStdString()); }), {"sentence", "UTF-8"}));
    }

    void piecesAndIdsMakeTheTextAgain() {
        const std::string sentence = "Where did you put the keys?";
        QCOMPARE(model_->decode(idsOf(model_->encode(sentence))), sentence);
        const std::vector<std::int64_t> withControls{2, 5, 3, 0};
        QCOMPARE(model_->decode(withControls), std::string("Tom"));
    }

    void idsOutsideTheVocabularyAreNumbersAndNoText() {
        QCOMPARE(model_->size(), std::int64_t{8000});
        QCOMPARE(model_->piece(5), std::string("▁Tom"));
        QCOMPARE(model_->piece(8000), std::string("#8000"));
        QCOMPARE(model_->piece(-1), std::string("#-1"));
        const std::vector<std::int64_t> outside{5, 8000, -1};
        QCOMPARE(model_->decode(outside), std::string("Tom"));
        QVERIFY(contains(model_->description(), {"SentencePiece", "8000"}));
    }

    void aFileThatIsNoModelIsRefusedByName() {
        const Folder folder;
        writeFile(folder / "notes.txt", "Dear diary");
        QVERIFY(contains(refusalOf([&] { text::openSentencePiece(folder / "notes.txt"); }),
                         {"notes.txt", "SentencePiece", "What to do"}));
        QVERIFY(contains(refusalOf([&] { text::openSentencePiece(folder / "missing.model"); }),
                         {"missing.model"}));
        const std::string whole = contentOf(bundled);
        writeFile(folder / "cut.model", whole.substr(0, whole.size() / 2));
        QVERIFY(contains(refusalOf([&] { text::openSentencePiece(folder / "cut.model"); }), {"cut.model"}));
    }

    void changesInTheNormaliserOfARealModelDoNotCrash() {
        const Folder folder;
        const std::string whole = contentOf(bundled);
        const auto table = whole.find("nmt_nfkc");
        QVERIFY(table != whole.npos);
        for (std::size_t step = 1; step < 60; ++step) {
            std::string changed = whole;
            changed[table + 12 + step * step * 50] ^= static_cast<char>(1 << step % 8);
            std::filesystem::remove(folder / "spm.model"); // overwriting an old file waits for the disk
            writeFile(folder / "spm.model", changed);
            refusalOf([&] { text::openSentencePiece(folder / "spm.model")->encode("Tom Ä ﬁ ½ 水 \u212b"); });
        }
    }
};

HEADSCOPE_TEST(SentencePieceTest)
#include "sentence_piece_test.moc"
