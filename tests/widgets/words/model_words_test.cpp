#include <QTest>

#include "model/trace/request.h"
#include "tests/registered_test.h"
#include "widgets/words/model_words.h"

using namespace headscope;
using widgets::sizeInWords;
using widgets::taskInWords;

class ModelWordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theTaskIsThatOfTheKindOfModel() {
        trace::ModelSummary model{.decoderLayers = 2};
        QVERIFY(taskInWords(model).contains("one sentence into another"));
        model.sourceLanguage = "en";
        model.targetLanguage = "fr";
        QVERIFY(taskInWords(model).contains("English to French"));
        model.attendsToSource = false;
        QVERIFY(taskInWords(model).contains("continues"));
        model.decoderLayers = 0;
        QVERIFY(taskInWords(model).contains("encodes"));
        model.tokenPrediction = trace::TokenPrediction::Masked;
        QVERIFY(taskInWords(model).contains("masked"));
        model.tokenPrediction = trace::TokenPrediction::Replaced;
        QVERIFY(taskInWords(model).contains("replaced"));
        model.classes = 2;
        QVERIFY(taskInWords(model).contains("classifies"));
        model.recorded = std::make_shared<trace::Request>();
        QVERIFY(taskInWords(model).contains("recording"));
    }

    void theSizeNamesLayersAndHeads() {
        trace::ModelSummary model{.family = "marian", .encoderLayers = 6, .decoderLayers = 6};
        model.encoderHeads = model.decoderHeads = 8;
        QCOMPARE(sizeInWords(model), QString("marian, 6 + 6 layers, 8 heads per layer"));
        QCOMPARE(sizeInWords({.encoderLayers = 1, .encoderHeads = 1}), QString("1 layer, 1 head per layer"));
        QCOMPARE(sizeInWords({.decoderLayers = 4, .decoderHeads = 2}),
                 QString("4 layers, 2 heads per layer"));
    }

    void unknownTokensAreCountedAndNamed() {
        trace::Run run;
        run.source = {{.id = 2, .role = trace::TokenRole::Start}, {.id = 5, .piece = "a"}};
        QVERIFY(widgets::unknownInWords(run).isEmpty());
        for (const char* piece : {"X", "Y", "X"})
            run.source.push_back({.id = 1, .piece = piece, .role = trace::TokenRole::Unknown});
        const QString words = widgets::unknownInWords(run);
        QCOMPARE(widgets::unknownInShort(run), QString("3 of 4 unknown"));
        QVERIFY2(words.contains("3 of 4 tokens") && words.count("X") == 1 && words.contains("Y"),
                 qPrintable(words));
    }
};

HEADSCOPE_TEST(ModelWordsTest)
#include "model_words_test.moc"
