#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/beam_tree/beam_tree_view.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using tests::isSeen;
using widgets::BeamTreeView;

class BeamTreeViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BeamTreeView> view_;

    static std::size_t nodeOf(const QSignalSpy& wanted) {
        return std::get<widgets::intents::ShowNode>(wanted.back().front().value<widgets::Intent>()).node;
    }

    void show(std::shared_ptr<const trace::Run> run) {
        widgets::DocumentState shown;
        shown.branches.run = std::move(run);
        view_->setContext({.document = &shown});
        view_->refresh();
        view_->setContext({});
    }

  private Q_SLOTS:
    void init() {
        view_ = std::make_unique<BeamTreeView>();
        view_->resize(900, 300);
        show(example::searchedRun());
        QVERIFY(isSeen(*view_));
    }

    void aClickSelectsTheHypothesis() {
        const QSignalSpy selected(view_.get(), &widgets::View::intended);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->areaOf(9).center().toPoint());
        QCOMPARE(nodeOf(selected), 9u);
    }

    void keysWalkTheTree() {
        const QSignalSpy selected(view_.get(), &widgets::View::intended);
        QTest::keyClick(view_.get(), Qt::Key_Left); // to the shown hypothesis
        for (const auto key : {Qt::Key_Left, Qt::Key_Left, Qt::Key_Left, Qt::Key_Down, Qt::Key_Return})
            QTest::keyClick(view_.get(), key); // to the first step, and to its second hypothesis
        QCOMPARE(nodeOf(selected), 2u);
    }

    void readersAreToldWhyItDied() {
        QTest::mouseMove(view_.get(), view_->areaOf(3).center().toPoint());
        QTRY_VERIFY(view_->accessibleDescription().contains("pruned"));
    }

    void aWideTreeScrollsToTheCursor() {
        view_->resize(260, 300);
        QVERIFY(view_->areaOf(12).left() > view_->width());
        QTest::keyClick(view_.get(), Qt::Key_Left); // to the shown hypothesis: the last step
        QVERIFY(QRectF(view_->rect()).contains(view_->areaOf(12)));
    }

    void theWheelZoomsAroundThePointer() {
        const QPointF at = view_->areaOf(5).center();
        const double before = view_->areaOf(5).width();
        QWheelEvent wheel(at, view_->mapToGlobal(at), {}, {0, 240}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view_.get(), &wheel);
        QVERIFY(view_->areaOf(5).width() > before);
    }

    void aTreeThatIsSeenWholeStaysInItsCorner() {
        view_->resize(1800, 1200);
        const QRectF before = view_->areaOf(5);
        for (const QPoint by : {QPoint(60, 60), QPoint(-60, -60)}) {
            QTest::mousePress(view_.get(), Qt::LeftButton, {}, {900, 600});
            QMouseEvent move(QEvent::MouseMove, QPointF(900, 600) + by,
                             view_->mapToGlobal(QPointF(900, 600) + by), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(view_.get(), &move);
            QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(900, 600) + by);
            QCOMPARE(view_->areaOf(5), before);
        }
    }

    void aFigureHasItsCaptionAndNoMarkOfThePointer() {
        const auto drawn = [this] {
            return widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()},
                                        *view_)
                .bytes;
        };
        const QByteArray before = drawn();
        QVERIFY(before.contains("Beam search with"));
        for (const char* entry : {">chosen<", ">pruned<", ">overtaken<", ">shown<"}) // there is room for all
            QVERIFY2(before.contains(entry), entry);
        const QSignalSpy described(view_.get(), &widgets::View::cellDescribed);
        QTest::mouseMove(view_.get(), view_->areaOf(5).center().toPoint());
        QTRY_VERIFY(!described.isEmpty());
        QVERIFY(drawn() == before);
        const QRectF from = view_->areaOf(8), to = view_->areaOf(12); // of the winner
        const QPointF line((from.right() + to.left()) / 2, (from.center().y() + to.center().y()) / 2);
        QCOMPARE(view_->grab().toImage().pixelColor(line.toPoint()), widgets::lightTheme().accent);
    }

    void withoutMarksNoPathIsTheShownOne() {
        const widgets::FigureParts parts{.marks = false};
        const auto svg = widgets::figureBytes(
            {.format = widgets::FigureFormat::Svg, .size = view_->figureSize(), .parts = parts}, *view_);
        QVERIFY(svg.bytes.contains(">chosen<") && !svg.bytes.contains(">shown<"));
        QVERIFY(!svg.bytes.contains(widgets::lightTheme().focus.name().toLatin1()));
    }

    /// Steps count from 0 as in all tables; the start token was chosen at no step.
    void theNumbersNameTheStepThatChoseAHypothesis() {
        const auto table = view_->figureData().tables.front();
        const auto column = [&](const char* name) {
            const auto found = std::ranges::find(table.columns, name, &trace::DataColumn::title);
            return std::get<std::vector<double>>(found->values);
        };
        const auto steps = column("step"), parents = column("parent");
        for (std::size_t row = 0; row < steps.size(); ++row) {
            QCOMPARE(std::isnan(steps[row]), std::isnan(parents[row]));
            if (!std::isnan(parents[row]))
                QVERIFY(steps[row] >= 0 &&
                        steps[row] < static_cast<double>(example::searchedRun()->next.size()));
        }
        QVERIFY(std::ranges::count(steps, 0.0) > 1);
    }

    /// Nothing moves between the frames of an animation but the marks of the path.
    void anAnimationMarksThePathAsFarAsItIsDecoded() {
        const auto run = example::searchedRun();
        const auto drawn = [this](std::size_t rows) {
            view_->setRowsDecoded(rows);
            return widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()},
                                        *view_)
                .bytes;
        };
        const auto whole = drawn(run->target.size());
        QVERIFY(drawn(1) != whole && drawn(1) != drawn(2));
        view_->setRowsDecoded({});
        QCOMPARE(
            widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()}, *view_)
                .bytes,
            whole);
    }

    void withoutASearchItSaysHowToGetOne() {
        BeamTreeView never;
        never.show();
        QVERIFY(!never.findChild<QScrollBar*>()->isVisible());
        show(example::run());
        QVERIFY(!view_->findChild<QScrollBar*>()->isVisible());
        QVERIFY(view_->isEmpty());
        QVERIFY(!view_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(BeamTreeViewTest)
#include "beam_tree_view_test.moc"
