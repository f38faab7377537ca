#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/classifier/reading_heads.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using tests::buttonOf;
using tests::isSeen;
using tests::plain;

class ClassifierViewTest : public QObject {
    Q_OBJECT

    using Page = ClassifierView::Page;

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ClassifierView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;

    ColumnTable* table() const { return view_->findChild<ColumnTable*>(); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    QLabel* note() const { return view_->findChild<QLabel*>("note"); }
    ReadingHeads* heads() const { return view_->findChild<ReadingHeads*>(); }
    QToolButton* segment(std::size_t chosen) const {
        auto* group = view_->findChild<QButtonGroup*>();
        return qobject_cast<QToolButton*>(group->button(static_cast<int>(chosen)));
    }
    QStringList tokens() const {
        QStringList list;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            list += cell(row, 0);
        return list;
    }
    static QString signedText(double value) { return shortSignedText(value); }
    void answer(std::shared_ptr<const trace::ClassifierReading> reading) {
        answers_->setModel([reading](const trace::Question&) { return reading; });
    }
    void show() {
        answer(example::classifierReading(*run_));
        view_->setRun(run_);
        QCoreApplication::processEvents();
    }

  private Q_SLOTS:
    void init() {
        run_ = example::classified(*example::run());
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<ClassifierView>(selection_.get());
        answers_ = new example::AnsweredAtOnce(view_.get());
        QVERIFY(isSeen(*view_, {900, 640}));
    }

    void cleanup() {
        view_.reset(); // before the selection
        selection_.reset();
    }

    void anEmptyViewSaysWhichModelItNeeds() {
        QVERIFY(view_->caption().contains("Open a model that classifies"));
        view_->setRun(example::run());
        QVERIFY(view_->caption().contains("it has no classes"));
        QVERIFY(view_->questions().empty());
        QVERIFY(!view_->hasFigure());
    }

    void itIsReadOnce() {
        QSignalSpy changed(view_.get(), &ClassifierView::questionsChanged);
        view_->setRun(run_);
        QVERIFY(changed.size() > 0);
        QCOMPARE(answers_->awaited().size(), std::size_t(1));
        show();
        QVERIFY(answers_->awaited().empty() && view_->hasFigure());
        const auto before = changed.size();
        view_->refresh();
        QCOMPARE(changed.size(), before); // nothing is another
    }

    void theMostProbableClassIsTakenApart() {
        show();
        QCOMPARE(view_->chosenClass(), std::size_t(1));
        view_->setPage(Page::Answer);
        const auto reading = example::classifierReading(*run_);
        QVERIFY2(view_->caption().contains("= logit " + numberText(reading->logits[1])),
                 qPrintable(view_->caption()));
        QVERIFY(view_->caption().contains("#1"));
    }

    void ofAnotherSentenceItsOwnClassIsTakenApart() {
        show();
        view_->setChosenClass(0);
        auto changed = std::make_shared<trace::Run>(*run_); // the same sentence, read by a changed model
        view_->setRun(changed);
        QCOMPARE(view_->chosenClass(), std::size_t(0));
        auto other = std::make_shared<trace::Run>(*run_);
        other->request.source = std::string("another sentence");
        view_->setRun(other);
        QCOMPARE(view_->chosenClass(), std::size_t(1));
        std::swap(other->classLogProbabilities[0], other->classLogProbabilities[1]);
        auto third = std::make_shared<trace::Run>(*other);
        third->request.source = std::string("a third one");
        QSignalSpy chosen(view_.get(), &ClassifierView::intended);
        view_->setRun(third);
        QCOMPARE(view_->chosenClass(), std::size_t(0));
        QCOMPARE(chosen.size(), 1);
    }

    void whereTheTwoPagesDisagreeBothSayHow() {
        auto reading = std::make_shared<trace::ClassifierReading>(*example::classifierReading(*run_));
        answer(reading);
        view_->setRun(run_);
        const auto agreed = plain(view_->caption());
        auto apart = std::make_shared<trace::ClassifierReading>(*reading);
        apart->leftOut[2].logProbabilities = {-0.001, -7}; // without this word, the class is nearly lost
        const auto found = analysis::wordsApart(*apart, 1);
        QVERIFY(found && found->lost == std::size_t(2) && found->added != 2);
        answers_ = new example::AnsweredAtOnce(view_.get());
        answer(apart);
        view_->setRun(example::classified(*run_)); // another one, which is asked about again
        const auto labels = tokenLabels(run_->source);
        for (const Page page : {Page::Answer, Page::Words, Page::Table}) {
            view_->setPage(page);
            const QString words = plain(view_->caption());
            for (const auto* word : {&apart->leftOut[found->added], &apart->leftOut[2]})
                QVERIFY2(words.contains(plain(quoted(labels[word->firstToken]))), qPrintable(words));
            QVERIFY2(words.contains(numberText(found->contribution)), qPrintable(words));
            QVERIFY2(words.contains(numberText(7 + apart->logProbabilities[1])), qPrintable(words));
        }
        view_->setPage(Page::Answer);
        QVERIFY(plain(view_->caption()).size() > agreed.size());
        const QString note = plain(this->note()->text());
        QVERIFY(this->note()->isVisible());
        QVERIFY2(note.contains("disagree on " + plain(quoted(labels[apart->leftOut[2].firstToken]))),
                 qPrintable(note));
        QVERIFY2(note.contains("“#0” then has " + shareText(std::exp(-0.001))), qPrintable(note));
    }

    void whereTheColumnsAgreeNothingIsSaid() {
        auto reading = std::make_shared<trace::ClassifierReading>(*example::classifierReading(*run_));
        const auto words = analysis::wordEffects(*reading, 1);
        const auto most = std::ranges::max_element(
            words, {}, [&](const auto& word) { return reading->contributions[1][word.firstToken]; });
        reading->leftOut[most - words.begin()].logProbabilities = {-0.001, -7};
        QVERIFY(!analysis::wordsApart(*reading, 1));
        answer(reading);
        view_->setRun(run_);
        QVERIFY(view_->hasFigure() && !note()->isVisible());
    }

    void aClickOnAClassTakesThatApart() {
        show();
        QSignalSpy chosen(view_.get(), &ClassifierView::intended);
        segment(0)->click();
        QCOMPARE(view_->chosenClass(), std::size_t(0));
        QCOMPARE(chosen.size(), 1);
        QVERIFY(view_->caption().contains("#0"));
    }

    void aClassThatIsChosenElsewhereIsTakenApart() {
        show();
        answers_->document().chosenClass = 0;
        view_->refresh();
        QCOMPARE(view_->chosenClass(), std::size_t(0));
    }

    void everyTokenHasItsContributionItsFeaturesAndItsLoss() {
        show();
        const auto reading = example::classifierReading(*run_);
        QCOMPARE(table()->model()->rowCount(), 11);
        int features = 0;
        for (int row = 0; row < 11; ++row) {
            QCOMPARE(cell(row, 2), signedText(reading->contributions[1][row]));
            features += cell(row, 4).toInt();
        }
        QCOMPARE(features, 64);
        const auto words = analysis::wordEffects(*reading, 1);
        QCOMPARE(words.size(), std::size_t(10)); // without the end token
        for (const auto& word : words)
            QCOMPARE(cell(static_cast<int>(word.firstToken), 6), signedText(word.logProbabilityLost));
        view_->findChild<QComboBox*>("loss")->setCurrentIndex(1);
        for (const auto& word : words)
            QCOMPARE(cell(static_cast<int>(word.firstToken), 6), signedText(word.probabilityLost));
        double sum = reading->bias[1];
        for (const double contribution : reading->contributions[1])
            sum += contribution;
        QVERIFY(std::abs(sum - reading->logits[1]) < 1e-12);
        bool isSaid = false;
        for (const auto* label : view_->findChildren<QLabel*>())
            isSaid |= label->text().contains("logit +" + QString::number(sum, 'f', 3));
        QVERIFY(isSaid);
    }

    void tokensStandInReadingOrderOrByContributionOrByLoss() {
        show();
        const auto inText = tokens();
        QCOMPARE(inText.front(), QString("▁The"));
        const auto isFalling = [this](int column, int rows) {
            double before = INFINITY;
            for (int row = 0; row < rows; ++row) {
                const double now = cell(row, column).replace(u'−', u'-').toDouble();
                if (now > before)
                    return false;
                before = now;
            }
            return true;
        };
        QVERIFY(!isFalling(2, 11) && !isFalling(6, 10));
        view_->setOrder(ClassifierView::Order::Contribution);
        QVERIFY(isFalling(2, 11) && !view_->isSorted());
        view_->setSorted(true);
        QVERIFY(isFalling(6, 10) && view_->order() == ClassifierView::Order::Loss);
        QVERIFY(cell(10, 0) != inText.front()); // the end token, which is no word
        view_->setPage(Page::Words);
        QVERIFY(view_->caption().contains("later words move up"));
        QVERIFY(view_->caption().contains("Largest first"));
        view_->setSorted(false);
        QCOMPARE(tokens(), inText);
    }

    void theTokenThatTellsMostIsShownUntilAnotherIsPinned() {
        show();
        const auto reading = example::classifierReading(*run_);
        QCOMPARE(view_->shownToken(), analysis::tellingToken(*reading, 1));
        QCOMPARE(table()->content().marked, std::optional<int>(*view_->shownToken()));
        const auto row = table()->visualRect(table()->model()->index(3, 1));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(selection_->pinned().sourceKey, std::optional(trace::TokenIndex(3)));
        QCOMPARE(view_->shownToken(), std::optional<std::size_t>(3));
        QCOMPARE(table()->content().marked, std::optional(3));
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(7, 0));
        QCOMPARE(selection_->hover().sourceKey, std::optional(trace::TokenIndex(7)));
        QCOMPARE(view_->shownToken(), std::optional<std::size_t>(7));
    }

