#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/model/text/tokens.h"
#include "tests/registered_test.h"

#include "model/text/pickled_vocabulary.h"

using namespace foreign_files;
using namespace headscope;
using tokens::wordReferences;
namespace pickled = pickle_text;

namespace {

std::string list(const std::string& items) {
    return pickled::emptyList + pickled::mark + items + pickled::appends;
}

std::string words(const std::vector<std::string>& texts) {
    std::string items;
    for (const auto& text : texts)
        items += pickled::text(text);
    return list(items);
}

/// An object whose state is set after its construction.
std::string object(const std::string& module, const std::string& name, const std::string& state) {
    return pickled::global(module, name) + pickled::emptyTuple + pickled::newObject + state + pickled::build;
}

std::string dict(const std::string& items) {
    return pickled::emptyDict + pickled::mark + items + pickled::setItems;
}

/// torchtext's vocabulary since 0.10.
std::string native(const std::string& unknown, const std::vector<std::string>& texts) {
    const auto state = pickled::tupleOf(pickled::text("0.0.2") + unknown + words(texts) + pickled::emptyList);
    return object("torchtext.vocab.vocab", "Vocab",
                  dict(pickled::text("training") + pickled::newTrue + pickled::text("vocab") +
                       object("torchtext._torchtext", "Vocab", state)));
}

} // namespace

class PickledVocabularyTest : public QObject {
    Q_OBJECT

    Folder folder_;

    std::filesystem::path saved(const std::string& content) {
        foreign_zip::write(
            folder_ / "vocab.pt",
            {{"vocab/data.pkl", pickled::start + content + pickled::stop}, {"vocab/version", "3\n"}});
        return folder_ / "vocab.pt";
    }
    std::string refusalFor(const std::string& content) {
        const auto path = saved(content);
        return refusalOf([&] { text::readPickledVocabularies(path); });
    }

  private Q_SLOTS:
    void oneWordMentionedOftenIsNoVocabulary() {
        std::string items = pickled::text(std::string(1000, 'w')) + pickled::put(0);
        for (int i = 0; i < 900'000; ++i) // nearly a gigabyte of words
            items += pickled::get(0);
        QVERIFY(contains(refusalFor(list(items)), {"holds no vocabulary", "a list of 900001"}));
    }

    void everyRecordedLayoutIsRead_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("saysUnknown");
        QTest::newRow("later legacy") << "vocab.pt" << true;
        QTest::newRow("earlier legacy") << "vocab-default.pt" << false;
        QTest::newRow("module") << "vocab-module.pt" << true;
    }
    void everyRecordedLayoutIsRead() {
        QFETCH(const QString, file);
        QFETCH(const bool, saysUnknown);
        const auto path = wordReferences / file.toStdString();
        QVERIFY(text::isPickledVocabulary(path));
        const auto read = text::readPickledVocabularies(path);
        QCOMPARE(read.size(), std::size_t{1});
        std::string lines;
        for (const auto& word : read[0].words)
            lines += word + "\n";
        QCOMPARE(lines, contentOf(wordReferences / "vocabulary.txt"));
        QCOMPARE(read[0].unknown, saysUnknown ? std::optional<std::int64_t>(0) : std::nullopt);
    }

    void aPairIsSourceAndTarget() {
        const auto pair = text::readPickledVocabularies(wordReferences / "vocab-pair.pt");
        QCOMPARE(pair.size(), std::size_t{2});
        QCOMPARE(pair[0].words[4], std::string("the"));
        QCOMPARE(pair[1].words[4], std::string("bed"));
        const auto lists = text::readPickledVocabularies(saved(list(words({"a"}) + words({"b", "c"}))));
        QCOMPARE(lists.size(), std::size_t{2});
        QCOMPARE(lists[1].words, (std::vector<std::string>{"b", "c"}));
        const auto modules = text::readPickledVocabularies(saved(
            pickled::tupleOf(native(pickled::emptyList, {"a"}) + native(list(pickled::integer(1)), {"b"}))));
        QVERIFY(!modules.at(0).unknown);
        QCOMPARE(modules.at(1).unknown, std::optional<std::int64_t>(1));
    }

    void aListOfWordsAndClassesWrittenAlikeAreRead() {
        QCOMPARE(text::readPickledVocabularies(saved(words({"a", "b"}))).at(0).words.size(), std::size_t{2});
        const auto own = object("__main__", "Words", dict(pickled::text("itos") + words({"a", "b", "c"})));
        QCOMPARE(text::readPickledVocabularies(saved(own)).at(0).words.size(), std::size_t{3});
    }

    void aFileOfBeforePyTorch16IsRead() {
        const std::string magic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
        const auto pickle = [](const std::string& value) { return pickled::start + value + pickled::stop; };
        const auto system = dict(pickled::text("little_endian") + pickled::newTrue);
        const auto vocabulary =
            object("torchtext.vocab", "Vocab", dict(pickled::text("itos") + words({"x", "y"})));
        writeFile(folder_ / "old.pt", pickle(magic) + pickle(pickled::integer(1001)) + pickle(system) +
                                          pickle(vocabulary) + pickle(pickled::emptyList));
        QVERIFY(text::isPickledVocabulary(folder_ / "old.pt"));
        QCOMPARE(text::readPickledVocabularies(folder_ / "old.pt").at(0).words,
                 (std::vector<std::string>{"x", "y"}));
    }

    void whatHoldsNoWordsIsRefusedByTheNameOfItsClass() {
        const auto spacy = object("spacy.vocab", "Vocab", dict(pickled::text("data") + pickled::none));
        QVERIFY(contains(refusalFor(spacy), {"vocab.pt", "spacy.vocab.Vocab", "text file"}));
        QVERIFY(
            contains(refusalFor(pickled::tupleOf(words({"a"}) + spacy)), {"a tuple", "spacy.vocab.Vocab"}));
        QVERIFY(contains(refusalFor(object("a", "B", dict(pickled::text("itos") + pickled::integer(1)))),
                         {"a.B"}));
        QVERIFY(contains(refusalFor(pickled::global("os", "system")), {"os.system"}));
        QVERIFY(contains(refusalFor(list(pickled::integer(1) + pickled::integer(2))), {"a list of 2"}));
        QVERIFY(contains(refusalFor(pickled::emptyDict), {"a dictionary"}));
    }

    void aTextIsNoPickle() { QVERIFY(!text::isPickledVocabulary(wordReferences / "vocabulary.txt")); }

    void everyPrefixIsRefusedOrRead() {
        const std::string whole = contentOf(wordReferences / "vocab.pt");
        for (std::size_t length = 0; length < tests::some(whole).size(); length += 7) {
            std::filesystem::remove(folder_ / "cut.pt"); // overwriting an old file waits for the disk
            writeFile(folder_ / "cut.pt", whole.substr(0, length));
            QVERIFY(!refusalOf([&] { text::readPickledVocabularies(folder_ / "cut.pt"); }).empty());
        }
    }
};

HEADSCOPE_TEST(PickledVocabularyTest)
#include "pickled_vocabulary_test.moc"
