#include <QTest>

#include "model/analysis/heads/punctuation.h"
#include "tests/registered_test.h"

using headscope::analysis::isPunctuation;

class PunctuationTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void marksOfManyScriptsArePunctuation() {
        for (const char* piece :
             {".", ",", "▁.", "?!", "...", "…", "▁„", "“", "»", "。", "、", "،", "।", "-", "—"})
            QVERIFY2(isPunctuation(piece), piece);
    }

    void wordsSymbolsAndNothingAreNot() {
        for (const char* piece : {"", "▁", "a.", "▁word", "5", "$", "+", "é", "世", "😀", "\xFF", "\xE2\x80"})
            QVERIFY2(!isPunctuation(piece), piece);
    }
};

HEADSCOPE_TEST(PunctuationTest)
#include "punctuation_test.moc"
