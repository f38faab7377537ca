#include <QTest>

#include "model/analysis/compare/change_effect.h"
#include "model/analysis/runs_beside.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"

using namespace headscope;
using analysis::ChangeEffectWhat;

namespace {

/// Answers with the example run, whatever it is asked.
class OneRun : public trace::Answers {
  public:
    trace::Answer answer(const trace::Question& question, const trace::Task&,
                         const trace::Partial&) override {
        asked.push_back(question.request);
        auto run = example::run();
        run->request = question.request;
        if (saysOther && asked.size() == 1)
            run->path.pop_back();
        return std::shared_ptr<const trace::Run>(run);
    }
    std::vector<trace::Request> asked;
    bool saysOther = false;
};

} // namespace

class ChangeEffectTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{trace::AttentionKind::Cross, 0}, 1};

    static ChangeEffectWhat question() {
        auto changed = example::run();
        changed->complete = true;
        changed->request.interventions = {{trace::ScaleHead{.head = head}}};
        return {.request = analysis::shownRequest(*changed), .changed = changed, .unchanged = nullptr};
    }
    static std::shared_ptr<trace::Run> unchanged() {
        auto run = example::run();
        run->complete = true;
        return run;
    }

  private Q_SLOTS:
    void theOriginalIsDecodedAndReadByTheChangedModel() {
        OneRun model;
        auto what = question();
        what.request.ratherThan = "x";
        const auto effect = what.ask(model, {});
        QCOMPARE(model.asked.size(), std::size_t(2));
        QVERIFY(model.asked[0] == analysis::originalRequest(what.request));
        QVERIFY(model.asked[0].interventions.empty() && model.asked[0].recording.logProbabilities);
        QCOMPARE(model.asked[1].interventions, what.request.interventions);
        QCOMPARE(model.asked[1].ratherThan, std::optional<std::string>("x"));
        QVERIFY(std::holds_alternative<trace::TargetIds>(model.asked[1].paths.back().forced));
        QVERIFY(effect.original && effect.forced);
        QCOMPARE(effect.steps.size(), analysis::compareSteps(*effect.original, *effect.forced).size());
        QVERIFY(ChangeEffectWhat::bytes(effect) > 0);
    }

    void anOriginalThatIsKnownIsOnlyReadAgain() {
        OneRun model;
        auto what = question();
        what.unchanged = unchanged();
        QVERIFY(analysis::isUnchangedRunOf(*what.unchanged, what.request));
        what.ask(model, {});
        QCOMPARE(model.asked.size(), std::size_t(2));
        const auto& read = std::get<trace::TargetIds>(model.asked[0].paths.back().forced);
        QCOMPARE(read.ids, analysis::decodedIds(*what.unchanged));
    }

    void oneThatSaysSomethingElseIsDecoded() {
        OneRun model;
        model.saysOther = true;
        auto what = question();
        what.unchanged = unchanged();
        what.ask(model, {});
        QCOMPARE(model.asked.size(), std::size_t(3));
        QVERIFY(model.asked[1] == analysis::originalRequest(what.request));
    }

    void onlyACompleteRunWithChangesAndAnOutputHasAnEffect() {
        auto run = std::make_shared<trace::Run>(*question().changed);
        QVERIFY(analysis::hasEffect(*run));
        QVERIFY(!analysis::isUnchangedRunOf(*run, run->request));
        run->request.interventions.front().on = false;
        QVERIFY(!analysis::hasEffect(*run));
        run = std::make_shared<trace::Run>(*question().changed);
        run->complete = false;
        QVERIFY(!analysis::hasEffect(*run));
        auto other = unchanged();
        other->request.source = std::string("another");
        QVERIFY(!analysis::isUnchangedRunOf(*other, question().request));
    }
};

HEADSCOPE_TEST(ChangeEffectTest)
#include "change_effect_test.moc"
