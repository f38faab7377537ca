#include <QTest>

#include "tests/registered_test.h"
#include "widgets/words/typed_source.h"

using namespace headscope;
using namespace headscope::widgets;

class TypedSourceTest : public QObject {
    Q_OBJECT

    static trace::ModelSummary reader() {
        trace::ModelSummary model;
        model.tokenizer = "pieces";
        return model;
    }

    static QString sent(const QString& text, const QString& language = {}) {
        return QString::fromStdString(std::get<std::string>(*typedSource(text, reader(), language)));
    }

  private Q_SLOTS:
    void theChosenLanguageStandsBeforeTheSentence() {
        QCOMPARE(sent("A book."), "A book.");
        QCOMPARE(sent("A book.", "fra"), ">>fra<< A book.");
        QCOMPARE(sent("5 >> 4 << 6", "fra"), ">>fra<< 5 >> 4 << 6");
    }

    void aCodeThatThePersonTypedWins() {
        QCOMPARE(sent(">>deu<< A book.", "fra"), ">>deu<< A book.");
        QCOMPARE(sent(">>not closed", "fra"), ">>fra<< >>not closed");
    }

    void idsAreSentAsTheyAre() {
        trace::ModelSummary model;
        QVERIFY(*typedSource("5, 6 7", model, "fra") == trace::Source(trace::SourceIds{{5, 6, 7}}));
        QVERIFY(!typedSource("five", model));
    }

    void whatWasTypedIsTypedAgain() {
        QCOMPARE(typedText(std::string("A book.")), "A book.");
        QCOMPARE(typedText(trace::SourceIds{{5, 6, 7}}), "5 6 7");
        QCOMPARE(typedText(trace::SourceEmbeddings()), QString());
    }

    void exampleIdsComeFromTheMiddleOfTheVocabulary() {
        trace::ModelSummary model;
        model.sourceVocabulary = 100;
        model.special.sourceSuffix = {3};
        QCOMPARE(exampleIdsText(model), "50 51 52 53 54 55 56 57 3");
        model.sourceVocabulary = 3;
        QCOMPARE(exampleIdsText(model), "1 2 0 3");
    }
};

HEADSCOPE_TEST(TypedSourceTest)
#include "typed_source_test.moc"
