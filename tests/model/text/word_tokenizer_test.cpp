#include "tests/model/files/foreign_files.h"
#include "tests/model/text/tokens.h"
#include "tests/registered_test.h"

#include "model/files/limited_json.h"
#include "model/text/word_tokenizer.h"

#include <nlohmann/json.hpp>

using namespace foreign_files;
using namespace headscope;
using tokens::wordReferences;
using trace::TokenRole;

class WordTokenizerTest : public QObject {
    Q_OBJECT

    std::string refusalFor(const std::string& words) {
        const Folder folder;
        writeFile(folder / "words.txt", words);
        return refusalOf([&] { text::openWordTokenizer({.source = folder / "words.txt"}); });
    }

  private Q_SLOTS:
    void idsAreThoseOfTheRecording_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"vocabulary.txt", "vocab.pt", "vocab-default.pt", "vocab-pair.pt", "vocab-module.pt"})
            QTest::newRow(file) << file;
    }
    void idsAreThoseOfTheRecording() {
        QFETCH(const QString, file);
        text::WordFiles files{.source = wordReferences / file.toStdString()};
        const auto plain = text::openWordTokenizer(files);
        files.splitting = text::WordSplitting::BasicEnglish;
        const auto english = text::openWordTokenizer(files);
        for (const auto& entry :
             tests::some(files::parseJson(contentOf(wordReferences / "split.json"), "split.json"))) {
            const auto sentence = entry.at("text").get<std::string>();
            QCOMPARE(idsOf(plain->encode(sentence)),
                     entry.at("white_space_ids").get<std::vector<std::int64_t>>());
            QCOMPARE(idsOf(english->encode(sentence)),
                     entry.at("basic_english_ids").get<std::vector<std::int64_t>>());
        }
    }

    void unknownWordsKeepTheirSpellingAndPlace() {
        const auto words = text::openWordTokenizer({.source = wordReferences / "vocabulary.txt"});
        const auto tokens = words->encode("the Käfer <unk> 漢字");
        QCOMPARE(idsOf(tokens), (std::vector<std::int64_t>{4, 0, 0, 19}));
        QCOMPARE(tokens[1].piece, std::string("Käfer"));
        QCOMPARE(*tokens[1].range, (trace::ByteRange{4, 10}));
        QVERIFY(tokens[0].role == TokenRole::Text);
        QVERIFY(tokens[1].role == TokenRole::Unknown);
        QVERIFY(tokens[2].role == TokenRole::Unknown);
    }

    void theUnknownIdIsTheOneGivenElseThatOfTheFile() {
        const auto given = text::openWordTokenizer({.source = wordReferences / "vocab.pt", .unknown = 7});
        QCOMPARE(idsOf(given->encode("zebra")), (std::vector<std::int64_t>{7}));
        const Folder folder;
        writeFile(folder / "words.txt", "a\nb\n");
        const auto none = text::openWordTokenizer({.source = folder / "words.txt"});
        QCOMPARE(idsOf(none->encode("b a")), (std::vector<std::int64_t>{1, 0}));
        QVERIFY(contains(refusalOf([&] { none->encode("a zebra"); }), {"byte 2", "zebra", "--unknown-id"}));
        QVERIFY(contains(
            refusalOf([&] { text::openWordTokenizer({.source = folder / "words.txt", .unknown = 2}); }),
            {"words.txt", "0 to 1", "Found: 2"}));
    }

    void idsBecomeWordsWithSpacesAndWithoutControls() {
        const auto words =
            text::openWordTokenizer({.source = wordReferences / "vocabulary.txt", .controls = {1, 2, 3}});
        QCOMPARE(words->decode(std::vector<std::int64_t>{2, 4, 8, 0, 6, 3, 1, 99, -1}),
                 std::string("the dog <unk> ."));
        QCOMPARE(words->decode({}), std::string());
    }

    /// Where the pattern would not find them again without.
    void wordsOfAPatternHaveSpacesWhereTheyNeedThem() {
        const Folder folder;
        writeFile(folder / "letters.txt", "<unk>\nA\nC\nG\nT\n");
        writeFile(folder / "numbers.txt", "<unk>\n9\n10\n11\n12\n13\n");
        text::WordFiles files{.source = folder / "letters.txt", .target = folder / "letters.txt"};
        files.pattern = text::Pattern::ofExpression(".", "here");
        const std::vector<std::int64_t> ids{1, 2, 3};
        QCOMPARE(text::openWordTokenizer(files)->decode(ids), std::string("ACG"));
        files.target = folder / "numbers.txt";
        const auto numbered = text::openWordTokenizer(files);
        QCOMPARE(numbered->decode(ids), std::string("9 10 11"));
        QCOMPARE(idsOf(numbered->encodeTarget("9 10 11")), ids);
        QCOMPARE(idsOf(numbered->encode("ACG")), ids);
        writeFile(folder / "words.txt", "<unk>\nthe\ncat\nsees\n.\n");
        files = {.source = folder / "words.txt"};
        files.pattern = text::Pattern::ofExpression("\\w+|[^\\w\\s]", "here");
        QCOMPARE(text::openWordTokenizer(files)->decode(ids), std::string("the cat sees"));
    }

    void theTargetHasItsOwnWords() {
        const auto pair = text::openWordTokenizer({.source = wordReferences / "vocab-pair.pt"});
        QCOMPARE(idsOf(pair->encode("the bed")), (std::vector<std::int64_t>{4, 21}));
        QCOMPARE(idsOf(pair->encodeTarget("the bed")), (std::vector<std::int64_t>{21, 4}));
        QCOMPARE(pair->piece(4), std::string("the"));
        QCOMPARE(pair->targetPiece(4), std::string("bed"));
        QCOMPARE(pair->decode(std::vector<std::int64_t>{21, 4}), std::string("the bed"));
        const Folder folder;
        writeFile(folder / "target.txt", "<unk>\nBett\n");
        for (const char* source : {"vocabulary.txt", "vocab-pair.pt"}) {
            const auto two =
                text::openWordTokenizer({.source = wordReferences / source, .target = folder / "target.txt"});
            QCOMPARE(idsOf(two->encode("bed")), (std::vector<std::int64_t>{21}));
            QCOMPARE(idsOf(two->encodeTarget("Bett bed")), (std::vector<std::int64_t>{1, 0}));
            QCOMPARE(two->targetSize(), std::int64_t{2});
            QCOMPARE(two->size(), std::int64_t{22});
            QVERIFY(contains(two->description(), {"words", "22 and 2"}));
        }
    }

    void foreignLineEndsAreNoPartOfTheWords() {
        const Folder folder;
        writeFile(folder / "words.txt", "\xef\xbb\xbf"
                                        "a\r\nb\r\nc");
        const auto words = text::openWordTokenizer({.source = folder / "words.txt"});
        QCOMPARE(words->piece(0), std::string("a"));
        QCOMPARE(words->piece(2), std::string("c"));
        QCOMPARE(words->piece(3), std::string("#3"));
    }

    void badListsAreRefusedByNameAndLine() {
        QVERIFY(contains(refusalFor(""), {"words.txt", "none"}));
        QVERIFY(contains(refusalFor("a\n\nb\n"), {"words.txt", "line 2 is empty"}));
        QVERIFY(contains(refusalFor("a\nk\xe4se\n\n"), {"line 2 is no UTF-8", "line 3 is empty"}));
        QVERIFY(contains(refusalFor("a\nb\na\nb\n"),
                         {"words.txt", "\"a\" in line 3 as in line 1", "\"b\" in line 4 as in line 2"}));
        QVERIFY(
            contains(refusalOf([&] { text::openWordTokenizer({.source = wordReferences / "missing.txt"}); }),
                     {"missing.txt"}));
    }

    void textThatIsNoUtf8IsRefused() {
        const auto words = text::openWordTokenizer({.source = wordReferences / "vocabulary.txt"});
        QVERIFY(contains(refusalOf([&] { words->encode("k\xe4se"); }), {"UTF-8"}));
    }
};

HEADSCOPE_TEST(WordTokenizerTest)
#include "word_tokenizer_test.moc"
