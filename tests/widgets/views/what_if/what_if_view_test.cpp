#include <QImage>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/compared_runs.h"
#include "tests/widgets/example_long_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/what_if/score_histogram.h"
#include "widgets/views/what_if/step_bars.h"
#include "widgets/views/what_if/step_comparison_view.h"
#include "widgets/views/what_if/what_if_view.h"
#include "widgets/words/change_words.h"

using namespace headscope;
using namespace headscope::widgets;

class WhatIfViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    DocumentState document_;
    std::unique_ptr<WhatIfView> view_;
    std::vector<std::vector<trace::Intervention>> wanted_; ///< lists of changes that the view wanted

    QListWidget* list() { return view_->findChild<QListWidget*>(); }
    StepComparisonView* steps() { return view_->findChild<StepComparisonView*>(); }

    static bool isContrast(const trace::DataColumn& column) { return column.title == "compared_with"; }
    static QString plain(QString words) { return words.remove(QChar(0x2068)).remove(QChar(0x2069)); }

    void setRun(std::shared_ptr<const trace::Run> run) {
        document_.run = std::move(run);
        view_->refresh();
    }

    void setChanges(std::vector<trace::Intervention> changes) {
        document_.changes = std::move(changes);
        view_->refresh();
    }

    QList<QAction*> offered() {
        Q_EMIT view_->menu()->aboutToShow();
        return view_->menu()->actions();
    }

    void showComparison() {
        const auto runs = example::comparedRuns();
        document_.model = runs.changed->model;
        document_.changes = example::changes();
        setRun(runs.changed);
        view_->setRuns(runs.changed, runs.original, runs.forced);
        view_->setSteps(analysis::compareSteps(*runs.original, *runs.forced));
        view_->resize(320, 640);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<WhatIfView>(selection_.get());
        document_ = {};
        view_->setContext({.selection = selection_.get(), .document = &document_});
        wanted_.clear();
        connect(view_.get(), &View::intended, this, [this](const Intent& intent) {
            if (const auto* change = std::get_if<intents::ChangeModel>(&intent))
                wanted_.push_back(change->changes);
        });
    }

    void changesAreListedInPlainWordsWithTheirOption() {
        showComparison();
        QCOMPARE(list()->count(), 5);
        QCOMPARE(list()->item(0)->text(), QString("cross.2.5: switched off"));
        QVERIFY(list()->item(0)->toolTip().contains("--disable-head cross.2.5"));
        QCOMPARE(list()->item(1)->checkState(), Qt::Unchecked);
        QVERIFY2(list()->item(2)->text().contains("daughter"), qPrintable(list()->item(2)->text()));
    }

    void theStepsCanBeSavedAsNumbersAndAsAFigure() {
        const auto* comparison = view_.get();
        QVERIFY(!comparison->hasFigure() && comparison->figureData().empty());
        showComparison();
        const auto table = comparison->figureData().tables.at(0);
        for (std::size_t i = 0; i < steps()->steps().size(); ++i) {
            const auto& step = steps()->steps()[i];
            QCOMPARE(std::get<std::vector<double>>(table.columns[2].values)[i], step.divergence);
            QCOMPARE(std::get<std::vector<double>>(table.columns[3].values)[i], step.before);
            QCOMPARE(std::get<std::vector<double>>(table.columns[4].values)[i], step.after);
        }
        const auto text = comparison->figureText();
        QVERIFY2(text.caption.contains("cross.2.5") && text.caption.contains("Mean KL"),
                 qPrintable(text.caption));
        QVERIFY(!text.provenance.isEmpty());
    }

    void barsStandOnLinesOfTheSameColour() {
        const auto runs = example::comparedRuns();
        auto all = analysis::compareSteps(*runs.original, *runs.forced);
        all.back().topChanged = true; // drawn last
        QImage image(QSize(600, 160), QImage::Format_RGB32);
        image.fill(lightTheme().background);
        QPainter painter(&image);
        StepBars{.steps = all, .area = image.rect(), .font = view_->font()}.draw(painter, lightTheme());
        painter.end();
        int lines = 0;
        for (int y = 0; y < image.height(); ++y) {
            bool isLine = true;
            for (int x = 560; x < 590; ++x) // to the right of the bars
                isLine = isLine && image.pixel(x, y) == lightTheme().line.rgb();
            lines += isLine;
        }
        QCOMPARE(lines, 2);
    }

    void theListIsAsHighAsItsWrappedRows() {
        showComparison();
        for (const int width : {320, 200, 600}) {
            view_->resize(width, 900);
            const auto bottom = [this] { return list()->visualItemRect(list()->item(4)).bottom(); };
            QTRY_VERIFY(bottom() < list()->viewport()->height() &&
                        bottom() > list()->viewport()->height() - 4);
        }
    }

    void whatMetNothingSaysSo() {
        showComparison();
        QVERIFY(list()->item(4)->text().contains("no effect"));
        QVERIFY(list()->item(4)->toolTip().contains("no such row"));
        QVERIFY(!list()->item(3)->text().contains("no effect"));
    }

    void aCheckBoxSwitchesAndDeleteRemoves() {
        showComparison();
        auto changes = example::changes();
        list()->item(0)->setCheckState(Qt::Unchecked);
        QCOMPARE(wanted_.size(), 0u); // the list is still telling of it
        QTRY_COMPARE(wanted_.size(), 1u);
        changes[0].on = false;
        QVERIFY(wanted_.back() == changes);
        setChanges(changes);
        list()->setCurrentRow(2);
        QTest::keyClick(list(), Qt::Key_Delete);
        QCOMPARE(wanted_.size(), 2u);
        changes.erase(changes.begin() + 2);
        QVERIFY(wanted_.back() == changes);
    }

    void aCheckBoxOfAListThatIsAnotherByNowSwitchesNothing() {
        showComparison();
        list()->item(0)->setCheckState(Qt::Unchecked);
        setChanges({});
        QCoreApplication::processEvents();
        QCOMPARE(wanted_.size(), 0u);
    }

    /// A trace holds a run with its changes, but no model to run without them.
    void ofATraceTheChangesAreShownAndNothingIsOffered() {
        auto model = *example::comparedRuns().changed->model;
        model.recorded = std::make_shared<const trace::Request>();
        document_.model = std::make_shared<const trace::ModelSummary>(model);
        setChanges({{trace::ScaleHead{.head = {{trace::AttentionKind::Cross, 1}, 2}}}});
        QCOMPARE(list()->count(), 1);
        QVERIFY(!(list()->item(0)->flags() & Qt::ItemIsUserCheckable));
        QVERIFY(list()->item(0)->toolTip().contains("This is a trace"));
        for (const auto* button : view_->findChildren<QPushButton*>())
            QVERIFY2(!button->isEnabled() && button->toolTip().contains("This is a trace"),
                     qPrintable(button->text() + ": " + button->toolTip()));
        QVERIFY(!offered().isEmpty() && view_->menu()->toolTipsVisible());
        for (const auto* action : offered())
            QVERIFY(!action->isEnabled() && action->toolTip().contains("This is a trace"));
        QMenu menu;
        view_->addTo(menu, {.head = {{trace::AttentionKind::Cross, 0}, 0}});
        QVERIFY(menu.toolTipsVisible() && menu.actions().size() > 1);
        for (const auto* action : menu.actions())
            QVERIFY2(action->isSeparator() ||
                         (!action->isEnabled() && action->toolTip().contains("This is a trace")),
                     qPrintable(action->text()));
    }

    void changedWordsAreMarkedInBothOutputs() {
        showComparison();
        const QString words = view_->inWords();
        QVERIFY2(words.contains("<s>seiner</s>"), qPrintable(words));
        QVERIFY(words.contains("<u>ihrer</u>"));
        QVERIFY(words.contains("rotes Buch."));
        QVERIFY(words.contains("log-probability"));
    }

    void anOutputThatIsTheSameIsSaidToBe() {
        const auto runs = example::comparedRuns();
        view_->setRuns(runs.original, runs.original, runs.forced);
        const QString words = view_->inWords();
        QVERIFY2(words.contains("Output unchanged:"), qPrintable(words));
        QVERIFY(!words.contains("Changed:"));
    }

    void whatTokensHoldIsNoMarkup() {
        auto runs = example::comparedRuns();
        runs.changed->next[0].piece = "<img src=x>";
        view_->setRuns(runs.changed, runs.original, runs.forced);
        QVERIFY(view_->inWords().contains("&lt;img"));
    }

    void aClickOnAStepGoesThere() {
        showComparison();
        QCOMPARE(steps()->steps().size(), 12u);
        QTest::mouseClick(steps(), Qt::LeftButton, {}, steps()->stepRect(7).center().toPoint());
        QCOMPARE(selection_->step(), 7);
        steps()->setFocus();
        QTest::keyClick(steps(), Qt::Key_Left);
        QCOMPARE(selection_->step(), 6);
        QVERIFY(steps()->stepInWords(7).contains("KL"));
    }

    void whereScoresAreScaledTheirSpreadAndTheEntropyAreShown() {
        auto runs = example::comparedRuns();
        view_->setRuns(runs.changed, runs.original, runs.forced);
        auto* histogram = view_->findChild<ScoreHistogram*>();
        QVERIFY(histogram->isHidden()); // the only change of the scores is switched off
        runs.forced->request.interventions = {{trace::ScaleScores{}}};
        example::scaleScores(*runs.forced, 4);
        selection_->setHead(example::aligningHead);
        view_->setRuns(runs.changed, runs.original, runs.forced);
        QVERIFY(!histogram->isHidden());
        QVERIFY2(histogram->inWords().contains("Mean entropy of a row: ") &&
                     histogram->inWords().contains(" bits original"),
                 qPrintable(histogram->inWords()));
        const QString words = view_->inWords();
        selection_->setHead({{trace::AttentionKind::EncoderSelf, 1}, 3});
        QVERIFY(view_->inWords() != words);
    }

    void ofLongMapsItIsSaidWhyTheScoresAreNotShown() {
        auto runs = example::comparedRuns();
        runs.forced->request.interventions = {{trace::ScaleScores{}}};
        runs.forced->encoder = runs.original->encoder = example::longRuns(1).leftOut->encoder;
        selection_->setHead({{trace::AttentionKind::EncoderSelf, 1}, 3});
        view_->setRuns(runs.changed, runs.original, runs.forced);
        QVERIFY(view_->findChild<ScoreHistogram*>()->isHidden());
        const QString words = view_->inWords();
        QVERIFY2(words.contains(
                     "The distribution of the scores is not shown. This view needs every cell of a map."),
                 qPrintable(words));
        selection_->setHead(example::aligningHead);
        QVERIFY(!view_->inWords().contains("not shown"));
    }

    void ofAClassifierTheProbabilitiesOfItsClassesAreCompared() {
        auto model = std::make_shared<trace::ModelSummary>();
        model->classes = 3;
        const auto classified = [&](std::vector<float> probabilities) {
            auto run = std::make_shared<trace::Run>();
            run->model = model;
            run->complete = true;
            for (const float p : probabilities)
                run->classLogProbabilities.push_back(std::log(p));
            run->request.interventions = example::changes();
            return run;
        };
        view_->setRuns(classified({0.25F, 0.5F, 0.25F}), classified({0.125F, 0.75F, 0.125F}), nullptr);
        const QString words = view_->inWords();
        QVERIFY2(words.contains("#1 0.7500, #0 0.1250, #2 0.1250"), qPrintable(words));
        QVERIFY2(words.contains("#1 0.5000, #0 0.2500"), qPrintable(words));
        // 0.75 ln(0.75 / 0.5) + 2 * 0.125 ln(0.125 / 0.25)
        QVERIFY2(words.contains("KL 0.1308 nats"), qPrintable(words));
        const auto& view = *view_;
        QVERIFY(view.hasFigure());
        QVERIFY2(view.figureText().caption.contains("#1 0.7500"), qPrintable(view.figureText().caption));
        QCOMPARE(view.figureData().tables.front().name, std::string("classes"));
        auto* bars = view_->findChild<StepComparisonView*>();
        QVERIFY(bars->isVisibleTo(view_.get()));
        QCOMPARE(plain(bars->stepInWords(1)), QString("Class “#1”: probability 0.7500 before, 0.5000 after"));
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->stepRect(1).center().toPoint());
        QCOMPARE(selection_->step(), 0); // a class is no step
    }

    void ofMaskedTokensTheFirstCandidatesAreCompared() {
        auto model = std::make_shared<trace::ModelSummary>();
        model->tokenPrediction = trace::TokenPrediction::Masked;
        const auto masked = [&](const char* best, float p, float q) {
            auto run = std::make_shared<trace::Run>();
            run->model = model;
            run->complete = true;
            run->sourceLogProbabilities = trace::Matrix(1, 2, {std::log(p), std::log(q)});
            run->maskCandidates[0] = {{.token = {.id = best == std::string("cat") ? 0 : 1, .piece = best},
                                       .logProbability = std::log(std::max(p, q))}};
            run->request.interventions = example::changes();
            return run;
        };
        auto original = masked("cat", 0.75F, 0.25F);
        const auto changed = masked("<dog>", 0.25F, 0.75F);
        const auto show = [&] {
            view_->setRuns(changed, original, changed);
            view_->setSteps(analysis::compareSteps(*original, *changed));
        };
        show();
        auto* bars = view_->findChild<StepComparisonView*>();
        QVERIFY2(plain(bars->stepInWords(0))
                     .startsWith("Mask 1, “cat”: KL 0.5493 nats; probability 0.7500 before, 0.2500"),
                 qPrintable(bars->stepInWords(0)));
        const QString words = plain(view_->inWords());
        QVERIFY2(words.contains("mask 1: “cat” 0.7500") && words.contains("&lt;dog&gt;"), qPrintable(words));
        QVERIFY(view_->hasFigure());
        const auto numbers = [&] { return view_->figureData().tables.front(); };
        QCOMPARE(numbers().name, std::string("masks"));
        QVERIFY(std::ranges::none_of(numbers().columns, isContrast));
        original->contrast = trace::Token{.id = 1, .piece = "<dog>"};
        show();
        QVERIFY2(plain(bars->stepInWords(0))
                     .contains("log-probability compared with “<dog>” 1.0986 before, −1.0986"),
                 qPrintable(bars->stepInWords(0)));
        const auto table = numbers();
        const auto named = std::ranges::find_if(table.columns, isContrast);
        QVERIFY(named != table.columns.end());
        QCOMPARE(std::get<std::vector<std::string>>(named->values), std::vector<std::string>{"<dog>"});
    }

    void theLiftedMaskIsExplained() {
        auto runs = example::comparedRuns();
        runs.changed->request.interventions = {{trace::LiftMask{}}};
        view_->setRuns(runs.changed, runs.original, runs.forced);
        QVERIFY(view_->inWords().contains("trained with the mask"));
        runs.changed->request.paths.back().newTokens = 0;
        view_->setRuns(runs.changed, runs.original, runs.forced);
        QVERIFY(!view_->inWords().contains("trained with the mask"));
    }

    void theAddMenuOffersAllKinds() {
        showComparison();
        QCOMPARE(offered().size(), 9);
        offered().back()->trigger(); // needs no editor
        QCOMPARE(wanted_.size(), 1u);
        QCOMPARE(wanted_.back().size(), example::changes().size() + 1);
        QVERIFY(wanted_.back().back() == trace::Intervention{trace::LiftMask()});
    }

    void aCellOffersItsChangesAndThoseOfItsHead() {
        showComparison();
        QMenu cell, head;
        const trace::HeadAddress address{{trace::AttentionKind::Cross, 0}, 1};
        view_->addTo(head, {.head = address});
        view_->addTo(cell, {.head = address, .cell = PointedAt::Cell{.query = 4, .key = 5}});
        QCOMPARE(cell.actions().size(), head.actions().size() + 5); // and a separator
        const auto blocks = cell.actions().at(1);
        QCOMPARE(blocks->text(), QString("Block This Cell"));
        blocks->trigger();
        const trace::Change blocked = trace::BlockCell{.head = address, .query = 4, .key = 5};
        QVERIFY(wanted_.back().back() == trace::Intervention{blocked});
    }

    void wordsAndTicksHaveTheColoursOfTheTheme() {
        showComparison();
        for (const Theme* theme : {&darkTheme(), &lightTheme(), &darkTheme()}) {
            view_->setPalette(paletteOf(*theme));
            for (int row = 0; row < list()->count(); ++row)
                QVERIFY(contrastRatio(list()->item(row)->foreground().color(),
                                      view_->palette().color(QPalette::Base)) >= 4.5);
        }
    }

    void withoutChangesItSaysHowToMakeOne() {
        view_->show();
        QVERIFY(!list()->isVisible());
        QVERIFY(!steps()->isVisible());
        for (const auto* button : view_->findChildren<QPushButton*>())
            QVERIFY(!button->isEnabled() && !button->toolTip().isEmpty());
    }

    void everyChangeHasWords_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("title");
        QTest::newRow("off") << "--disable-head"
                             << "cross.2.5"
                             << "Disable cross.2.5";
        QTest::newRow("scaled") << "--scale-head"
                                << "cross.2.5=0.5"
                                << "Scale cross.2.5 by 0.5";
        QTest::newRow("sublayer") << "--scale-sublayer"
                                  << "decoder-ff.1=0"
                                  << "Scale decoder-ff.1 by 0";
        QTest::newRow("cell") << "--block"
                              << "cross.2.5:3,4"
                              << "Block cross.2.5 cell 3, 4";
        QTest::newRow("mean") << "--mean-head"
                              << "cross.2.5"
                              << "Replace cross.2.5 by Its Mean";
        QTest::newRow("mask") << "--no-mask"
                              << ""
                              << "Lift the Subsequent Mask";
        QTest::newRow("shift") << "--positions"
                               << "shift:-2"
                               << "Shift Positions by -2";
    }

    void everyChangeHasWords() {
        QFETCH(QString, option);
        QFETCH(QString, argument);
        QFETCH(QString, title);
        const auto change = trace::parseChange({option.toStdString(), argument.toStdString()});
        QCOMPARE(changeTitle(change), title);
        QVERIFY(!changeInWords(change, nullptr).isEmpty());
        QCOMPARE(changeOption(change), (option + ' ' + argument).trimmed());
    }
};

HEADSCOPE_WATCHED_TEST(WhatIfViewTest)
#include "what_if_view_test.moc"
