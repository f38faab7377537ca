#include <QAccessible>
#include <QComboBox>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_long_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/bars_picture.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/scale/score_plots.h"
#include "widgets/words/captions.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::buttonOf;
using tests::childNamed;
using tests::isSeen;
using tests::plain;

class ScaleViewTest : public QObject {
    Q_OBJECT

    using Page = ScaleView::Page;

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ScaleView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;

    static std::shared_ptr<trace::Run> run(const example::Options& options = {}) {
        auto made = example::run(options);
        auto model = std::make_shared<trace::ModelSummary>(*made->model);
        model->headWidth = 16;
        made->model = model;
        return made;
    }

    ReadablePlot* plot(const QString& name) const { return childNamed<ReadablePlot>(*view_, name); }
    ReadablePlot* rowPlot() const { return plot("Soft and hard attention of the row"); }
    ReadablePlot* mapPlot() const { return plot("The map at this temperature"); }
    ReadablePlot* curvePlot() const { return plot("Entropy over the temperature"); }
    QPushButton* button(const QString& text) const { return buttonOf<QPushButton>(*view_, text); }
    void answer() {
        answers_->setHolding(false);
        answers_->setHolding(true);
    }
    void show(Page page) {
        view_->setRun(run_);
        view_->setPage(page);
        answer();
        QCoreApplication::processEvents();
    }

  private Q_SLOTS:
    void init() {
        run_ = run();
        selection_ = std::make_unique<Selection>();
        selection_->setHead(example::aligningHead);
        selection_->setStep(3);
        view_ = std::make_unique<ScaleView>(selection_.get());
        answers_ = example::givenAnswers(view_.get());
        QVERIFY(isSeen(*view_, {900, 640}));
    }

    void cleanup() {
        view_.reset(); // before the selection
        selection_.reset();
    }

    void anEmptyViewSaysWhatToDo() {
        for (const Page page : {Page::Scores, Page::Variance, Page::Temperature}) {
            view_->setPage(page);
            QVERIFY(!view_->hasFigure());
            QVERIFY(view_->caption().contains("press Enter"));
        }
    }

    void itAsksAboutTheHeadInSight() {
        view_->setRun(run_);
        const auto question = view_->question();
        QVERIFY(question && question->run == run_ && question->head == example::aligningHead);
        QCOMPARE(answers_->awaited().size(), std::size_t(1));
        answer();
        QVERIFY(answers_->awaited().empty());
        QVERIFY(!view_->question());
        selection_->setHead({{trace::AttentionKind::Cross, 2}, 4});
        QVERIFY(view_->question());
        QVERIFY(view_->hasFigure()); // the previous answer is kept
        QVERIFY(view_->caption().contains("cross.2.5 (of 3 layers, 8 heads per layer)"));
    }

    void theCaptionSaysWhatIsCounted() {
        show(Page::Scores);
        QVERIFY2(view_->caption().startsWith(
                     "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of example-en-de"),
                 qPrintable(view_->caption()));
        QVERIFY(view_->caption().contains("132 allowed cells, times 0.25 = 1/√d_k"));
        view_->setScope(ScoreScope::Layer);
        answer();
        QVERIFY(view_->caption().contains("cross.2 (of 3 layers), all heads"));
        view_->setScope(ScoreScope::Model);
        answer();
        QVERIFY(view_->caption().startsWith("All 72 heads of example-en-de"));
    }

