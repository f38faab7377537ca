#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/trace_words.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class CaptionsTest : public QObject {
    Q_OBJECT

    /// Without the marks that keep directions apart.
    static QString plain(QString text) { return text.remove(QChar(0x2068)).remove(QChar(0x2069)); }

  private Q_SLOTS:
    void aCaptionSaysExactlyWhatIsDrawn() {
        QCOMPARE(
            headCaption(*example::run(), example::aligningHead, Quantity::Weights),
            "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of example-en-de: what the model "
            "reads while choosing each German token. Weights; each row sums to 1.");
    }

    /// A trace may hold some kinds of attention only.
    void whatIsNotInATraceIsNamed() {
        const trace::HeadAddress head{{AttentionKind::DecoderSelf, 1}, 2};
        auto run = example::run();
        auto model = *run->model;
        model.recorded = std::make_shared<const trace::Request>();
        run->model = std::make_shared<const trace::ModelSummary>(model);
        QVERIFY(whyNoHead(*run, {{AttentionKind::DecoderSelf, 9}, 2}).contains("no head decoder.9.2"));
        QCOMPARE(whatIsNotHeld(*run), QString());
        run->encoder.clear();
        run->decoder.clear();
        QCOMPARE(whatIsNotHeld(*run), QString("encoder self-attention and decoder self-attention"));
        const QString words = whyNoHead(*run, head);
        QVERIFY2(
            words.startsWith("Decoder self-attention is not in this trace, which contains cross-attention."),
            qPrintable(words));
    }

    void rowsAndColumnsThatAreWordsAreCalledSo() {
        const auto run = example::run();
        QVERIFY(headCaption(*run, example::aligningHead, Quantity::Weights, MapUnit::Word)
                    .contains("while choosing each German word."));
        QVERIFY(headsCaption(*run, example::aligningHead.site, {0, 1}, MapUnit::Word)
                    .contains("while choosing each German word."));
        QCOMPARE(queryAxisTitle(*run, AttentionKind::Cross, MapUnit::Word), "chosen German word");
        QCOMPARE(keyAxisTitle(*run, AttentionKind::Cross, MapUnit::Word), "English word read");
        QCOMPARE(keyAxisTitle(*run, AttentionKind::Cross), "English token read");
    }

    void everyCaptionOfHeadsNamesTheModel() {
        const auto run = example::run();
        QVERIFY(headsCaption(*run, example::aligningHead.site, {0, 1}).contains(" of example-en-de: what"));
        QVERIFY(headsCaption(*run, example::aligningHead.site, {0, 3, 5})
                    .startsWith("Cross-attention cross.2 (of 3 layers), heads 0, 3 and 5 of "));
        QVERIFY(headCaption(*run, example::aligningHead, Quantity::Rollout)
                    .contains("all heads of example-en-de: "));
        trace::ModelSummary unnamed;
        QCOMPARE(ofModel(unnamed, "Head"), "Head");
    }

    void aTwinIsNamedWithItsSeed() {
        auto run = example::run();
        run->request.randomTwin = 7;
        QVERIFY(headCaption(*run, example::aligningHead, Quantity::Weights)
                    .startsWith(
                        "Random twin, seed 7. Cross-attention cross.2.5 (of 3 layers, 8 heads per layer)"));
    }

    void languagesThatAreNotKnownAreNotInvented() {
        auto run = example::run();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->sourceLanguage = model->targetLanguage = "";
        run->model = model;
        QVERIFY(headCaption(*run, example::aligningHead, Quantity::Weights).contains("each target token"));
        QCOMPARE(languageName("de"), "German");
        QCOMPARE(languageName("qzx"), "qzx");
        QCOMPARE(languageName("deu_Latn"), "German");
        QCOMPARE(languageName("en_XX"), "English");
        QCOMPARE(languageName(""), "");
    }

    void aRunWithoutAModelHasACaptionStill() {
        auto run = example::run();
        run->model = nullptr;
        QVERIFY(headCaption(*run, example::aligningHead, Quantity::Scores).startsWith("Cross-attention: "));
    }

    void aCrossCellNamesTheFedAndTheChosenToken() {
        const auto run = example::run();
        const QString words = plain(cellStatus(*run, example::aligningHead, 5, 3, Quantity::Weights));
        const float weight = run->cross[2].weights(5, 5, 3);
        QCOMPARE(words, QString("cross.2.5 [after “seiner”, choosing “Tochter” → “gave”] %1")
                            .arg(double(weight), 0, 'f', 4));
    }

    void aSelfAttentionCellNamesBothTokens() {
        const auto run = example::run();
        const trace::HeadAddress head{{AttentionKind::DecoderSelf, 1}, 0};
        QVERIFY(plain(cellStatus(*run, head, 5, 3, Quantity::Weights))
                    .startsWith("decoder.1.0 [“seiner” → “Mann”] 0."));
    }

    void aMaskedCellIsNamedAsMasked() {
        const auto run = example::run();
        const trace::HeadAddress head{{AttentionKind::DecoderSelf, 1}, 0};
        QVERIFY(cellStatus(*run, head, 2, 5, Quantity::Weights).endsWith("] masked"));
    }

    void aRowWithoutAnAllowedKeyIsNamedAsSuch() {
        auto run = example::run();
        for (std::size_t key = 0; key < run->source.size(); ++key)
            run->cross[2].mask(4, key) = 0;
        QVERIFY(isRowClosed(run->cross[2], 4));
        QVERIFY(!isRowClosed(run->cross[2], 5));
        QVERIFY(cellStatus(*run, example::aligningHead, 4, 0, Quantity::Weights).contains("the whole row"));
    }

    void aCellThatDoesNotExistHasNoWords() {
        const auto run = example::run();
        QCOMPARE(cellStatus(*run, example::aligningHead, 99, 0, Quantity::Weights), QString());
        QCOMPARE(cellStatus(*run, example::aligningHead, -1, 0, Quantity::Weights), QString());
        QCOMPARE(cellStatus(*run, {{AttentionKind::Cross, 7}, 0}, 0, 0, Quantity::Weights), QString());
    }

    void whatIsNearlyZeroIsNotSaidToBeZero() {
        QCOMPARE(numberText(0), QString("0.0000"));
        QCOMPARE(numberText(-0.0), QString("0.0000"));
        QCOMPARE(numberText(-0.00003), QString("\u22123e\u221205"));
        QCOMPARE(numberText(0.00006), QString("0.0001"));
    }

    void textBeginsWithACapitalLetter() {
        QCOMPARE(capitalised("mean entropy"), "Mean entropy");
        QCOMPARE(capitalised(QString()), QString());
    }

    void numbersThatAreNoneAreSaidInWords() {
        QCOMPARE(numberText(0.61416), "0.6142");
        QCOMPARE(numberText(-1), QString(QChar(0x2212)) + "1.0000");
        QCOMPARE(numberText(std::nan("")), "not a number");
        QCOMPARE(numberText(-std::numeric_limits<double>::infinity()), "minus infinite");
    }

    void provenanceNamesTheModelItsWeightsAndTheSentence() {
        QCOMPARE(provenance(*example::run()), "example-en-de; The old man gave his daughter a red book.");
    }

    void whereAPictureComesFromSaysWhatWasChanged() {
        auto run = std::make_shared<trace::Run>(*example::run());
        const auto off = [&](int head) {
            run->request.interventions.push_back(trace::withoutHead({{AttentionKind::Cross, 1}, head}));
        };
        off(0);
        QVERIFY(provenance(*run).startsWith("example-en-de, changed: --disable-head cross.1.0; The old man"));
        for (const int head : {1, 2, 3, 4})
            off(head);
        QVERIFY2(provenance(*run).contains("--disable-head cross.1.2 and 2 more; The"),
                 qPrintable(provenance(*run)));
    }
};

HEADSCOPE_TEST(CaptionsTest)
#include "captions_test.moc"
