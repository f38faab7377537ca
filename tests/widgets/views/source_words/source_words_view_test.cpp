#include <QLabel>
#include <QTest>

#include "model/analysis/rank_correlation.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/example_explained.h"
#include "tests/widgets/shown_view.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/source_words/source_words_view.h"
#include "widgets/words/card_words.h"

using namespace headscope;
using namespace headscope::widgets;

class SourceWordsViewTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<SourceWordsView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;

    void show(std::shared_ptr<trace::Run> run, std::size_t step) {
        run->request.paths = {trace::DecodePath()};
        selection_.setStep(step);
        view_ = std::make_unique<SourceWordsView>(&selection_);
        answers_ = new example::AnsweredAtOnce(view_.get(), {}, true);
        auto& document = answers_->document();
        document.model = run->model;
        document.request = run->request;
        document.run = run;
        answers_->setModel(example::Explaining(run));
        QVERIFY(tests::isSeen(*view_, {404, 378}));
    }
    ColumnTable* table() const { return view_->findChild<ColumnTable*>(); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }

  private Q_SLOTS:
    void everySourceTokenHasItsLossAndItsShare() {
        const auto run = example::run();
        show(run, 5);
        answers_->setHolding(false);
        const auto& shown = view_->content();
        QCOMPARE(shown.losses.size(), run->source.size());
        QCOMPARE(shown.shares.size(), run->source.size());
        QCOMPARE(cell(5, 2), QStringLiteral("+1.47"));
        QCOMPARE(cell(5, 4), QStringLiteral("40.0 %"));
        QCOMPARE(cell(8, 2), shortSignedText(-1.19));
        QCOMPARE(table()->model()->rowCount(), static_cast<int>(run->source.size()) + 1);
        auto sizes = shown.losses;
        for (double& size : sizes)
            size = std::abs(size);
        QCOMPARE(*shown.correlation(), *analysis::rankCorrelation(sizes, shown.shares));
        QVERIFY(tests::plain(view_->figureText().caption)
                    .contains("difference between the logits of “Tochter” and “Frau”"));
    }

    void theLastRowIsTheTargetSoFar() {
        const auto run = example::run();
        show(run, 4);
        answers_->setHolding(false);
        const int last = table()->model()->rowCount() - 1;
        QCOMPARE(cell(last, 0), QStringLiteral("target so far"));
        QVERIFY(cell(last, 2).isEmpty());
        QCOMPARE(cell(last, 4), shareText(5 * example::shareOf(run->source.size())));
    }

    void theBaselineIsATickOnEachBar() {
        const auto run = example::run();
        show(run, 4);
        answers_->document().choices["why"]["baseline"] = std::string("uniform");
        answers_->setHolding(false);
        const auto ticks = [this](int column) { return table()->content().columns[column].ticks; };
        const double even = 1.0 / static_cast<double>(run->source.size() + 5);
        QCOMPARE(*ticks(3).front(), even);
        QCOMPARE(*ticks(3).back(), 5 * even);
        QVERIFY(!ticks(1).front());
        const auto drawn = [this](int column) {
            return table()->model()->index(0, column).data(ColumnModel::TickRole);
        };
        QVERIFY(drawn(3).toDouble() == even && !drawn(1).isValid());
        answers_->document().choices["why"]["baseline"] = std::string("twin");
        answers_->setHolding(false);
        QCOMPARE(*ticks(1)[5], example::lossOf(5)); // made up for the twin, too
        QCOMPARE(*ticks(3)[5], double(float(example::shareOf(5))));
        QVERIFY(tests::plain(view_->figureText().caption).endsWith("Ticks: random twin."));
    }

    void ofAClassifierTheClassesAreCompared() {
        auto run = example::classified(*example::run());
        run->complete = true;
        const auto reading = example::classifierReading(*run);
        show(run, 0);
        answers_->setModel([reading](const trace::Question&) { return reading; });
        answers_->setHolding(false);
        const auto& shown = view_->content();
        QCOMPARE(shown.losses.size(), run->source.size());
        QVERIFY(shown.of && shown.of->other && shown.of->chosen.id == 1 && shown.of->other->id == 0);
        for (const auto& word : reading->leftOut) {
            // The difference of the logits, whose sum over classes is free.
            const double lead = reading->logits[1] - reading->logits[0];
            const double without = word.logProbabilities[1] - word.logProbabilities[0];
            QVERIFY(std::abs(shown.losses[word.firstToken] - (lead - without)) < 1e-9);
        }
        for (std::size_t token = 0; token < run->source.size(); ++token)
            QCOMPARE(shown.contributions[token],
                     reading->contributions[1][token] - reading->contributions[0][token]);
        QCOMPARE(cell(3, 2), shortSignedText(shown.losses[3]));
        QCOMPARE(cell(3, 4), shortSignedText(shown.contributions[3]));
        QVERIFY(view_->figureData().tables.front().columns.size() == 3);
    }

    void aDecoderAloneHasEarlierTokens() {
        const auto run = example::run();
        auto model = std::make_shared<trace::ModelSummary>(*run->model);
        model->attendsToSource = false;
        run->model = model;
        show(run, 3);
        answers_->setHolding(false);
        QCOMPARE(view_->content().tokens().size(), std::size_t(4));
        QCOMPARE(table()->model()->rowCount(), 4);
        QCOMPARE(view_->accessibleName(), QStringLiteral("Source words"));
        QVERIFY(view_->figureText().title.startsWith("Earlier tokens"));
    }

    void theyArriveAPartAtATimeAndAgreeWhenAllAreThere() {
        const auto run = example::run({.repeats = 3});
        show(run, 5);
        QCOMPARE(answers_->awaited().size(), std::size_t(1 + (run->source.size() + 15) / 16));
        QVERIFY(!view_->hasFigure() && !view_->content().correlation());
        answers_->setHolding(false);
        QVERIFY(view_->hasFigure() && view_->content().correlation());
    }

    void aClickPinsTheTokenEverywhere() {
        show(example::run(), 5);
        answers_->setHolding(false);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(table()->model()->index(5, 0)).center());
        QCOMPARE(selection_.pinned().sourceKey, std::optional(trace::TokenIndex(5)));
        QCOMPARE(table()->content().marked, std::optional(5));
        selection_.clearPinned();
        QVERIFY(!table()->content().marked);
    }

    void aRefusalStandsInThePlaceOfTheTable() {
        show(example::run(), 5);
        answers_->setRefusal(trace::RefusalText{.what = "No such token", .where = trace::contrastOption});
        answers_->setHolding(false);
        QVERIFY(!table()->isVisible());
        QVERIFY(!view_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(SourceWordsViewTest)
#include "source_words_view_test.moc"
