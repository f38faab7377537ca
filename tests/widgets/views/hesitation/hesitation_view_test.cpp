#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/hesitation/hesitation_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using tests::ShownView;

class HesitationViewTest : public QObject {
    Q_OBJECT

    /// A uniform distribution over four tokens in the first row, a certain one in the others.
    static std::shared_ptr<const trace::Run> withDistributions(const trace::Run& run) {
        auto whole = std::make_shared<trace::Run>(run);
        for (std::size_t t = 0; t < whole->path.size(); ++t) {
            const auto* row = whole->tree.node(whole->path[t]).row.get();
            if (!row)
                continue;
            auto kept = std::make_shared<trace::DecodeRow>(*row);
            const auto never = -std::numeric_limits<float>::infinity();
            kept->logProbabilities =
                t == 0 ? std::vector<float>(4, std::log(0.25f)) : std::vector<float>{0, never, never, never};
            whole->tree.setRow(whole->path[t], kept);
        }
        return whole;
    }

  private Q_SLOTS:
    void marginIsTheChosenTokenAgainstTheBestOther() {
        const auto run = example::run();
        const auto steps = analysis::hesitations(*run);
        QCOMPARE(steps.size(), run->path.size() - 1);
        for (const auto& step : steps) {
            QVERIFY(step.margin);
            QCOMPARE(*step.margin, *step.probability - std::exp(step.second->logProbability));
        }
    }

    void aTokenThatWasForcedIsNoChoice() {
        auto run = std::make_shared<trace::Run>(*example::run());
        run->forcedRows = 2;
        const auto steps = analysis::hesitations(*run);
        QVERIFY(steps[0].isForced && steps[1].isForced && !steps[2].isForced);
        QCOMPARE(steps[0].chosen.id, run->tree.node(run->path[1]).token.id);
    }

    void entropyIsThatOfTheWholeDistribution() {
        const auto steps = analysis::hesitations(*withDistributions(*example::run()));
        QVERIFY(std::abs(*steps[0].entropy - 2) < 1e-6);
        QCOMPARE(*steps[1].entropy, 0.0);
    }

    void distributionsAreAskedForInSightOnly() {
        auto&& [selection, view] = ShownView<HesitationView>(example::run());
        QVERIFY(view.questions().empty());
        view.show();
        QCOMPARE(view.questions().size(), std::size_t(1));
        const auto question = std::get<trace::Question>(view.questions().front());
        QVERIFY(question.request.recording.logProbabilities);
        view.setRun(withDistributions(*example::run()));
        QVERIFY(view.questions().empty()); // the run has them
    }

    void entropiesAreShownOnceTheyAreKnown() {
        auto&& [selection, view] = ShownView<HesitationView>();
        auto* answers = new example::AnsweredAtOnce(&view);
        view.setRun(example::run());
        view.show();
        QVERIFY(!view.steps()[0].entropy);
        answers->setModel([](const trace::Question&) {
            return std::shared_ptr<const trace::Run>(withDistributions(*example::run()));
        });
        QCOMPARE(*view.steps()[1].entropy, 0.0);
        QCOMPARE(answers->answered(), 1);
        view.hide();
        view.show();
        QCOMPARE(answers->answered(), 1); // it is known
    }

    void whyThereIsNoEntropyIsSaid() {
        auto&& [selection, view] = ShownView<HesitationView>();
        auto* answers = new example::AnsweredAtOnce(&view);
        view.setRun(example::run());
        view.show();
        answers->setRefusal(trace::RefusalText{.what = "There is not enough memory"});
        QVERIFY2(view.caption().contains("There is not enough memory"), qPrintable(view.caption()));
        QVERIFY(answers->awaited().empty());
        QVERIFY(view.hasFigure()); // chosen and second token are recorded
    }

    void itsNumbersAreThoseOfEveryStep() {
        auto&& [selection, view] = ShownView<HesitationView>();
        view.show();
        QVERIFY(!view.hasFigure());
        view.setRun(example::run());
        const auto data = view.figureData();
        QCOMPARE(data.tables.size(), std::size_t(1));
        QCOMPARE(data.tables[0].columns.size(), std::size_t(7));
    }

    void aClickAnywhereInAColumnGoesToItsStep() {
        auto&& [selection, view] = ShownView<HesitationView>(example::run());
        view.resize(1400, 300);
        view.show();
        const QSignalSpy wanted(&view, &View::intended);
        QCOMPARE(view.columnCount(), static_cast<int>(view.steps().size()));
        for (const int track : {HesitationView::Chosen, HesitationView::Entropy}) {
            QTest::mouseClick(&view, Qt::LeftButton, {}, view.cellArea({track, 2}).center());
            const auto intent = wanted.back().front().value<Intent>();
            QCOMPARE(std::get<intents::GoTo>(intent).step, trace::TokenIndex(2));
        }
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(10, 40)); // on a name
        QCOMPARE(wanted.size(), 2);
    }

    void theColumnOfTheStepIsMarkedThroughAllTracks() {
        auto&& [selection, view] = ShownView<HesitationView>(example::run());
        view.resize(1400, 300);
        view.show();
        const auto colourUnder = [&view = view](int column) {
            const QRect area = view.cellArea({HesitationView::Second, column});
            return view.grab().toImage().pixelColor(area.left() - 2, area.top());
        };
        selection.setStep(3);
        QCOMPARE(colourUnder(3), bandColour(lightTheme()));
        QCOMPARE(colourUnder(2), lightTheme().background);
    }

    void aTokenBelowTheLimitIsOrange() {
        auto&& [selection, view] = ShownView<HesitationView>();
        auto* answers = new example::AnsweredAtOnce(&view);
        view.setRun(example::run());
        view.resize(1400, 300);
        view.show();
        const double probability = *view.steps()[1].probability;
        for (const double limit : {probability + 0.01, probability - 0.01}) {
            answers->document().unsureBelow = limit;
            view.refresh();
            const QRect area = view.cellArea({HesitationView::Probability, 1});
            const QColor bar = view.grab().toImage().pixelColor(area.center().x(), area.bottom() - 3);
            QCOMPARE(bar, limit > probability ? lightTheme().unsure : barColour(lightTheme()));
        }
    }

    void theWheelScrollsWhatDoesNotFit() {
        auto&& [selection, view] = ShownView<HesitationView>(example::run());
        view.resize(360, 300);
        view.show();
        const auto wheel = [&view = view](int by) {
            const QPointF at(250, 100);
            QWheelEvent event(at, view.mapToGlobal(at), {}, {0, by}, {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&view, &event);
        };
        QCOMPARE(selection.firstColumn(), 0);
        wheel(-120);
        QVERIFY(selection.firstColumn() > 0);
        QVERIFY(view.cellArea({HesitationView::Chosen, 0}).right() <
                view.cellArea({0, selection.firstColumn()}).left());
        wheel(120);
        QCOMPARE(selection.firstColumn(), 0);
        selection.setStep(static_cast<int>(view.steps().size()) - 1); // comes into sight
        QVERIFY(view.rect().contains(view.cellArea({HesitationView::Chosen, view.columnCount() - 1})));
    }

    void withoutARunItTakesNoRoom() {
        auto&& [selection, view] = ShownView<HesitationView>();
        QCOMPARE(view.sizeHint().height(), 0);
        view.show();
        view.setRun(example::run());
        QVERIFY(view.sizeHint().height() > 150);
    }
};

HEADSCOPE_WATCHED_TEST(HesitationViewTest)
#include "hesitation_view_test.moc"
