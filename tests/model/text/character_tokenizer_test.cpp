#include "tests/model/files/foreign_files.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include "model/text/character_tokenizer.h"

using namespace foreign_files;
using namespace headscope;

namespace {

using namespace pickle_text;

const std::filesystem::path meta =
    HEADSCOPE_SOURCE "/tests/reference/training-runs/nanogpt/data/letters/meta.pkl";

/// meta.pkl with these ids and characters.
std::string metaOf(const std::vector<std::pair<std::int64_t, std::string>>& itos) {
    std::string items;
    for (const auto& [id, character] : itos)
        items += integer(id) + pickle_text::text(character);
    return start + emptyDict + mark + pickle_text::text("itos") + emptyDict + mark + items + setItems +
           setItems + stop;
}

} // namespace

class CharacterTokenizerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aTextIsItsCharacters() {
        QVERIFY(text::isPickle(meta));
        const auto characters = text::openCharacterTokenizer(meta);
        QCOMPARE(characters->size(), std::int64_t{15});
        const auto tokens = characters->encode("the mat.\n");
        QCOMPARE(tokens.size(), std::size_t{9});
        QCOMPARE(tokens[3].piece, std::string(trace::spaceMark));
        QCOMPARE(tokens[8].piece, std::string("\\n"));
        QCOMPARE(*tokens[4].range, (trace::ByteRange{4, 5}));
        QCOMPARE(characters->decode(idsOf(tokens)), std::string("the mat.\n"));
        QVERIFY(contains(refusalOf([&] { characters->encode("the z"); }), {"byte 4", "\"z\""}));
        QVERIFY(contains(refusalOf([&] { characters->encode("\xff"); }), {"UTF-8"}));
    }

    void charactersOfEveryScriptAreRead() {
        const Folder folder;
        writeFile(folder / "meta.pkl", metaOf({{1, "\u00e9"}, {0, "\u6f22"}}));
        const auto characters = text::openCharacterTokenizer(folder / "meta.pkl");
        QCOMPARE(idsOf(characters->encode("\u00e9\u6f22")), (std::vector<std::int64_t>{1, 0}));
        QCOMPARE(characters->decode(std::vector<std::int64_t>{0, 7, 1}), std::string("\u6f22\u00e9"));
    }

    void whatIsNoListOfCharactersIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const std::string& content, const char* found) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << found;
        };
        row("no itos", start + emptyDict + stop, "without such an");
        row("a number", start + integer(3) + stop, "without such an");
        row("a word", metaOf({{0, "ab"}}), "for the id 0");
        row("nothing", metaOf({{0, ""}}), "for the id 0");
        row("an id beyond", metaOf({{0, "a"}, {2, "b"}}), "the id");
        row("a character twice", metaOf({{0, "a"}, {1, "a"}}), "number 0 and 1");
        row("none", metaOf({}), "none");
        row("cut short", start + emptyDict, "");
    }
    void whatIsNoListOfCharactersIsRefused() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, found);
        const Folder folder;
        writeFile(folder / "meta.pkl", content.toStdString());
        QVERIFY(contains(refusalOf([&] { text::openCharacterTokenizer(folder / "meta.pkl"); }),
                         {"meta.pkl", found.toUtf8().constData()}));
    }
};

HEADSCOPE_TEST(CharacterTokenizerTest)
#include "character_tokenizer_test.moc"
