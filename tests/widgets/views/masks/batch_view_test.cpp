#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_batch.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/batch_grid.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/batch_words.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class BatchViewTest : public QObject {
    Q_OBJECT

    static std::shared_ptr<const trace::Run> run() {
        auto made = example::run();
        auto model = std::make_shared<trace::ModelSummary>(*made->model);
        model->tokenizer = "example";
        model->special = {.start = 2, .end = 3, .padding = 0};
        made->model = model;
        return made;
    }

    static example::AnsweredAtOnce* answers(const BatchView& view) {
        return dynamic_cast<example::AnsweredAtOnce*>(view.findChild<QObject*>("answers"));
    }

    /// `answer` as one to what the view asks.
    static void answer(BatchView& view, BatchAnswer answer) {
        auto* answers = new example::AnsweredAtOnce(&view);
        answers->setObjectName("answers");
        view.setModel(answer.question.model);
        view.setSentences(answer.question.sentences);
        answer.question = view.question().value();
        answers->give(answer.question, answer);
    }

    /// A view with an answer to its question.
    static std::unique_ptr<BatchView> answered(std::size_t sentences) {
        auto view = std::make_unique<BatchView>();
        const auto shown = run();
        answer(*view, example::batch(*shown, sentences));
        view->resize(900, 700);
        view->show();
        [&] { QVERIFY(QTest::qWaitForWindowExposed(view.get())); }();
        return view;
    }

    static void open(BatchView& view, std::shared_ptr<const trace::ModelSummary> model) {
        auto* answers = new example::AnsweredAtOnce(&view);
        answers->document().samples = {{"A short one.", "This is a sentence of a middling length.",
                                        "And this one is the longest of them all, with a clause.",
                                        "Not the longest, but longer."},
                                       "en"};
        view.setModel(std::move(model));
    }

  private Q_SLOTS:
    void itBeginsWithExamplesOfDifferentLengths() {
        BatchView view;
        open(view, run()->model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto question = view.question();
        QVERIFY(question);
        QCOMPARE(question->sentences.size(), std::size_t(2));
        QVERIFY(question->sentences[0].source.size() > question->sentences[1].source.size());
        QCOMPARE(question->requests.size(), std::size_t(2));
        QCOMPARE(view.questions().size(), std::size_t(1));
    }

    void aModelOfAnotherLanguageBeginsEmpty() {
        auto model = std::make_shared<trace::ModelSummary>(*run()->model);
        model->sourceLanguage = "fr";
        BatchView view;
        open(view, model);
        view.show();
        QVERIFY(!view.question());
        QVERIFY2(view.caption().startsWith("Type two sentences"), qPrintable(view.caption()));
        view.grab();
    }

    void aModelWithoutATokenizerBeginsWithIds() {
        auto model = std::make_shared<trace::ModelSummary>(*run()->model);
        model->tokenizer.clear();
        model->sourceVocabulary = 20;
        BatchView view;
        view.setModel(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCOMPARE(view.question()->sentences[0].source, QString("10 11 12 13 14 15 16 17"));
        QCOMPARE(view.question()->sentences[1].source, QString("10 11 12 13"));
    }

    void whatIsTypedIsAskedWithEnter() {
        const auto view = answered(2);
        QVERIFY(answers(*view)->awaited().empty());
        const QSignalSpy asked(view.get(), &BatchView::questionsChanged);
        auto* field = view->findChildren<QLineEdit*>().front();
        field->setText("Another one.");
        QVERIFY(answers(*view)->awaited().empty());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!asked.empty());
        QCOMPARE(answers(*view)->awaited().size(), std::size_t(1));
        QCOMPARE(view->question()->sentences[0].source, QString("Another one."));
        QVERIFY(view->hasFigure()); // kept until the next answer
    }

    void aThirdSentenceComesAndGoes() {
        const auto view = answered(2);
        const auto buttons = view->findChildren<QPushButton*>();
        QVERIFY(buttons[0]->isVisible() && !buttons[1]->isVisible());
        view->findChildren<QLineEdit*>()[4]->setText("A third.");
        buttons[0]->click();
        QCOMPARE(view->question()->sentences.size(), std::size_t(3));
        QVERIFY(!buttons[0]->isVisible() && buttons[1]->isVisible());
        buttons[1]->click();
        QVERIFY(answers(*view)->awaited().empty()); // already answered
    }

    void thePadsAndLabelsAreTold() {
        const auto view = answered(2);
        const auto* grid = view->findChild<BatchGrid*>();
        QCOMPARE(grid->rowCount(), 6);
        const auto answer = example::batch(*run(), 2);
        const auto length = static_cast<int>(answer.sentences[0].row.source.size());
        QCOMPARE(grid->gridLayout().columnsOf(0), length);
        QVERIFY2(grid->cellInWords({1, length - 1}).contains("padding"),
                 qPrintable(grid->cellInWords({1, length - 1})));
        QVERIFY2(grid->cellInWords({0, length - 1}).contains("the end token"),
                 qPrintable(grid->cellInWords({0, length - 1})));
        // Fed the start token, scored on the first token.
        QVERIFY2(grid->cellInWords({3, 0}).contains("scored on \u2068\u201CDer"),
                 qPrintable(grid->cellInWords({3, 0})));
        const int last = grid->gridLayout().columnsOf(4) - 1;
        QVERIFY2(grid->cellInWords({5, last}).contains("not scored"),
                 qPrintable(grid->cellInWords({5, last})));
        QCOMPARE(grid->rowName(4), QString("2 fed"));
        QCOMPARE(grid->columnName(3), QString("3")); // positions count from 0, as in cells
    }

    void theMasksAreThoseOfTheChosenSentencesRun() {
        const auto view = answered(2);
        const auto answer = example::batch(*run(), 2);
        const auto* masks = view->findChild<LinkedMaps*>();
        for (const int sentence : {0, 1}) {
            view->choose(sentence);
            const auto& ran = *answer.sentences[static_cast<std::size_t>(sentence)].run;
            QCOMPARE(masks->maps().size(), std::size_t(3));
            QVERIFY(masks->maps()[0].mask == ran.encoder[0].mask);
            QVERIFY(masks->maps()[1].mask == ran.decoder[0].mask);
            QVERIFY(masks->maps()[2].mask == ran.cross[0].mask);
        }
    }

    void theCursorChoosesTheSentenceItIsIn() {
        const auto view = answered(2);
        auto* grid = view->findChild<BatchGrid*>();
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Down);
        QCOMPARE(view->chosen(), 1);
        QVERIFY(grid->accessibleDescription().startsWith("Sentence 2, source, position 0"));
        QTest::keyClick(grid, Qt::Key_Down);
        QCOMPARE(view->chosen(), 0);
        QTest::keyClick(grid, Qt::Key_Escape);
        QVERIFY(!grid->cursorCell());
    }

    void arrowKeysGoFromOneMaskToTheNext() {
        const auto view = answered(2);
        auto* masks = view->findChild<LinkedMaps*>();
        const int encoderRows = static_cast<int>(masks->maps()[0].values.rows());
        QTest::keyClick(masks, Qt::Key_Home, Qt::ControlModifier);
        for (int i = 0; i < encoderRows; ++i)
            QTest::keyClick(masks, Qt::Key_Down);
        QCOMPARE(masks->cursorCell(), std::optional(MapCell{encoderRows, 0}));
        QVERIFY2(masks->focusInWords().startsWith("Decoder self-attention"),
                 qPrintable(masks->focusInWords()));
    }

    void whatPaddingDidToTheWeightsIsSaid() {
        auto answer = example::batch(*run(), 2);
        QVERIFY(
            batchMasksCaption(answer, 1).contains("by more than 2.4e-07 (1,234 weights of all heads), which "
                                                  "is within 1e-5"));
        auto model = std::make_shared<trace::ModelSummary>(*run()->model);
        model->architecture = {{"encoder_mask", "query-rows"}};
        auto changed = std::make_shared<trace::Run>(*answer.sentences[1].run);
        changed->model = model;
        answer.sentences[1].run = changed;
        answer.sentences[1].effect.largestChange = 0.25;
        const QString words = batchMasksCaption(answer, 1);
        QVERIFY2(words.contains("changed by up to 0.25 (cross.0.1") && words.contains("but not their keys"),
                 qPrintable(words));
    }

    void whatABatchLeavesOutIsSaid() {
        const auto view = answered(2);
        QVERIFY(!view->caption().contains("do not apply"));
        auto changed = std::make_shared<trace::Run>(*example::run());
        changed->request.interventions = {{trace::LiftMask()}};
        view->setRun(changed);
        QVERIFY2(view->caption().contains("Changes to the shown run do not apply"),
                 qPrintable(view->caption()));
        view->setRun(example::run());
        QVERIFY(!view->caption().contains("do not apply"));
    }

    void aBatchWithoutADecoderSaysWhyItHasNoLabels() {
        auto answer = example::batch(*run(), 2);
        auto model = std::make_shared<trace::ModelSummary>(*run()->model);
        model->decoderLayers = 0;
        answer.question.model = model;
        QVERIFY(batchCaption(answer).contains("an encoder alone is not scored"));
        QVERIFY(batchCaption(answer).contains("the end token"));
        auto without = answer; // as for a classifier
        for (auto& [run, row, effect] : without.sentences) {
            std::erase_if(row.source, [](const auto& token) { return token.role == trace::TokenRole::End; });
            row.input.clear();
            row.labels.clear();
        }
        QVERIFY(!batchCaption(without).contains("end token"));
        model = std::make_shared<trace::ModelSummary>(*model);
        model->classes = 2;
        answer.question.model = model;
        QVERIFY(batchCaption(answer).contains("a classifier is scored on one class per sentence"));
    }

    void aRefusalIsSaidAndEnterTriesAgain() {
        const auto view = answered(2);
        auto* field = view->findChildren<QLineEdit*>().front();
        field->setText("x");
        QTest::keyClick(field, Qt::Key_Return);
        answers(*view)->setRefusal(trace::RefusalText{.what = "There is no padding token"});
        QVERIFY(!view->hasFigure());
        QCOMPARE(view->caption(), QString("There is no padding token."));
        QVERIFY(answers(*view)->awaited().empty());
        answers(*view)->setRefusal({});
        QVERIFY(answers(*view)->awaited().empty());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(answers(*view)->awaited().size(), std::size_t(1));
        QVERIFY(view->caption().startsWith("Running the batch"));
    }

    void anotherModelForgetsTheRuns() {
        const auto view = answered(2);
        answers(*view)->document().samples = {{"Another sentence.", "And one more."}, "en"};
        view->setModel(std::make_shared<trace::ModelSummary>(*run()->model));
        QVERIFY(!view->hasFigure());
        QCOMPARE(answers(*view)->awaited().size(), std::size_t(1));
        QCOMPARE(view->question()->sentences.front().source, QString("Another sentence."));
    }

    void whatIsLitGoesWithTheRuns_data() {
        QTest::addColumn<bool>("isAnotherModel");
        QTest::newRow("another model is opened") << true;
        QTest::newRow("the fields are emptied") << false;
    }
    void whatIsLitGoesWithTheRuns() {
        QFETCH(const bool, isAnotherModel);
        const auto view = answered(2);
        auto* masks = view->findChild<LinkedMaps*>();
        // One cell is pinned, the cursor is on another.
        QTest::mouseClick(masks, Qt::LeftButton, {}, masks->cellArea({1, 1}).center());
        QTest::keyClick(masks, Qt::Key_Right);
        QTest::keyClick(masks, Qt::Key_Right);
        QVERIFY(masks->cursorCell());
        if (isAnotherModel) {
            view->setModel(std::make_shared<trace::ModelSummary>(*run()->model));
        } else {
            for (auto* field : view->findChildren<QLineEdit*>())
                field->clear();
            QTest::keyClick(view->findChildren<QLineEdit*>().front(), Qt::Key_Return);
        }
        QVERIFY(!view->hasFigure());
        QVERIFY(masks->isEmpty());
        QVERIFY(!masks->cursorCell());
        QCOMPARE(masks->focusInWords(), QString());
    }

    void anEncoderAloneHasNoTargets() {
        auto model = std::make_shared<trace::ModelSummary>(*run()->model);
        model->decoderLayers = 0;
        auto answer = example::batch(*run(), 2);
        answer.question.model = model;
        for (auto& sentence : answer.sentences) {
            auto encoderOnly = std::make_shared<trace::Run>(*sentence.run);
            encoderOnly->decoder.clear();
            encoderOnly->cross.clear();
            sentence.run = encoderOnly;
            sentence.row.input.clear();
            sentence.row.labels.clear();
        }
        BatchView view;
        BatchViewTest::answer(view, answer);
        view.resize(700, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(!view.findChildren<QLineEdit*>()[1]->isVisible());
        QCOMPARE(view.findChild<BatchGrid*>()->rowCount(), 2);
        QCOMPARE(view.findChild<LinkedMaps*>()->maps().size(), std::size_t(1));
        QVERIFY(!view.caption().contains("decoder"));
        view.grab();
    }

    void theBatchIsSavedAsAPicture() {
        const auto view = answered(2);
        const auto svg =
            figureBytes({.format = FigureFormat::Svg, .size = view->figureSize(), .dpi = 96}, *view);
        QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
        for (const char* words : {"pad&gt;", "1 fed", "2 label", "Cross-attention", "A padded batch of 2"})
            QVERIFY2(svg.bytes.contains(words), words);
        QVERIFY(!svg.bytes.contains("labelled")); // a dozen rows and columns are all labelled
    }

    void theMostPaddedSentenceIsChosenFirst() { QCOMPARE(answered(3)->chosen(), 1); }

    void everyFieldHasAName() {
        const auto view = answered(3);
        for (const auto* field : view->findChildren<QLineEdit*>())
            QVERIFY(!field->accessibleName().isEmpty());
        QVERIFY(!view->findChild<QTabBar*>()->accessibleName().isEmpty());
        QVERIFY(view->figureText().caption.contains("The target of sentence 3 was typed"));
        QVERIFY(view->figureSize().height() > 300);
    }
};

HEADSCOPE_WATCHED_TEST(BatchViewTest)
#include "batch_view_test.moc"
