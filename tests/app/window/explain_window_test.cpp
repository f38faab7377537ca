#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include "app/window/frame/card_area.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/source_words/source_words_view.h"
#include "widgets/views/why/why_view.h"

using namespace headscope;

/// Why this token rather than that one, on the bundled model: what the cards show together.
class ExplainWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    app::Workbench* bench() const { return tests::bench(*window_); }
    template <class View>
    View* view() const {
        return window_->findChild<View*>();
    }
    QWidget* card(const char* key) const {
        return window_->findChild<app::CardArea*>()->findChild<QFrame*>(key);
    }
    void compareWith(const QString& token) {
        auto* line = view<widgets::WhyView>()->findChild<QLineEdit*>();
        line->setText(token);
        Q_EMIT line->returnPressed();
        settle();
    }

  private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        open({.sentence = "I don't know who wrote this letter, but I like it."});
        window_->resize(1440, 900);
        QTRY_COMPARE(window_->width(), 1440);
        window_->controller()->goTo(4);
        trigger("why");
        settle();
    }
    void cleanupTestCase() { window_.reset(); }

    void allCardsAnswerOneQuestion() {
        QCOMPARE(bench()->workspace(), std::string("explain"));
        for (const char* key : {"why", "source-words", "logit-lens", "importance", "attribution"})
            QTRY_VERIFY2(bench()->isInSight(key) && bench()->view(key)->hasFigure(), key);
        compareWith("wem");
        const auto& of = view<widgets::WhyView>()->shown();
        QCOMPARE(of->chosen.piece, std::string("▁wer"));
        QCOMPARE(of->other->piece, std::string("▁wem"));
        const double lead = *view<widgets::WhyView>()->lead();
        QVERIFY(std::abs(lead - 2.4223) < 1e-3);
        // Each card's own numbers of the same difference.
        const auto losses = view<widgets::SourceWordsView>()->content().losses;
        QVERIFY(std::abs(losses[5] - 1.4741) < 1e-3);
        QCOMPARE(view<widgets::SourceWordsView>()->content().contrast->piece, std::string("▁wem"));
        const auto parts = view<widgets::AttributionView>()->figureData().tables.front();
        double sum = 0;
        for (const double part : std::get<std::vector<double>>(parts.columns[1].values))
            sum += part;
        QVERIFY(std::abs(sum - lead) < 1e-4);
        const auto& best = view<widgets::ImportanceView>()->scores().front();
        QCOMPARE(trace::toString(best.head), std::string("encoder.0.7"));
        QVERIFY(std::abs(best.importance - 0.685) < 1e-3);
        const auto leads = view<widgets::LensView>()->figureData().arrays.back();
        QCOMPARE(leads.name, std::string("lead"));
        QVERIFY(std::abs(leads.values[4] - lead) < 1e-4); // after the last sublayer
    }

    void theSecondChoiceIsThatOfEachStep() {
        compareWith({});
        for (const int step : {4, 0}) {
            window_->controller()->goTo(step);
            settle();
            const auto& of = view<widgets::WhyView>()->shown();
            QCOMPARE(of->other->id, window_->controller()->run()->row(step).candidates[1].token.id);
            QTRY_COMPARE(view<widgets::ImportanceView>()->content().importance->contrast->id, of->other->id);
        }
        window_->controller()->goTo(4);
        settle();
    }

    void headsElsewhereAreStillMeasuredAlone() { QVERIFY(!window_->controller()->ratherThan()); }

    void allStepsStandInTheDrawer() {
        auto* lens = view<widgets::LensView>();
        QVERIFY(lens->isCard() && !lens->grid()->isVisible());
        bench()->open("logit-lens");
        QTRY_VERIFY(!lens->isCard() && lens->grid()->isVisible());
        settle();
        QTRY_VERIFY(lens->grid()->table().columns() > 10);
        bench()->close("logit-lens");
        QTRY_VERIFY(lens->isCard() && card("logit-lens")->isAncestorOf(lens));
        bench()->setWorkspace("heads");
        bench()->open("logit-lens");
        QTRY_VERIFY(!lens->isCard() && lens->grid()->isVisible());
        bench()->close("logit-lens");
        bench()->setWorkspace("explain");
        QTRY_VERIFY(lens->isCard());
    }

    void theBaselineIsMarkedOnTheCards() {
        auto* words = view<widgets::SourceWordsView>();
        const auto shares = [&] {
            return control<widgets::ColumnTable>(words, "Loss at this step without each token")
                ->content()
                .columns[3];
        };
        QVERIFY(!shares().ticks.front());
        control<QToolButton>(view<widgets::WhyView>(), "Uniform")->click();
        const double even = 1.0 / static_cast<double>(window_->controller()->run()->source.size() + 5);
        QTRY_COMPARE(shares().ticks.front().value_or(0), even);
        control<QToolButton>(view<widgets::WhyView>(), "Random twin")->click();
        settle();
        QTRY_VERIFY(shares().ticks.front() && *shares().ticks.front() != even);
        const auto both = shares(); // of the model and of the twin
        QVERIFY(std::abs(both.numbers.front().value() - both.ticks.front().value()) > 1e-3);
        double sum = 0;
        for (const auto& share : both.ticks)
            sum += share.value();
        QVERIFY(std::abs(sum - 1) < 1e-5);
        control<QToolButton>(view<widgets::WhyView>(), "None")->click();
        QTRY_VERIFY(!shares().ticks.front());
        settle();
    }

    /// Each model has one row more than the reference has tokens.
    void theLastStepOfAReferenceHasItsBaselineToo() {
        const auto decoded = window_->controller()->run();
        window_->controller()->forceTyped("Ich weiß nicht, wer.");
        QTRY_VERIFY(window_->controller()->run() != decoded && window_->controller()->run()->complete);
        control<QToolButton>(view<widgets::WhyView>(), "Random twin")->click();
        for (int step = 0; step < window_->controller()->steps(); ++step) {
            window_->controller()->goTo(step);
            settle();
            for (const char* key : {"logit-lens", "source-words", "attribution"})
                QVERIFY2(bench()->view(key)->hasFigure(), key);
        }
        QVERIFY(window_->controller()->steps() > 3);
        control<QToolButton>(view<widgets::WhyView>(), "None")->click();
        trigger(app::ActionId::Decode);
        settle();
    }

    void rowsFoldInNarrowWindows() {
        const auto isBeside = [this](const char* one, const char* other) {
            return card(one)->y() == card(other)->y();
        };
        QTRY_VERIFY(isBeside("source-words", "importance"));
        QVERIFY(!isBeside("source-words", "attribution"));
        auto* area = window_->findChild<app::CardArea*>();
        QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
        window_->resize(900, 560);
        QTRY_VERIFY(isBeside("source-words", "logit-lens") && !isBeside("source-words", "importance"));
        QTRY_VERIFY(area->verticalScrollBar()->isVisible());
        for (const char* key : {"source-words", "logit-lens", "importance", "attribution"})
            QVERIFY2(card(key)->geometry().right() < area->viewport()->width(), key);
        window_->resize(700, 500);
        QTRY_VERIFY(!isBeside("source-words", "logit-lens"));
        window_->resize(1440, 900);
        QTRY_VERIFY(isBeside("source-words", "importance"));
    }

    void largeTextHasLargerCards() {
        const auto hidden = [this] {
            int hidden = 0;
            for (const auto* table : window_->findChildren<widgets::ColumnTable*>())
                for (int column = 0; table->isVisible() && column < std::ssize(table->content().columns);
                     ++column)
                    hidden += table->isColumnHidden(column) && !table->content().columns.at(column).hidden;
            return hidden;
        };
        QTRY_COMPARE(hidden(), 0);
        widgets::setTextSize(150);
        QTRY_VERIFY(card("source-words")->y() != card("importance")->y());
        QTRY_COMPARE(hidden(), 0);
        widgets::setTextSize(100);
        QTRY_VERIFY(card("source-words")->y() == card("importance")->y());
    }

    void aClassifierHasAllCards() {
        open({.model = "imdb-classifier", .sentence = "A gripping film, and beautiful."});
        trigger("why");
        settle();
        for (const char* key : {"why", "source-words", "logit-lens", "importance", "attribution"})
            QTRY_VERIFY2(bench()->isInSight(key) && bench()->view(key)->hasFigure(), key);
        const double lead = *view<widgets::WhyView>()->lead();
        const auto leads = view<widgets::LensView>()->figureData().arrays.back();
        QCOMPARE(leads.name, std::string("lead"));
        QVERIFY(std::abs(leads.values.front() - lead) < 1e-4); // after the last sublayer
        const auto parts = view<widgets::AttributionView>()->figureData().tables.front();
        double sum = 0;
        for (const double part : std::get<std::vector<double>>(parts.columns[1].values))
            sum += part;
        QVERIFY(std::abs(sum - lead) < 1e-4);
    }
};

HEADSCOPE_WATCHED_TEST(ExplainWindowTest)
#include "explain_window_test.moc"