    void theScoresFollowTheTemperatureThatIsDragged() {
        show(Page::Scores);
        auto* scores = plot("Distribution of the scores");
        QCOMPARE(scores->rowCount(), 2);
        auto* slider = view_->findChild<TemperatureSlider*>();
        QVERIFY(slider->isVisible());
        slider->setValue(slider->minimum());
        QVERIFY2(view_->caption().contains("Computing temperature 0.01"), qPrintable(view_->caption()));
        const auto question = view_->question();
        QVERIFY(question && question->temperature == 0.01);
        answer();
        QVERIFY(!view_->question());
        QCOMPARE(scores->rowCount(), 3);
        const auto all = analysis::scoresOnOneAxis(*run_, {example::aligningHead}, 60, {}, 0.01);
        QVERIFY2(view_->caption().contains(
                     QString("divided by the temperature 0.01, mean %1, variance %2.")
                         .arg(axisNumber(all.ofDivided.mean), axisNumber(all.ofDivided.variance))),
                 qPrintable(view_->caption()));
        const auto data = view_->figureData();
        QCOMPARE(std::get<std::vector<double>>(data.tables.front().columns.back().values), all.divided);
        QCOMPARE(std::get<std::vector<double>>(data.tables.back().columns.back().values),
                 (std::vector{all.ofScaled.variance, all.ofProducts.variance, all.ofDivided.variance}));
        view_->setPage(Page::Temperature); // all pages share the temperature
        QCOMPARE(view_->temperature(), 0.01);
        QVERIFY(!view_->question());
        view_->setTemperature(2);
        QVERIFY(!view_->question()); // the rows of a single head need no background work
    }

    void whatIsKnownIsNotCountedAgain() {
        auto before = std::make_shared<ScaleAnswer>();
        before->question = {.run = run_, .head = example::aligningHead};
        before->spreads.resize(1);
        before->curve.entropies = {1.5};
        before->scores = analysis::scoresOnOneAxis(*run_, {example::aligningHead}, 60, {}, 3);
        auto question = before->question;
        question.temperature = 0.5;
        question.before = before;
        const auto answer = answerOf(question);
        QCOMPARE(answer.spreads.size(), std::size_t(1));
        QCOMPARE(answer.curve.entropies.size(), std::size_t(1));
        QVERIFY(!answer.question.before);
        QCOMPARE(answer.scores.divided,
                 analysis::scoresOnOneAxis(*run_, {example::aligningHead}, 60, {}, 0.5).divided);
        view_->setRun(run_);
        answers_->give(before->question, *before);
        view_->setTemperature(0.5);
        this->answer();
        view_->setPage(Page::Variance);
        QCOMPARE(view_->figureData().tables.front().rows(), std::size_t(1));
    }

    void theTableOfVariancesFollowsTheTemperature() {
        show(Page::Variance);
        const auto* table = view_->findChild<ColumnTable*>();
        view_->setTemperature(0.5);
        QVERIFY(!view_->question());
        const double scaled = analysis::spreadOfHeads(*run_)[71].scores.variance;
        QCOMPARE(table->model()->headerData(4, Qt::Horizontal).toString(), QString("score / 0.5"));
        QCOMPARE(table->model()->index(71, 4).data().toString(), preciseText(4 * scaled));
        QVERIFY2(view_->caption().contains("the softmax's input by 4"), qPrintable(view_->caption()));
        QCOMPARE(std::get<std::vector<double>>(view_->figureData().tables.front().columns.back().values)[71],
                 4 * scaled);
    }

    void everyHeadsVarianceStandsInTheTable() {
        show(Page::Variance);
        const auto* table = view_->findChild<ColumnTable*>();
        QCOMPARE(table->model()->rowCount(), 72 + 3); // and what three initialisations give
        QCOMPARE(table->model()->index(0, 0).data().toString(), QString("encoder.0.0"));
        const auto spreads = analysis::spreadOfHeads(*run_);
        QCOMPARE(table->model()->index(71, 2).data().toString(), preciseText(spreads[71].products.variance));
        QVERIFY(view_->caption().contains("neither independent nor standardised"));
        QVERIFY(view_->caption().contains("every head of example-en-de at d_k"));
    }

