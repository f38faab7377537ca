#include <QSignalSpy>
#include <QTest>

#include "model/analysis/heads/statistics_of_heads.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/selection.h"
#include "widgets/tables/head_search.h"
#include "widgets/views/head_scatter/head_scatter.h"

#include <QComboBox>

#include <memory>
#include <tuple>

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

    void aThirdNumberIsTheColour() {
        const auto drawn = [&] { return dynamic_cast<const DrawnPlot&>(*plot()->picture()).plot(); };
        QVERIFY(!drawn().shades);
        choose("colour", "confidence");
        const auto all = analysis::statisticsOfHeads(*run_);
        for (const auto& point : view_->points()) {
            const auto& head = *std::ranges::find(all, point.head, &analysis::HeadStatistics::head);
            QCOMPARE(point.colour, *head.values[Statistic::Confidence]);
        }
        const auto [least, most] =
            std::ranges::minmax_element(view_->points(), {}, &HeadScatter::Point::colour);
        QCOMPARE(drawn().shades->least, least->colour);
        QCOMPARE(drawn().shades->most, most->colour);
        std::size_t shaded = 0;
        for (const auto& series : drawn().series)
            if (const auto* shade = std::get_if<PlotShade>(&series.ink)) {
                const QPointF at = series.points.front();
                QVERIFY(std::ranges::any_of(view_->points(), [&](const auto& point) {
                    return point.across == at.x() && point.up == at.y() && point.colour == shade->number;
                }));
                ++shaded;
            }
        QCOMPARE(shaded, view_->points().size());
        QCOMPARE(view_->figureData().tables.front().columns.size(), std::size_t(4));
        QVERIFY(view_->caption().contains("Colour: "));
        QVERIFY(plot()->picture()->card({0, 0}).contains("<img "));
    }

    void aDraggedAreaFindsItsHeads() {
        QSignalSpy wanted(view_.get(), &View::intended);
        const auto words = [&] {
            return QString::fromStdString(
                std::get<intents::FindHeads>(wanted.takeLast()[0].value<Intent>()).words);
        };
        const QRectF area = plot()->area();
        const QPoint from = (area.topLeft() + QPointF(0.3 * area.width(), 0.3 * area.height())).toPoint();
        const QPoint to = (area.topLeft() + QPointF(0.8 * area.width(), 0.8 * area.height())).toPoint();
        const auto drag = [&] {
            QTest::mousePress(plot(), Qt::LeftButton, {}, from);
            QTest::mouseMove(plot(), to);
            QTest::mouseRelease(plot(), Qt::LeftButton, {}, to);
        };
        drag();
        const auto search = headSearch(words());
        QVERIFY2(search.mistake.isEmpty() && search.words.isEmpty(), qPrintable(search.mistake));
        const QRectF dragged(from, to);
        int inside = 0;
        const auto all = analysis::statisticsOfHeads(*run_);
        const auto& shown = *plot()->picture();
        for (int row = 0; row < shown.rows(); ++row)
            for (int column = 0; column < shown.columns(); ++column) {
                const QString name = shown.inWords({row, column}).section(':', 0, 0);
                const auto head = std::ranges::find_if(all, [&](const auto& each) {
                    return QString::fromStdString(trace::toString(each.head)) == name;
                });
                const bool isFound = std::ranges::all_of(search.conditions, [&](const auto& condition) {
                    return condition.holdsFor(head->values[*condition.statistic]);
                });
                const QPointF centre = shown.place({row, column}, area, plot()->font()).center();
                inside += dragged.contains(centre) ? 1 : 0;
                const bool isAtEdge = dragged.adjusted(-2, -2, 2, 2).contains(centre) !=
                                      dragged.adjusted(2, 2, -2, -2).contains(centre);
                QVERIFY2(isAtEdge || isFound == dragged.contains(centre), qPrintable(name));
            }
        QVERIFY(inside > 0 && inside < static_cast<int>(view_->points().size()));
        QTest::keyClick(plot(), Qt::Key_Escape);
        QCOMPARE(words(), QString());
        QVERIFY(wanted.isEmpty());
        drag();
        QVERIFY(!words().isEmpty());
        choose("across", "monotony"); // with the area goes what it found
        QCOMPARE(words(), QString());
        drag();
        view_->resize(view_->size() + QSize(40, 20));
        QTRY_COMPARE(wanted.size(), 2);
        QCOMPARE(words(), QString());
    }

    void everyNumberCanBeSearchedFor() {
        for (const auto statistic : analysis::allStatistics()) {
            choose("across", std::string(analysis::name(statistic)).c_str());
            if (!view_->hasFigure())
                continue;
            QSignalSpy wanted(view_.get(), &View::intended);
            Q_EMIT plot()->areaMarked(plot()->area());
            const auto intent = wanted.takeLast()[0].value<Intent>();
            const auto search =
                headSearch(QString::fromStdString(std::get<intents::FindHeads>(intent).words));
            QVERIFY2(search.mistake.isEmpty() && search.words.isEmpty(), qPrintable(search.mistake));
            QVERIFY(search.conditions.front().statistic == statistic);
            QCOMPARE(search.conditions.size(), std::size_t(4));
        }
    }

    void arrowsGoToTheNearestPointInTheirDirection() {
        QTest::keyClick(plot(), Qt::Key_Right); // the first key does not move
        const auto centre = [&] { return QPointF(plot()->cellArea(*plot()->cursorCell()).center()); };
        for (const auto& [key, x, y] : {std::tuple(Qt::Key_Right, 1, 0), std::tuple(Qt::Key_Left, -1, 0),
                                        std::tuple(Qt::Key_Up, 0, -1), std::tuple(Qt::Key_Down, 0, 1)})
            for (int i = 0; i < 5; ++i) {
                const auto before = *plot()->cursorCell();
                const QPointF from = centre();
                QTest::keyClick(plot(), key);
                const QPointF way = centre() - from;
                QVERIFY(before == *plot()->cursorCell() || way.x() * x + way.y() * y >= 0);
            }
    }

    void withoutMeasuredImportanceItSaysWhatToDo() {
        choose("up", "importance");
        QVERIFY(!view_->hasFigure());
        QVERIFY(view_->whyEmpty().contains("importance"));
    }
};

HEADSCOPE_WATCHED_TEST(HeadScatterTest)
#include "head_scatter_test.moc"
