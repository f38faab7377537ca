#include <QSignalSpy>
#include <QTest>

#include "model/analysis/heads/statistics_of_heads.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/selection.h"
#include "widgets/views/head_scatter/head_scatter.h"

#include <QComboBox>

#include <memory>

using namespace headscope;
using namespace headscope::widgets;
using analysis::Statistic;

class HeadScatterTest : public QObject {
    Q_OBJECT

    std::shared_ptr<trace::Run> run_ = example::run();
    Selection selection_;
    std::unique_ptr<HeadScatter> view_;
    example::AnsweredAtOnce* answers_ = nullptr;

    ReadablePlot* plot() const { return view_->findChild<ReadablePlot*>(); }
    void choose(const char* axis, const char* word) {
        answers_->document().choices["head-scatter"][axis] = std::string(word);
        view_->refresh();
    }

  private Q_SLOTS:
    void init() {
        selection_.setHead(example::aligningHead);
        view_ = std::make_unique<HeadScatter>(&selection_);
        answers_ = new example::AnsweredAtOnce(view_.get());
        answers_->document().run = run_;
        answers_->document().model = run_->model;
        answers_->document().request = run_->request;
        view_->resize(600, 500);
        view_->show();
        Q_EMIT view_->questionsChanged();
    }

    void everyHeadStandsAtItsNumbers() {
        const auto all = analysis::statisticsOfHeads(*run_);
        QVERIFY(!all.empty());
        std::size_t found = 0;
        for (const auto& head : all) {
            const auto x = head.values[Statistic::Entropy], y = head.values[Statistic::Sink];
            const auto point = std::ranges::find(view_->points(), head.head, &HeadScatter::Point::head);
            QCOMPARE(point != view_->points().end(), x && y);
            if (!x || !y)
                continue;
            ++found;
            QCOMPARE(point->across, *x);
            QCOMPARE(point->up, *y);
        }
        QVERIFY(found > 0);
        QCOMPARE(view_->points().size(), found);
    }

    void headsWithoutANumberAreLeftOut() {
        choose("up", "monotony");
        QVERIFY(view_->hasFigure());
        for (const auto& point : view_->points())
            QVERIFY(point.head.site.kind == trace::AttentionKind::Cross);
    }

    void aClickedPointSelectsItsHead() {
        const auto last = view_->points().back().head;
        QVERIFY(selection_.head() != view_->points().front().head);
        Q_EMIT plot()->markChosen({0, 0});
        QVERIFY(selection_.head() == view_->points().front().head);
        const auto& ring = dynamic_cast<const DrawnPlot&>(*plot()->picture()).plot().series.front();
        QCOMPARE(ring.points.front(), QPointF(view_->points().front().across, view_->points().front().up));
        QVERIFY(plot()->cellInWords({0, 0}).startsWith(
            QString::fromStdString(trace::toString(selection_.head()))));
        QVERIFY(last != selection_.head());
    }

    void anAxisIsAChoice() {
        QSignalSpy wanted(view_.get(), &View::intended);
        auto* box = view_->findChild<QComboBox*>();
        Q_EMIT box->activated(3);
        QCOMPARE(wanted.size(), 1);
        choose("across", "confidence");
        QCOMPARE(view_->points().front().across,
                 *analysis::statisticsOfHeads(*run_).front().values[Statistic::Confidence]);
    }

    void withoutMeasuredImportanceItSaysWhatToDo() {
        choose("up", "importance");
        QVERIFY(!view_->hasFigure());
        QVERIFY(view_->whyEmpty().contains("importance"));
    }
};

HEADSCOPE_WATCHED_TEST(HeadScatterTest)
#include "head_scatter_test.moc"