    void theTwinIsMeasuredOnDemandAndStandsBesideThem() {
        show(Page::Variance);
        QCOMPARE(view_->questions().size(), std::size_t(1));
        answers_->document().twinSeed = 7;
        button("Measure the Random Twin")->click();
        QCOMPARE(answers_->awaited().size(), std::size_t(1));
        answers_->setModel([this](const auto&) { return std::shared_ptr<const trace::Run>(run_); });
        answer();
        QVERIFY(view_->caption().contains("seed 7"));
        QCOMPARE(plot("Variance of the heads' products over d_k")->rowCount(), 2);
        view_->setRun(run()); // the twin of another run is discarded
        answer();
        QVERIFY(!view_->caption().contains("seed 7"));
    }

    void aMarkOfAHeadSelectsIt() {
        show(Page::Variance);
        auto* variances = plot("Variance of the heads' products over d_k");
        QTest::mouseClick(variances, Qt::LeftButton, {}, variances->cellArea({0, 9}).center());
        const auto head = QString::fromStdString(trace::toString(selection_->head()));
        QVERIFY2(variances->cellInWords({0, 9}).contains(head) || head.startsWith("encoder"),
                 qPrintable(head));
    }

    void atOneTheRowIsThatOfTheRun() {
        show(Page::Temperature);
        const auto words = rowPlot()->cellInWords({5, 0});
        const double weight = run_->cross[2].weights(5, 3, 5);
        QVERIFY2(words.contains(QString::number(weight, 'f', 4)), qPrintable(words));
        QVERIFY(plain(view_->caption()).contains("choosing “gab”"));
        QVERIFY(view_->caption().contains("later layers are not recomputed"));
    }

    void sliderAndNumberAreOneTemperature() {
        show(Page::Temperature);
        auto* slider = view_->findChild<TemperatureSlider*>();
        auto* box = view_->findChild<NumberBox*>();
        slider->setValue(slider->minimum());
        QCOMPARE(view_->temperature(), 0.01);
        QCOMPARE(box->value(), 0.01);
        box->setValue(10);
        QCOMPARE(slider->value(), slider->maximum());
        slider->setValue(slider->maximum() * 2 / 3); // logarithmic
        QCOMPARE(view_->temperature(), 1.0);
        button("No Scaling")->click();
        QCOMPARE(view_->temperature(), 0.25); // 1/sqrt(16)
        button("Reset")->click();
        QCOMPARE(view_->temperature(), 1.0);
    }

    void buttonsSayWhichTemperatureIsDrawn() {
        show(Page::Temperature);
        QVERIFY(!button("Reset")->isEnabled());
        QVERIFY(!button("Decode with This")->isEnabled());
        QVERIFY(button("Decode with This")->toolTip().contains("training"));
        button("No Scaling")->click();
        QVERIFY(button("No Scaling")->isChecked() && button("Reset")->isEnabled());
        button("No Scaling")->click();
        QVERIFY(button("No Scaling")->isChecked());
        QVERIFY(button("Decode with This")->isEnabled());
        view_->setTemperature(0.7);
        QVERIFY(!button("No Scaling")->isChecked() && button("Reset")->isEnabled());
    }

    void allHeadsObeyTheTemperature() {
        view_->setScope(ScoreScope::Model);
        show(Page::Temperature);
        auto* entropies = plot("Entropy of every head's rows");
        auto* curves = plot("Every head's entropy over the temperature");
        QVERIFY(entropies->isVisible() && curves->isVisible() && !mapPlot()->isVisible());
        QCOMPARE(entropies->columnCount(), 72);
        QCOMPARE(curves->rowCount(), 72);
        QVERIFY2(view_->caption().startsWith("All 72 heads of example-en-de: softmax(score / 1)"),
                 qPrintable(view_->caption()));
        view_->findChild<TemperatureSlider*>()->setValue(0);
        QVERIFY(view_->caption().contains("Computing temperature 0.01"));
        answer();
        QVERIFY(!view_->question());
        QVERIFY2(view_->caption().contains("softmax(score / 0.01)"), qPrintable(view_->caption()));
        const auto heads = analysis::headsAtTemperature(*run_, analysis::headsOf(*run_), 0.01);
        QVERIFY(entropies->cellInWords({0, 7}).contains(numberText(heads[7].mean)));
        QVERIFY(plot("Weight of the top-scoring key in each head")
                    ->cellInWords({0, 7})
                    .contains(numberText(heads[7].hard)));
        const auto data = view_->figureData();
        QCOMPARE(data.tables.front().rows(), std::size_t(72));
        QCOMPARE(data.tables.back().rows(), std::size_t(72 * 31));

        QTest::mouseClick(entropies, Qt::LeftButton, {}, entropies->cellArea({0, 9}).center());
        QVERIFY(selection_->head() == analysis::headsOf(*run_)[9]);
        QVERIFY(!view_->question()); // in this scope the head does not matter
        view_->setScope(ScoreScope::Layer);
        QVERIFY(view_->caption().contains("Computing the new selection"));
        answer();
        QCOMPARE(entropies->columnCount(), 8);
        view_->setScope(ScoreScope::Head);
        QVERIFY(mapPlot()->isVisible() && !entropies->isVisible());
    }

