#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/files/limited_json.h"
#include "model/text/split_words.h"

#include <nlohmann/json.hpp>

using namespace foreign_files;
using namespace headscope;

namespace {

std::vector<std::string> textsOf(const std::vector<text::Word>& words) {
    std::vector<std::string> texts;
    for (const auto& word : words)
        texts.push_back(word.text);
    return texts;
}

/// The typed text a word stands for.
std::string typed(const text::Word& word, std::string_view sentence) {
    return std::string(sentence.substr(word.range.begin, word.range.end - word.range.begin));
}

} // namespace

class SplitWordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wordsAreThoseOfTorchtextAndPython() {
        const auto recorded =
            files::parseJson(contentOf(HEADSCOPE_SOURCE "/tests/reference/words/split.json"), "split.json");
        QVERIFY(recorded.size() >= 15);
        for (const auto& entry : recorded) {
            const auto sentence = entry.at("text").get<std::string>();
            QCOMPARE(textsOf(text::splitWhiteSpace(sentence)),
                     entry.at("white_space").get<std::vector<std::string>>());
            QCOMPARE(textsOf(text::splitBasicEnglish(sentence)),
                     entry.at("basic_english").get<std::vector<std::string>>());
        }
    }

    void rangesAreBytesOfTheTypedSentence() {
        const std::string sentence = "Über  \"das\" STRAẞE, İ!";
        const auto words = text::splitBasicEnglish(sentence);
        QCOMPARE(textsOf(words), (std::vector<std::string>{"über", "das", "straße", ",", "i\u0307", "!"}));
        QCOMPARE(typed(words[0], sentence), std::string("Über"));
        QCOMPARE(typed(words[1], sentence), std::string("das"));
        QCOMPARE(typed(words[2], sentence), std::string("STRAẞE"));
        QCOMPARE(typed(words[3], sentence), std::string(","));
        QCOMPARE(typed(words[4], sentence), std::string("İ"));
        const auto plain = text::splitWhiteSpace(sentence);
        QCOMPARE(plain[0].range, (trace::ByteRange{0, 5}));
        QCOMPARE(typed(plain[1], sentence), std::string("\"das\""));
    }

    void quotationMarksVanishInsideAWordAndALineBreak() {
        const std::string sentence = "o\"w\"n <br\" />x";
        const auto words = text::splitBasicEnglish(sentence);
        QCOMPARE(textsOf(words), (std::vector<std::string>{"own", "x"}));
        QCOMPARE(typed(words[0], sentence), std::string("o\"w\"n"));
        QVERIFY(text::splitBasicEnglish("\" \" ; :").empty());
    }

    void matchesOfAPatternAreWords() {
        const auto atoms = text::Pattern::ofExpression("Cl|[A-Z]|[a-z]|=", "here");
        const std::string sentence = "CCl=O  (é x)";
        const auto words = text::splitByPattern(sentence, atoms);
        QCOMPARE(textsOf(words), (std::vector<std::string>{"C", "Cl", "=", "O", "(é", "x", ")"}));
        QCOMPARE(typed(words[4], sentence), std::string("(é"));
        for (std::size_t i = 0; i < words.size(); ++i)
            QCOMPARE(words[i].isUnknown, i == 4 || i == 6);
        const auto characters = text::splitByPattern("aé b", text::Pattern::ofExpression(".", "here"));
        QCOMPARE(textsOf(characters), (std::vector<std::string>{"a", "é", " ", "b"}));
        QVERIFY(text::splitByPattern("", atoms).empty());
    }

    void aSigmaEndsAWordInItsFinalForm_data() {
        QTest::addColumn<QString>("typedText");
        QTest::addColumn<QString>("lowered");
        QTest::newRow("end") << "ΟΔΟΣ"
                             << "οδος";
        QTest::newRow("inside") << "ΣΑΣΑ"
                                << "σασα";
        QTest::newRow("alone") << "Σ"
                               << "σ";
        QTest::newRow("before a digit") << "ΑΣ1"
                                        << "ας1";
        QTest::newRow("before a mark and a letter") << "ΑΣ\u0301Α"
                                                    << "ασ\u0301α";
    }
    void aSigmaEndsAWordInItsFinalForm() {
        QFETCH(const QString, typedText);
        QFETCH(const QString, lowered);
        const auto words = text::splitBasicEnglish(typedText.toStdString());
        QCOMPARE(QString::fromStdString(words.at(0).text), lowered);
    }

    void lettersOfEveryScriptAreLowered() {
        QCOMPARE(textsOf(text::splitBasicEnglish("ЖУК \U00010400 Ǆ 漢")),
                 (std::vector<std::string>{"жук", "\U00010428", "ǆ", "漢"}));
    }
};

HEADSCOPE_TEST(SplitWordsTest)
#include "split_words_test.moc"
