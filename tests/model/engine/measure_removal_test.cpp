#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/analysis/heads/removal_orders.h"
#include "model/trace/refusal.h"

using namespace headscope;

namespace {

const std::string dogs = "The dogs are hungry.", book = "He reads a long book.";

trace::Ablation ablationOf(const std::string& name) {
    return trace::parseAblation(name == "resample" ? "resample=" + book : name).value();
}

std::vector<float> joined(const std::vector<std::vector<float>>& rows) {
    std::vector<float> values;
    for (const auto& row : rows)
        values.insert(values.end(), row.begin(), row.end());
    return values;
}

} // namespace

/// What is left of the output of the bundled model while heads are removed.
class MeasureRemovalTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::HeadImportance> importance(const trace::Ablation& ablation = {}) {
        return engine_->of({.source = dogs}, trace::ImportanceWhat{ablation});
    }

  private Q_SLOTS:
    void initTestCase() {
        engine_ = engines::module()({.familyFolders = {HEADSCOPE_SOURCE "/resources/families"},
                                     .samples = {"The old man sold his house last year.", "We drink tea."}});
        engine_->open({.path = engines::trained}, {});
    }

    void anIndependentProgramMeasuresTheSame_data() {
        QTest::addColumn<QString>("ablation");
        for (const char* ablation : {"zero", "mean", "resample"})
            QTest::newRow(ablation) << ablation;
    }
    /// tests/reference/make_removal.py
    void anIndependentProgramMeasuresTheSame() {
        QFETCH(const QString, ablation);
        const auto recorded = recordings::read("removal/" + ablation.toStdString() + ".npz");
        const auto how = ablationOf(ablation.toStdString());
        const auto step = static_cast<std::size_t>(recordings::integers(recorded, "step").front());
        const auto contrast = recordings::integers(recorded, "contrast").front();
        for (const std::string against : {"", "contrast_"}) {
            trace::Request request{.source = dogs};
            if (!against.empty())
                request.ratherThan = "#" + std::to_string(contrast);
            const auto measured = engine_->of(request, trace::ImportanceWhat{how});
            QVERIFY(measured->ablation == how);
            QCOMPARE(trace::idsOf(measured->tokens), recordings::integers(recorded, "tokens"));
            std::vector<std::vector<float>> losses;
            for (const auto& effect : measured->effects)
                losses.push_back(effect.importance);
            VERIFY_AGREES(recordings::compareWith(recorded, against + "losses", joined(losses)));
            for (const std::string name : {"ranked", "random"}) {
                trace::RemovalWhat what{.order = {}, .removed = {}, .ablation = how};
                for (const auto place : recordings::integers(recorded, name))
                    what.order.push_back(measured->effects[static_cast<std::size_t>(place)].head);
                what.removed = analysis::removedAt(what.order.size(), what.order.size());
                const auto curve = engine_->of(request, what);
                QVERIFY(curve->complete);
                QCOMPARE(curve->removed.size(), what.order.size() + 1);
                QCOMPARE(curve->contrast.has_value(), !against.empty());
                VERIFY_AGREES(
                    recordings::compareWith(recorded, against + name + "_curve", joined(curve->values)));
                if (name == "random")
                    QCOMPARE(analysis::atRandom(*measured).front().order, what.order);
                else if (against.empty()) // but for heads that are as important as each other
                    for (std::size_t i = 0; i < what.order.size(); ++i) {
                        const auto same = analysis::byImportance(*measured, step).order[i];
                        QVERIFY(std::abs(measured->effect(same)->importance[step] -
                                         measured->effect(what.order[i])->importance[step]) < 1e-5F);
                    }
            }
        }
    }

    void oneHeadRemovedIsItsImportance() {
        const auto measured = importance();
        auto what = analysis::byImportance(*measured, 2);
        what.removed = {0, 1, 1000};
        const auto curve = engine_->of({.source = dogs}, what);
        QCOMPARE(curve->removed, (std::vector<std::size_t>{0, 1, 72}));
        QCOMPARE(curve->values[0], measured->original);
        const auto& first = measured->effect(what.order.front())->importance;
        for (std::size_t t = 0; t < first.size(); ++t)
            QCOMPARE(curve->values[0][t] - curve->values[1][t], first[t]);
        double sum = 0;
        for (const float value : curve->values[2])
            sum += double(value);
        QCOMPARE(curve->of(std::nullopt)[2], sum);
        QCOMPARE(curve->of(2)[2], double(curve->values[2][2]));
    }

    void theLastPointIsARunWithoutAnyHead() {
        const auto measured = importance();
        auto what = analysis::atRandom(*measured)[3];
        const auto curve = engine_->of({.source = dogs}, what);
        trace::Request without{.source = dogs};
        std::vector<std::int64_t> ids{*engine_->of({.source = dogs}, trace::RunWhat())->model->special.start};
        for (const auto& token : measured->tokens)
            ids.push_back(token.id);
        without.paths = {{.forced = trace::TargetIds{ids}, .newTokens = 0}};
        for (const auto& head : what.order)
            without.interventions.push_back(trace::withoutHead(head));
        const auto run = engine_->of(without, trace::RunWhat());
        VERIFY_AGREES(tests::compare(
            "log-probability", curve->of(std::nullopt).back(), run->tree.logProbability(run->path.back()),
            static_cast<double>(measured->tokens.size()) *
                recordings::Precision::of("tatoeba-en-de").twoOfOurs("chosen_log_probabilities")));
    }

    void resamplingTheSentenceItselfLosesNothing() {
        const auto measured = importance({.kind = trace::Ablation::Kind::Resample, .sentence = dogs});
        for (const auto& effect : tests::some(measured->effects))
            for (const float loss : effect.importance)
                QVERIFY(std::abs(loss) < 1e-5F);
    }

    void anEncoderAloneHasACurveOfItsMasks() {
        const auto engine = engines::with(recordings::folder + "hugging-face/bert-tiny-masked");
        const trace::Request request{.source = "the [MASK] sat on the [MASK]"};
        const auto measured = engine->of(request, trace::ImportanceWhat());
        const auto curve = engine->of(request, analysis::byImportance(*measured, 1));
        QCOMPARE(curve->tokens.size(), 2U);
        QCOMPARE(curve->values.size(), 7U);
        QCOMPARE(curve->values.front(), measured->original);
    }

    void headsThatAreNotThereAreRefused() {
        const trace::RemovalWhat what{.order = {{{trace::AttentionKind::Cross, 9}, 0}}, .removed = {0, 1}};
        QVERIFY_EXCEPTION_THROWN(engine_->of({.source = dogs}, what), trace::Refusal);
    }

    void itComesInPartsAndCanBeStopped() {
        const auto measured = importance();
        const auto what = analysis::byImportance(*measured, 2);
        std::stop_source stop;
        std::size_t known = 0;
        const auto stopAtOnce = [&](const auto& partial) {
            known = partial->values.size();
            QVERIFY(!partial->complete);
            stop.request_stop();
        };
        std::string sentences; // enough sentences that a fast machine reports before it is done
        for (int i = 0; i < 6; ++i)
            sentences += "My grandmother told me that she walked to school every day. ";
        QVERIFY_EXCEPTION_THROWN(engine_->of({.source = sentences}, what, stop.get_token(), stopAtOnce),
                                 trace::Cancelled);
        QVERIFY(known > 0 && known < what.removed.size());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, MeasureRemovalTest)
#include "measure_removal_test.moc"