    void ofALongMapSomeRowsAreCountedAndSaidToBe() {
        run_ = example::longSource(1000);
        const trace::HeadAddress head{{trace::AttentionKind::EncoderSelf, 1}, 3};
        selection_->setHead(head);
        show(Page::Temperature); // and for one head
        const auto rows = analysis::rowsLookedAt(*run_, {head});
        QVERIFY2(view_->caption().contains(QString("For heads with more than %1 rows, %1 rows at").arg(rows)),
                 qPrintable(view_->caption()));
        QVERIFY(plot("Entropy of every head's rows")
                    ->cellInWords({0, 0})
                    .contains(QString("%1 of 1000 rows").arg(rows)));
    }

    void theCurveOfTheHeadBeforeStaysUntilTheNextIsKnown() {
        show(Page::Temperature);
        const int points = curvePlot()->columnCount();
        QVERIFY(points > 0);
        selection_->setHead({{trace::AttentionKind::Cross, 1}, 4});
        QCOMPARE(curvePlot()->columnCount(), points);
        QVERIFY(curvePlot()->cellInWords({0, 3}).contains("omputing"));
        answer();
        QVERIFY(curvePlot()->cellInWords({0, 3}).contains("bits"));
    }

    void aRefusalIsSaidAndNotAskedForAgain() {
        view_->setRun(run_);
        answers_->setRefusal(trace::RefusalText{.what = "There is not enough memory"});
        answers_->setHolding(false);
        QVERIFY(!view_->hasFigure());
        QVERIFY(view_->caption().contains("memory"));
        QVERIFY(!view_->question());
        answers_->setHolding(true);
        answers_->setRefusal({});
        view_->setScope(ScoreScope::Model);
        QVERIFY(view_->question()); // a refusal only holds for its question
        answer();
        QVERIFY(!view_->caption().contains("memory"));
    }

    void numbersOfTheRunBeforeAreSaidToBe() {
        show(Page::Scores);
        const QString before = view_->figureText().provenance;
        auto other = std::make_shared<trace::Run>(*run_);
        other->request.source = std::string("Another sentence.");
        view_->setRun(other);
        QVERIFY2(view_->caption().contains("For the previous run"), qPrintable(view_->caption()));
        QCOMPARE(view_->figureText().provenance, before);
        answers_->setRefusal(trace::RefusalText{.what = "There is not enough memory"});
        answers_->setHolding(false);
        QVERIFY2(view_->caption().contains("For the previous run. There is not enough memory."),
                 qPrintable(view_->caption()));
        view_->setPage(Page::Temperature);
        QVERIFY(view_->figureText().provenance.contains("Another sentence."));
        QVERIFY(curvePlot()->cellInWords({0, 3}).contains("omputing"));
        for (const auto& table : view_->figureData().tables)
            QVERIFY(table.name != "entropy"); // the curve belongs to another run
        view_->setRun(run_);
        QVERIFY(curvePlot()->cellInWords({0, 3}).contains("bits"));
    }

