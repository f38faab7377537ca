#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/words/captions.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using tests::childNamed;
using tests::isSeen;
using tests::plain;

class ClassifierViewTest : public QObject {
    Q_OBJECT

    using Page = ClassifierView::Page;

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ClassifierView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;

    ReadablePlot* plot(const QString& name) const { return childNamed<ReadablePlot>(*view_, name); }
    ReadablePlot* classes() const { return plot("Probabilities of the classes"); }
    ReadablePlot* tokens() const { return plot("Contribution of each token"); }
    ReadablePlot* words() const { return plot("Loss of the class without each word"); }
    ColumnTable* table(const QString& name) const { return childNamed<ColumnTable>(*view_, name); }
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
        for (const Page page : {Page::Answer, Page::Words}) {
            view_->setPage(page);
            const QString words = plain(view_->caption());
            for (const auto* word : {&apart->leftOut[found->added], &apart->leftOut[2]})
                QVERIFY2(words.contains(plain(quoted(labels[word->firstToken]))), qPrintable(words));
            QVERIFY2(words.contains(numberText(found->contribution)), qPrintable(words));
            QVERIFY2(words.contains(numberText(7 + apart->logProbabilities[1])), qPrintable(words));
        }
        view_->setPage(Page::Answer);
        QVERIFY(plain(view_->caption()).size() > agreed.size());
    }

    void aClickOnAClassTakesThatApart() {
        show();
        QTest::mouseClick(classes(), Qt::LeftButton, {}, classes()->cellArea({0, 0}).center());
        QCOMPARE(view_->chosenClass(), std::size_t(0));
        QVERIFY(view_->caption().contains("#0"));
    }

    void classesHaveTheFoldersNames() {
        auto model = std::make_shared<trace::ModelSummary>(*run_->model);
        model->classLabels = {"negative", "positive"};
        run_->model = model;
        show();
        QCOMPARE(view_->findChild<QComboBox*>()->itemText(1), QString("positive"));
        QVERIFY(view_->caption().contains("logit of positive"));
    }

    void everyTokenStandsInTheTable() {
        show();
        const auto* model = table("Contribution of each token")->model();
        QCOMPARE(model->rowCount(), 11);
        int features = 0;
        for (int row = 0; row < model->rowCount(); ++row)
            features += model->index(row, 1).data().toString().toDouble();
        QCOMPARE(features, 64);
        QVERIFY(plain(tokens()->cellInWords({0, 0})).startsWith("“The” gave"));
    }

    void tokensThatHaveNoRoomAreInTheTableAlone() {
        show();
        const int all = tokens()->rowCount();
        tokens()->setFixedHeight(3 * view_->fontMetrics().height() + 20); // one line of chips
        tokens()->setFixedWidth(200);
        QCoreApplication::processEvents();
        int drawn = 0;
        for (int token = 0; token < all; ++token)
            drawn += !tokens()->cellArea({token, 0}).isEmpty();
        QVERIFY(drawn < all);
        QCOMPARE(tokens()->rowCount(), all);
    }

    void besideALowPanelThePageScrollsAndKeepsEveryToken() {
        view_->resize(260, 300);
        show();
        for (int token = 0; token < tokens()->rowCount(); ++token)
            QVERIFY(!tokens()->cellArea({token, 0}).isEmpty());
        auto* area = view_->findChild<QScrollArea*>();
        QVERIFY(area && area->verticalScrollBar()->maximum() > 0);
        auto* list = table("Contribution of each token");
        QCOMPARE(list->verticalScrollBar()->maximum(), 0); // no second scroll bar
        list->setFocus();
        list->setCurrentIndex(list->model()->index(list->model()->rowCount() - 1, 0));
        QVERIFY(area->verticalScrollBar()->value() > 0);
    }

    void aFigureIsAsHighAsWhatItShows() {
        show();
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

    void everyFeatureStandsBesideTheTokenThatGaveIt() {
        show();
        const auto* features = table("Token behind each feature")->model();
        const auto reading = example::classifierReading(*run_);
        QCOMPARE(features->rowCount(), int(reading->positions.size()));
        const auto labels = tokenLabels(run_->source);
        for (const int row : {0, 7, 63}) {
            const auto at = [&](int column) { return features->index(row, column).data().toString(); };
            const auto f = static_cast<std::size_t>(row);
            QCOMPARE(at(0), labels[reading->positions[f]].full());
            QCOMPARE(at(1), QString::number(row));
            QCOMPARE(at(2), QString::number(reading->positions[f]));
        }
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

    void walkingThroughFeaturesLightsTheirTokens() {
        show();
        auto* features = table("Token behind each feature");
        features->setFocus();
        features->setCurrentIndex(features->model()->index(7, 0));
        const auto reading = example::classifierReading(*run_);
        QCOMPARE(selection_->hover().sourceKey, std::optional(int(reading->positions[7])));
    }

    void aTokenLightsUpTheEncodersKey() {
        show();
        QTest::mouseMove(tokens(), tokens()->cellArea({3, 0}).center());
        QTRY_COMPARE(selection_->hover().sourceKey, std::optional(3));
        const auto drawn = [this] {
            QImage image(view_->figureSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            view_->drawFigure(painter, image.size(), lightTheme());
            painter.end();
            return image;
        };
        const QImage pointedAt = drawn();
        selection_->setHover({});
        QVERIFY(drawn() == pointedAt); // figures do not mark the pointer
        QTest::mouseClick(tokens(), Qt::LeftButton, {}, tokens()->cellArea({2, 0}).center());
        QCOMPARE(selection_->pinned().sourceKey, std::optional(2));
    }

    void wordsStandInReadingOrderOrTheLargestFirst() {
        show();
        view_->setPage(Page::Words);
        const auto names = [this] {
            QStringList list;
            const auto* model = table("Loss of the class without each word")->model();
            for (int row = 0; row < model->rowCount(); ++row)
                list += model->index(row, 0).data().toString();
            return list;
        };
        QCOMPARE(names().size(), 10); // without the end token
        QCOMPARE(names().front(), QString("▁The"));
        view_->setSorted(true);
        double before = INFINITY;
        const auto* model = table("Loss of the class without each word")->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const double lost = model->index(row, 1).data().toString().replace(u'−', u'-').toDouble();
            QVERIFY(lost <= before);
            before = lost;
        }
        QVERIFY(view_->caption().contains("later words move up"));
        QVERIFY(view_->caption().contains("Largest first"));
        QVERIFY(plain(words()->cellInWords({0, 0})).startsWith("Without “"));
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

    void headsByImportanceAreOneButtonAway() {
        show();
        QSignalSpy wanted(view_.get(), &ClassifierView::intended);
        view_->findChild<QPushButton*>()->click();
        QCOMPARE(wanted.size(), 1);
    }
};

HEADSCOPE_WATCHED_TEST(ClassifierViewTest)
#include "classifier_view_test.moc"