    void theHeadsThatReadTheTokenHaveItsMeanWeight() {
        show();
        answers_->document().run = run_;
        answers_->document().request = run_->request;
        view_->refresh();
        Q_EMIT view_->questionsChanged();
        QVERIFY(!heads()->heads().empty());
        selection_->togglePinned(TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, 4));
        double before = INFINITY;
        for (const auto& head : heads()->heads()) {
            const auto& record = *run_->recordOf(head.address);
            double sum = 0;
            for (std::size_t query = 0; query < record.queries(); ++query)
                sum += record.weights(head.address.head, query, 4);
            QVERIFY(std::abs(head.weight - sum / static_cast<double>(record.queries())) < 1e-6);
            QVERIFY(std::abs(head.uniform - 1.0 / static_cast<double>(record.keys())) < 1e-6);
            QVERIFY(head.weight <= before); // there is no room for all of them
            before = head.weight;
        }
        QSignalSpy opened(view_.get(), &ClassifierView::intended);
        selection_->clearPinned();
        buttonOf(*view_, "Open in Heads")->click();
        QCOMPARE(opened.size(), 1);
        QVERIFY(std::holds_alternative<intents::OpenHead>(opened[0][0].value<Intent>()));
        QCOMPARE(selection_->pinned().sourceKey, std::optional<trace::TokenIndex>(*view_->shownToken()));
        QVERIFY(std::ranges::count(heads()->heads(), selection_->head(), &ReadingHeads::Head::address) == 1);
    }

    void featuresAreExportedWithTheirWeights() {
        show();
        view_->setPage(Page::Answer);
        const auto reading = example::classifierReading(*run_);
        const auto data = view_->figureData();
        const auto exported = std::ranges::find(data.tables, "features", &trace::DataTable::name);
        QVERIFY(exported != data.tables.end());
        QCOMPARE(exported->columns.size(), std::size_t(6)); // weights to both classes
        const auto numbers = [&](std::size_t column) {
            return std::get<std::vector<double>>(exported->columns[column].values);
        };
        std::vector<double> added(run_->source.size());
        for (std::size_t f = 0; f < reading->positions.size(); ++f)
            added[std::size_t(numbers(1)[f])] += numbers(3)[f] * numbers(5)[f];
        for (std::size_t t = 0; t < added.size(); ++t)
            QVERIFY(std::abs(added[t] - reading->contributions[1][t]) < 1e-12);
    }

    void headsByImportanceAreInTheMenu() {
        show();
        QSignalSpy wanted(view_.get(), &ClassifierView::intended);
        for (auto* action : view_->findChildren<QAction*>())
            if (action->text() == "Heads by Importance")
                action->trigger();
        QCOMPARE(wanted.size(), 1);
    }

    void classesHaveTheFoldersNames() {
        auto model = std::make_shared<trace::ModelSummary>(*run_->model);
        model->classLabels = {"negative", "positive"};
        run_->model = model;
        show();
        QCOMPARE(view_->findChild<QComboBox*>("class")->itemText(1), QString("positive"));
        QCOMPARE(segment(1)->text(), QString("positive  80.0 %"));
        QVERIFY(segment(1)->isChecked() && !segment(0)->isChecked());
        QVERIFY(view_->caption().contains("logit of positive"));
    }

    void aFigureIsAsHighAsWhatItShows() {
        show();
        view_->setPage(Page::Answer);
        const QSize answer = view_->figureSize();
        QVERIFY2(answer.height() < 300, qPrintable(QString::number(answer.height())));
        QImage image(answer, QImage::Format_RGB32);
        QPainter painter(&image);
        view_->drawFigure(painter, answer, lightTheme());
        painter.end();
        const QRgb ground = lightTheme().background.rgb();
        int empty = 0, longest = 0;
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            empty = std::all_of(line, line + image.width(), [&](QRgb pixel) { return pixel == ground; })
                        ? empty + 1
                        : 0;
            longest = std::max(longest, empty);
        }
        QVERIFY2(longest < 30, qPrintable(QString::number(longest)));
        view_->setPage(Page::Words);
        QVERIFY(view_->figureSize().height() > 100);
    }

    void onALowPageThePictureGivesWayToTheCaption() {
        show();
        for (const Page page : {Page::Answer, Page::Words}) {
            view_->setPage(page);
            const QSize low = view_->figureSize() - QSize(0, 3 * view_->fontMetrics().height());
            gallery::DrawnWords drawn(low);
            QPainter painter(&drawn);
            view_->drawFigure(painter, low, lightTheme());
            painter.end();
            QVERIFY(!drawn.words().empty());
            for (const auto& word : drawn.words())
                QVERIFY2(word.shape.boundingRect().bottom() < low.height(), qPrintable(word.text));
        }
    }

    void withoutMarksAndNotesNoTokenIsLitAndNothingIsSaidOfThoseThatDoNotFit() {
        show();
        view_->setPage(Page::Answer);
        const QSize whole = view_->figureSize();
        const auto draw = [&](QPaintDevice& page, QSize size, const FigureParts& parts) {
            const FigureWithParts figure(*view_, parts);
            QPainter painter(&page);
            view_->drawFigure(painter, size, lightTheme());
        };
        const auto saysWhatIsCut = [&](const FigureParts& parts) {
            const QSize low = whole - QSize(0, 3 * view_->fontMetrics().height());
            gallery::DrawnWords page(low);
            draw(page, low, parts);
            return std::ranges::any_of(page.words(), [](const auto& word) {
                return word.text.contains("Not shown in this picture");
            });
        };
        QVERIFY(saysWhatIsCut({}));
        QVERIFY(!saysWhatIsCut({.notes = false}));
        const auto drawn = [&](const FigureParts& parts) {
            QImage image(whole, QImage::Format_RGB32);
            draw(image, whole, parts);
            return image;
        };
        const QImage before = drawn({});
        selection_->togglePinned(TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, 1));
        QVERIFY(drawn({}) != before);
        QCOMPARE(drawn({.marks = false}), before);
    }

    void underAChangeOfOneCellNoWordIsLeftOut() {
        auto changed = std::make_shared<trace::Run>(*run_);
        changed->request.interventions = {
            {trace::BlockCell{.head = {{trace::AttentionKind::EncoderSelf, 0}, 0}, .query = 1, .key = 0}}};
        auto reading = std::make_shared<trace::ClassifierReading>(*example::classifierReading(*changed));
        reading->leftOut.clear();
        answer(reading);
        view_->setRun(changed);
        view_->setPage(Page::Words);
        QVERIFY(!view_->hasFigure());
        QVERIFY2(view_->caption().contains("refers to a cell or row"), qPrintable(view_->caption()));
    }

    void whatWasRefusedIsSaid() {
        view_->setRun(run_);
        answers_->setRefusal(trace::RefusalText{.what = "It cannot be read"});
        QCOMPARE(view_->caption(), QString("It cannot be read."));
        QVERIFY(answers_->awaited().empty());
        view_->setRun(nullptr);
        answers_->setRefusal({});
        view_->setRun(example::classified(*run_));
        QVERIFY(!answers_->awaited().empty());
    }
};

HEADSCOPE_WATCHED_TEST(ClassifierViewTest)
#include "classifier_view_test.moc"