    void ofLongMapsAllHeadsAreCountedToo() {
        auto made = std::make_shared<trace::Run>(*example::longRuns(1).leftOut);
        auto model = std::make_shared<trace::ModelSummary>(*made->model);
        model->headWidth = 8;
        made->model = model;
        run_ = made;
        selection_->setHead({{trace::AttentionKind::EncoderSelf, 1}, 3});
        view_->setScope(ScoreScope::Model);
        view_->setRun(run_);
        view_->show();
        answers_->setShare(0.359);
        QVERIFY2(view_->caption().contains("Computing: 35 %"), qPrintable(view_->caption()));
        show(Page::Scores);
        QVERIFY2(view_->caption().startsWith("All 72 heads"), qPrintable(view_->caption()));
    }

    void aTwinThatIsMeasuredCanBeStopped() {
        show(Page::Variance);
        button("Measure the Random Twin")->click();
        QVERIFY(view_->caption().contains("is running"));
        const auto twin = view_->questions().front();
        selection_->setHead({{trace::AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(view_->question() && view_->questions().front() == twin);
        button("Stop Measuring")->click();
        answer();
        QVERIFY(answers_->awaited().empty());
        QVERIFY(button("Measure the Random Twin"));
        button("Measure the Random Twin")->click();
        answers_->setRefusal(trace::RefusalText{.what = "No weights"});
        answers_->setHolding(false);
        QVERIFY(view_->caption().contains("No weights."));
        QVERIFY(button("Measure the Random Twin"));
    }

    void theWholeModelIsChangedOnDemand() {
        show(Page::Temperature);
        view_->setTemperature(0.5);
        QSignalSpy wanted(view_.get(), &ScaleView::intended);
        button("Decode with This")->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(std::get<intents::DivideScores>(wanted.front().front().value<Intent>()).temperature, 0.5);
        QCOMPARE(view_->temperature(), 1.0); // the next run has the temperature in its scores
    }

    void theRowIsWhatIsLitOrSteppedTo() {
        show(Page::Temperature);
        QCOMPARE(view_->row(), 3);
        selection_->setStep(7);
        QCOMPARE(view_->row(), 7);
        selection_->setHover({.targetQuery = 2});
        QCOMPARE(view_->row(), 2);
        selection_->setHover({});
        QTest::mouseClick(mapPlot(), Qt::LeftButton, {}, mapPlot()->cellArea({4, 1}).center());
        QCOMPARE(view_->row(), 4);
    }

    void aPointOfTheCurveIsATemperature() {
        show(Page::Temperature);
        curvePlot()->setFocus();
        QTest::keyClick(curvePlot(), Qt::Key_Home);
        QTest::keyClick(curvePlot(), Qt::Key_Return);
        QCOMPARE(view_->temperature(), 0.01);
        QVERIFY(curvePlot()->accessibleDescription().startsWith("Temperature 0.01: mean entropy"));
    }

    void wideHeadsCanBeUnscaledToo() {
        auto model = std::make_shared<trace::ModelSummary>(*run_->model);
        model->headWidth = 128;
        run_->model = model;
        show(Page::Temperature);
        button("No Scaling")->click();
        QCOMPARE(view_->temperature(), 1 / std::sqrt(128.0));
        QVERIFY(button("No Scaling")->isChecked());
    }

    void everyNumberBesideABarIsWhole() {
        const QStringList numbers{numberText(1.8e-7F), numberText(1), "masked"};
        std::vector<Bar> bars;
        for (const QString& number : numbers)
            bars.push_back({.name = {.text = "a"}, .value = 1, .number = number, .words = {}});
        gallery::DrawnWords page({400, 200});
        QPainter painter(&page);
        BarsPicture(bars, 1, false, {"one", "two"}).draw(painter, {0, 0, 400, 200}, QFont(), lightTheme());
        painter.end();
        QCOMPARE(page.collision(), QString());
        for (const QString& number : numbers)
            QVERIFY(std::ranges::count(page.words(), number, &gallery::DrawnWords::Word::text) == 1);
    }

    void whatIsDrawnOfARowIsExported() {
        show(Page::Temperature);
        const auto data = view_->figureData();
        const auto rows = std::ranges::find(data.tables, "rows", &trace::DataTable::name);
        QVERIFY(rows != data.tables.end());
        const auto& entropies = std::get<std::vector<double>>(rows->columns.at(1).values);
        const auto scores = *analysis::openScores(*run_, example::aligningHead);
        const auto known = analysis::entropiesOfRows(scores, analysis::softmaxOf(scores, 1));
        QCOMPARE(entropies.size(), known.size());
        for (std::size_t row = 0; row < known.size(); ++row)
            QVERIFY(known[row] ? entropies[row] == *known[row] : std::isnan(entropies[row]));
        const auto& hard = std::get<std::vector<double>>(rows->columns.at(2).values);
        QCOMPARE(hard.at(3), double(*analysis::hardKey(scores.scores.row(3), scores.open.row(3))));
        QVERIFY(view_->caption().contains("Dash-dotted: uniform attention"));
    }

    void whatInitialisationsGiveStandsBelowTheHeads() {
        show(Page::Variance);
        QVERIFY2(view_->caption().contains("Xavier 16, nn.MultiheadAttention 4, nn.Linear 1.778"),
                 qPrintable(view_->caption()));
        const auto data = view_->figureData();
        const auto first = std::ranges::find(data.tables, "initialisations", &trace::DataTable::name);
        QVERIFY(first != data.tables.end());
        QCOMPARE(std::get<std::vector<double>>(first->columns.at(1).values),
                 (std::vector<double>{16, 4, 16 / 9.0}));
    }

    void plotsAreReadAsTables() {
        show(Page::Temperature);
        auto* interface = QAccessible::queryAccessibleInterface(mapPlot());
        QVERIFY(interface->tableInterface());
        QCOMPARE(interface->tableInterface()->rowCount(), 12);
        QCOMPARE(interface->tableInterface()->columnCount(), 12); // eleven keys and the entropy
        QCOMPARE(interface->tableInterface()->cellAt(3, 11)->text(QAccessible::Name),
                 mapPlot()->cellInWords({3, 11}));
        QVERIFY(mapPlot()->cellInWords({3, 11}).contains("bits"));
    }

    void evenAttentionIsAStrokeWithinTheColumnOfItsHead() {
        const Plot plot = headEntropiesPlot({{.even = 3.7}, {.even = 2.3}}, example::aligningHead);
        const auto& stroke = plot.series.at(1);
        QCOMPARE(stroke.name, "uniform attention");
        QVERIFY(stroke.points[3] == QPointF(1.2, 2.3) && stroke.points[4] == QPointF(1.8, 2.3));
    }

    void aModelWithoutTheHeadSaysSo() {
        view_->setRun(run_);
        selection_->setHead({{trace::AttentionKind::Cross, 9}, 0});
        QVERIFY(view_->caption().contains("no such head"));
        auto recorded = *run_;
        auto model = *recorded.model;
        model.recorded = std::make_shared<const trace::Request>();
        recorded.model = std::make_shared<const trace::ModelSummary>(model);
        recorded.cross.clear();
        view_->setRun(std::make_shared<const trace::Run>(recorded));
        QVERIFY2(view_->caption().contains("Cross-attention is not in this trace"),
                 qPrintable(view_->caption()));
    }

    void draggingCostsLittle() {
        run_ = run({.repeats = 6}); // more than 60 x 60 cells
        show(Page::Temperature);
        const QImage before = view_->grab().toImage();
        QImage last;
        QBENCHMARK {
            view_->setTemperature(view_->temperature() == 2 ? 0.5 : 2);
            last = view_->grab().toImage();
        }
        QVERIFY(last != before);
    }
};

HEADSCOPE_WATCHED_TEST(ScaleViewTest)
#include "scale_view_test.moc"
