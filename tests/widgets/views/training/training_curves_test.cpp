#include <QTest>

#include "tests/watched_test.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/views/training/training_curves.h"
#include "widgets/views/training/training_plots.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;
using trace::TrainingPoint;

namespace {

std::vector<std::int64_t> stepsOf(const std::vector<TrainingPoint>& points) {
    std::vector<std::int64_t> steps;
    for (const auto& point : points)
        steps.push_back(point.step);
    return steps;
}

std::vector<TrainingPoint> somePoints() {
    return {{.step = 50, .loss = 4},
            {.step = 100,
             .loss = 3,
             .validationLoss = 3.5,
             .accuracy = 0.25,
             .bleu = 12.5,
             .encoderEntropy = 2,
             .crossEntropy = 1.5},
            {.step = 120, .settled = false, .loss = 2.5}};
}

void show(TrainingCurves& curves, std::vector<TrainingPoint> points) {
    DocumentState shown;
    shown.training = {{}, {}, std::move(points)};
    curves.setContext({.document = &shown});
    curves.refresh();
    curves.setContext({});
}

} // namespace

class TrainingCurvesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPointThatWasNotLoggedIsReplacedByTheNext() {
        auto points = somePoints();
        addTrainingPoint(points, {.step = 130, .settled = false, .loss = 2.4});
        QCOMPARE(stepsOf(points), (std::vector<std::int64_t>{50, 100, 130}));
        addTrainingPoint(points, {.step = 150, .loss = 2.4});
        QCOMPARE(stepsOf(points), (std::vector<std::int64_t>{50, 100, 150}));
    }

    void aTrainingThatWentBackMakesItsPointsAgain() {
        auto points = somePoints();
        addTrainingPoint(points, {.step = 60, .loss = 3.9});
        QCOMPARE(stepsOf(points), (std::vector<std::int64_t>{50, 60}));
    }

    void everyChartHasTheStepsAtWhichItWasMeasured() {
        const auto plots = trainingPlots(somePoints());
        QCOMPARE(plots.size(), std::size_t{3});
        QCOMPARE(plots[0].columns, (QStringList{"50", "100", "120"}));
        QCOMPARE(plots[1].columns, (QStringList{"100"}));
        QCOMPARE(plots[1].rows.size(), std::size_t{2});
        QCOMPARE(plots[1].rows[0].points, (std::vector<QPointF>{{100, 25}}));
        QCOMPARE(plots[2].rows.size(), std::size_t{2}); // the decoder was not measured
        QCOMPARE(plots[2].rows[1].name, QString("cross"));
        const auto &one = plots[2].series[0], other = plots[2].series[1];
        QVERIFY(one.ink != other.ink && one.dash != other.dash && one.mark != other.mark);
    }

    void nothingIsSaidOfALossBeforeThereIsOne() {
        TrainingCurves curves;
        show(curves, {{.step = 0, .accuracy = 0.25}});
        QVERIFY(!curves.caption().isEmpty() && !curves.caption().contains("smoothed"));
        show(curves, somePoints());
        QVERIFY(curves.caption().contains("smoothed"));
    }

    void aMarkSaysItsStepAndItsNumber() {
        const DrawnPlot losses(trainingPlots(somePoints())[0]);
        QCOMPARE(losses.inWords({0, 0}), QString("Step 50: training loss 4.0000"));
        QCOMPARE(losses.inWords({1, 1}), QString("Step 100: validation loss 3.5000"));
        QCOMPARE(losses.inWords({1, 0}), QString("Step 50: validation loss not measured"));
    }

    void theTableHoldsWhatTheCurvesShow() {
        TrainingCurves curves;
        QVERIFY(curves.figureData().empty() && !curves.hasFigure());
        show(curves, somePoints());
        const auto data = curves.figureData();
        QCOMPARE(data.tables.size(), std::size_t{1});
        QCOMPARE(data.tables[0].rows(), std::size_t{3});
        const auto& bleu = data.tables[0].columns[4];
        QCOMPARE(bleu.title, std::string("bleu"));
        const auto& values = std::get<std::vector<double>>(bleu.values);
        QVERIFY(std::isnan(values[0]));
        QCOMPARE(values[1], 12.5);
        QVERIFY(!curves.isOfRun());
    }

    void theCurvesAreReadFromTheKeyboard() {
        TrainingCurves curves;
        curves.resize(900, 400);
        show(curves, somePoints());
        curves.show();
        QVERIFY(QTest::qWaitForWindowExposed(&curves));
        QString said;
        connect(&curves, &View::cellDescribed, this, [&](const QString& words) {
            if (!words.isEmpty())
                said = words;
        });
        auto* plot = curves.findChild<ReadablePlot*>();
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(said, QString("Step 100: training loss 3.0000"));
        QCOMPARE(plot->columnCount(), 3);
        const auto keyed = plot->cursorCell();
        QTest::mouseMove(plot, plot->cellArea({0, 0}).center());
        QTRY_COMPARE(plot->cursorCell(), std::optional(MapCell{0, 0}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(plot, &leave);
        QCOMPARE(plot->cursorCell(), keyed); // back to the cell of the keyboard
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(plot->cursorCell(), std::nullopt);
    }
};

HEADSCOPE_WATCHED_TEST(TrainingCurvesTest)
#include "training_curves_test.moc"
