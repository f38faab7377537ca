#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/text/sentence_piece.h"
#include "model/text/sentence_piece_check.h"
#include "tests/model/text/piece_models.h"

#include <set>

using namespace foreign_files;
using namespace headscope;
using namespace piece_models;

namespace {

std::string refusalFor(const std::string& bytes) {
    return refusalOf([&] { text::checkSentencePieceModel(bytes, "spm.model"); });
}

/// Opens the bytes as a model and uses it; a refusal is also accepted.
bool isRefused(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path); // overwriting an old file waits for the disk
    writeFile(path, bytes);
    return !refusalOf([&] {
                const auto model = text::openSentencePiece(path);
                std::vector<std::int64_t> ids;
                for (const auto& token : model->encode(std::string("ab a\0c \xc3\xa4", 9)))
                    ids.push_back(token.id);
                model->decode(ids);
                model->piece(model->size() - 1);
            }).empty();
}

/// A trie of 256 empty units, as large as the smallest block.
std::vector<std::uint32_t> emptyTrie() {
    return std::vector<std::uint32_t>(256, 0xff);
}

constexpr std::uint32_t hasLeaf = 1u << 8;
std::uint32_t offsetOf(std::uint32_t offset) {
    return offset << 10;
}

} // namespace

class SentencePieceCheckTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aSoundModelIsAccepted() {
        QCOMPARE(refusalFor(small()), std::string());
        QCOMPARE(refusalFor(small(characterMap(emptyTrie(), std::string(1, '\0')))), std::string());
        QCOMPARE(refusalFor(small() + number(100, 5)), std::string());
        QCOMPARE(refusalFor(small() + piece(std::string(1024, 'a'))), std::string());
        const std::string replacement = std::string(1024, 'a') + '\0';
        QCOMPARE(refusalFor(small(characterMap(emptyTrie(), replacement))), std::string());
    }

    /// SentencePiece itself would load these files.
    void whatIsNotSoundIsNotLoaded() {
        const Folder folder;
        writeFile(folder / "spm.model", small() + piece(std::string(1025, 'a')));
        QVERIFY(contains(refusalOf([&] { text::openSentencePiece(folder / "spm.model"); }),
                         {"spm.model", "a piece of 1025 bytes"}));
    }

    void brokenFramingIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const std::string& bytes, const char* found) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(found);
        };
        row("empty", "", "no pieces");
        row("only a normaliser", normalizer(""), "no pieces");
        row("field beyond the end", std::string("\x0a\x7f", 2), "ends after the file");
        row("wild length", "\x0a" + varint(~std::uint64_t{0}), "ends after the file");
        row("endless varint", std::string(11, '\xff'), "longer than 64 bits");
        row("a varint that the file cuts", "\x0a\xff", "ends after the file");
        row("group", small() + "\x0b", "wire type 3");
        row("fixed64 cut", small() + "\x09" + "1234567", "ends after the file");
        row("fixed32 cut", small() + "\x0d" + "123", "ends after the file");
        row("over-long piece", piece(std::string(1025, 'a')), "a piece of 1025 bytes");
        row("piece that is no UTF-8", piece("\xff"), "no UTF-8");
        row("piece of a zero byte", piece(std::string_view("\0a", 2)), "a zero byte");
    }
    void brokenFramingIsRefused() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, found);
        const std::string refusal = refusalFor(bytes.toStdString());
        QVERIFY(contains(refusal, {"SentencePiece", "spm.model", found.toUtf8().constData(), "What to do"}));
    }

    void aNormaliserThatPointsOutsideItselfIsRefused_data() {
        QTest::addColumn<QByteArray>("map");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const std::string& map, const char* found) {
            QTest::newRow(name) << QByteArray::fromStdString(map) << QString(found);
        };
        const std::string end(1, '\0');
        row("no size", "abc", "of 3 bytes");
        row("size 0", characterMap({}, end), "says 0 bytes");
        row("no whole block", characterMap(std::vector<std::uint32_t>(255), end), "says 1020 bytes");
        row("larger than the table", std::string("\x00\x04\x00\x00", 4) + end, "says 1024 bytes of 1");
        row("no strings", characterMap(emptyTrie(), ""), "says 1024 bytes");
        row("strings without an end", characterMap(emptyTrie(), "abc"), "does not end");
        auto trie = emptyTrie();
        trie[0] = offsetOf(256);
        row("root beyond the trie", characterMap(trie, end), "points outside itself");
        trie = emptyTrie();
        trie['a'] = 'a' | offsetOf(512);
        row("child beyond the trie", characterMap(trie, end), "points outside itself");
        trie = emptyTrie();
        trie[0] = offsetOf(1); // a text's zero byte leads to unit 1
        trie[1] = offsetOf(1024);
        row("child of a zero byte beyond the trie", characterMap(trie, end), "points outside itself");
        trie = emptyTrie();
        trie['a'] = 'a' | hasLeaf | offsetOf('a' ^ 2);
        trie[2] = 0x80000000u | 1;
        row("value beyond the strings", characterMap(trie, end), "outside its strings");
        row("value within a character", characterMap(trie, "\xc3\xa4" + end), "outside its strings");
        row("strings that are no UTF-8", characterMap(emptyTrie(), "\xff" + end), "no UTF-8");
        row("a long string", characterMap(emptyTrie(), std::string(1025, 'a') + end), "a string of 1025");
    }
    void aNormaliserThatPointsOutsideItselfIsRefused() {
        QFETCH(const QByteArray, map);
        QFETCH(const QString, found);
        const std::string refusal = refusalFor(small(map.toStdString()));
        QVERIFY(contains(refusal, {"normaliser table", found.toUtf8().constData()}));
        const std::string inDenormaliser = piece("a") + field(5, field(2, map.toStdString()));
        QVERIFY(contains(refusalFor(inDenormaliser), {found.toUtf8().constData()}));
    }

    void aTrieThatRunsInCirclesEnds() {
        auto trie = emptyTrie();
        trie['a'] = 'a' | offsetOf('a'); // its children are the root's
        QCOMPARE(refusalFor(small(characterMap(trie, std::string(1, '\0')))), std::string());
    }

    void everyPrefixIsRefusedOrUsed() {
        const Folder folder;
        const std::string model = small(characterMap(emptyTrie(), std::string(1, '\0')));
        std::set<bool> refused;
        for (std::size_t length = 0; length < model.size(); ++length)
            refused.insert(isRefused(folder / "spm.model", model.substr(0, length)));
        QCOMPARE(refused, (std::set{false, true}));
    }

    void everyChangedByteIsRefusedOrUsed() {
        const Folder folder;
        const std::string model = small();
        std::set<bool> refused;
        for (std::size_t at = 0; at < model.size(); ++at)
            for (int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
                std::string changed = model;
                changed[at] = static_cast<char>(changed[at] ^ flip);
                refused.insert(isRefused(folder / "spm.model", changed));
            }
        QCOMPARE(refused, (std::set{false, true}));
    }
};

HEADSCOPE_TEST(SentencePieceCheckTest)
#include "sentence_piece_check_test.moc"
