#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;

class ModelFlowTest : public QObject {
    Q_OBJECT

    static std::vector<float> joined(const trace::ModelFlow& flow,
                                     std::vector<double> trace::SublayerFlow::*values) {
        std::vector<float> all;
        for (const auto& sublayer : flow.sublayers)
            all.insert(all.end(), (sublayer.*values).begin(), (sublayer.*values).end());
        return all;
    }

  private Q_SLOTS:
    void anIndependentProgramMeasuresTheSame_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"annotated-tiny", "pi-tau-tiny", "torch-transformer-tiny-post-relu"})
            QTest::newRow(model) << model;
    }

    void anIndependentProgramMeasuresTheSame() {
        QFETCH(QString, model);
        const auto recorded = recordings::read("flow/" + model.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto flow = engine->of(recordings::requestOf(model.toStdString(), recorded), trace::FlowWhat());
        const auto changed =
            model == "annotated-tiny"
                ? engines::withChangedWeight(engines::tiny, engines::queriesOfTiny)
                      ->of(recordings::requestOf("annotated-tiny", recorded), trace::FlowWhat())
                : nullptr;
        const std::map<std::string, std::vector<double> trace::SublayerFlow::*> columns{
            {"before", &trace::SublayerFlow::before},
            {"added", &trace::SublayerFlow::added},
            {"after", &trace::SublayerFlow::after},
            {"cosine", &trace::SublayerFlow::cosine}};
        for (const auto& [name, member] : columns) {
            VERIFY_AGREES(recordings::compareWith(recorded, name, joined(*flow, member)));
            if (changed)
                QVERIFY2(!recordings::compareWith(recorded, name, joined(*changed, member)), name.c_str());
        }
        const auto dead = files::floatsOf(recorded.at("dead"));
        const auto active = files::floatsOf(recorded.at("active"));
        std::size_t feedForward = 0;
        for (const auto& sublayer : flow->sublayers)
            if (sublayer.units > 0) {
                QCOMPARE(double(sublayer.deadUnits), double(dead.at(feedForward)));
                VERIFY_AGREES(tests::compare("active", sublayer.activeShare, active.at(feedForward),
                                             recordings::limitOf(recorded, "active")));
                ++feedForward;
            }
        QCOMPARE(feedForward, dead.size());
    }

    void aSublayerThatIsOffAddsNothing() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::forced({9, 4, 16, 3}, {2, 18, 17});
        const trace::SublayerAddress off{trace::SublayerKind::Cross, 1};
        request.interventions = {{trace::ScaleSublayer{.sublayer = off, .factor = 0}}};
        const auto flow = engine->of(request, trace::FlowWhat());
        const auto found = std::ranges::find(flow->sublayers, off, &trace::SublayerFlow::sublayer);
        QVERIFY(found != flow->sublayers.end());
        QCOMPARE(found->added, std::vector<double>(3, 0.0));
        QCOMPARE(found->after, found->before);
    }

    void aLongSentenceIsMeasuredSomeRowsAtATime() {
        const auto engine = engines::with(engines::tiny);
        std::vector<std::int64_t> source, target{2};
        for (std::int64_t i = 0; i < 21; ++i)
            source.push_back(4 + i * 5 % 13);
        for (std::int64_t i = 0; i < 18; ++i)
            target.push_back(5 + i * 3 % 11);
        auto request = engines::forced(source, target);
        request.recording.longestMap = 0;
        const auto whole = engine->of(request, trace::FlowWhat());
        request.recording.longestMap = 8;
        const auto some = engine->of(request, trace::FlowWhat());
        QCOMPARE(some->sublayers.size(), whole->sublayers.size());
        for (std::size_t i = 0; i < whole->sublayers.size(); ++i) {
            const auto& one = some->sublayers[i];
            const auto& other = whole->sublayers[i];
            QVERIFY(one.sublayer == other.sublayer);
            QCOMPARE(one.units, other.units);
            QCOMPARE(one.deadUnits, other.deadUnits);
            VERIFY_AGREES(tests::compare("active", one.activeShare, other.activeShare,
                                         tests::ofRoundings(4, 1, tests::float64)));
        }
        for (const auto member : {&trace::SublayerFlow::before, &trace::SublayerFlow::added,
                                  &trace::SublayerFlow::after, &trace::SublayerFlow::cosine})
            VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "residual", "lengths",
                                                  joined(*some, member), joined(*whole, member)));
    }

    void itEndsWhereTheRunIsCancelled() {
        const auto engine = engines::with(engines::tiny);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            engine->of(engines::forced({9, 4, 16, 3}, {2, 18}), trace::FlowWhat(), stop.get_token()),
            trace::Cancelled);
    }

    void theBlocksHoldAllParameters() {
        const auto engine = engines::start();
        const auto model = engine->open({.path = engines::tiny}, {});
        std::int64_t sum = 0;
        for (const auto& [block, parameters] : model->blocks)
            sum += parameters;
        QCOMPARE(sum, model->parameters);
        const auto has = [&](const char* name) {
            return std::ranges::count(model->blocks, name, &std::pair<std::string, std::int64_t>::first) == 1;
        };
        for (const char* name : {"encoder.0.self", "encoder.1.feed_forward", "encoder.final_norm",
                                 "decoder.1.cross", "decoder.0.norm_cross", "generator"})
            QVERIFY2(has(name), name);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ModelFlowTest)
#include "model_flow_test.moc"
