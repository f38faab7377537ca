#include "model/files/findings.h"
#include "model/files/utf8.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace headscope::files;

class FindingsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsBeyondTheFirstLinesIsCounted() {
        Findings findings;
        QVERIFY(findings.empty());
        for (int i = 0; i < 23; ++i)
            findings.add("line " + std::to_string(i));
        QVERIFY(findings.text().starts_with("line 0; line 1; "));
        QVERIFY(findings.text().ends_with("line 19; and 3 more"));
    }

    void aForeignTextIsCutBetweenCharacters() {
        QCOMPARE(printable("short"), std::string("short"));
        QCOMPARE(printable("123\u00e4\u00e4", 4), std::string("123..."));
        QCOMPARE(printable("123\u00e4\u00e4", 5), std::string("123\u00e4..."));
        QCOMPARE(printable("a\nb\x1b[c"), std::string("a?b?[c"));
        QCOMPARE(printable("a\xff\u00e4"), std::string("a???"));
    }

    void utf8IsWellFormedOrNot() {
        for (const char* text :
             {"", "ascii", "\u00e4", "\u2581", "\U0001F600", "\U0010FFFF", "\uD7FF", "\uE000"})
            QVERIFY2(isUtf8(text), text);
        for (const char* bytes :
             {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x96",
              "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x28\xA1"})
            QVERIFY2(!isUtf8(bytes), bytes);
    }
};

HEADSCOPE_TEST(FindingsTest)
#include "findings_test.moc"
