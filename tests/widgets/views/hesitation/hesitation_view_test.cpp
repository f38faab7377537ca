#include <QComboBox>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/view_choices.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/hesitation/hesitation_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using tests::ShownView;

class HesitationViewTest : public QObject {
    Q_OBJECT

    using Order = HesitationView::Order;

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

    void theTableCanBeOrderedByEach() {
        auto&& [selection, view] = ShownView<HesitationView>();
        view.show();
        view.setRun(withDistributions(*example::run()));
        QVERIFY(std::ranges::is_sorted(view.ordered()));
        const auto at = [&](int step) { return view.steps()[static_cast<std::size_t>(step)]; };
        view.setOrder(Order::Probability);
        QVERIFY(
            std::ranges::is_sorted(view.ordered(), {}, [&](int s) { return at(s).probability.value_or(2); }));
        view.setOrder(Order::Entropy);
        QCOMPARE(view.ordered().front(), 0);
    }

    void theOrderIsAChoiceThatIsKept() {
        auto&& [selection, view] = ShownView<HesitationView>();
        ViewChoices choices;
        view.addChoices(choices);
        view.setOrder(Order::Margin);
        QCOMPARE(std::get<std::string>(choices.all().at("hesitation").at("order")), std::string("margin"));
        choices.apply({{"hesitation", {{"order", std::string("entropy")}}}});
        QCOMPARE(view.order(), Order::Entropy);
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

    void aBarGoesToItsStep() {
        auto&& [selection, view] = ShownView<HesitationView>(example::run());
        view.resize(900, 500);
        view.show();
        auto* plot = view.findChild<ReadablePlot*>();
        QCOMPARE(plot->columnCount(), static_cast<int>(view.steps().size()));
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->cellArea({0, 2}).center());
        QCOMPARE(selection.step(), 2);
    }
};

HEADSCOPE_WATCHED_TEST(HesitationViewTest)
#include "hesitation_view_test.moc"
