#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "app/traces/trace_metadata.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"
#include "tests/model/engine/engines.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

#include <cmath>
#include <fstream>
#include <limits>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

const trace::Recording everything{
    .projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true};

trace::Request fullRequest(const trace::Recording& recording = everything) {
    return {.source = trace::SourceIds{{5, 6, 3}}, .paths = {{.newTokens = 6}}, .recording = recording};
}

/// Every record's numbers and mask.
bool sameMaps(const std::vector<trace::AttentionRecord>& a, const std::vector<trace::AttentionRecord>& b) {
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
        return one.site == other.site && one.mask == other.mask && one.scores == other.scores &&
               one.weights == other.weights && one.q == other.q && one.k == other.k && one.v == other.v &&
               one.outputs == other.outputs;
    });
}

files::TensorToSave tensor(const std::string& name, std::vector<std::int64_t> shape,
                           const std::vector<float>& values) {
    return {.name = name, .shape = std::move(shape), .bytes = std::as_bytes(std::span(values))};
}

std::string refusalToRead(const fs::path& path) {
    try {
        app::readTrace(path);
    } catch (const trace::Refusal& refusal) {
        return refusal.what();
    }
    return {};
}

} // namespace

class ReadTraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path base_;
    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> saved(const trace::Request& request, const fs::path& path) {
        engine_->open({.path = engines::tiny}, {});
        auto run = engine_->of(request, trace::RunWhat());
        app::saveTrace(*run, {}, tests::newFile(path));
        return run;
    }

  private Q_SLOTS:
    void initTestCase() {
        base_ = folder_.path().toStdString();
        engine_ = app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
    }

    void whatWasSavedIsReadBackToTheBit() {
        const trace::DecodePath decoded{.newTokens = 6};
        const trace::DecodePath reference{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 0};
        const trace::DecodePath wentOn{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 3};
        for (const auto& path : {decoded, reference, wentOn}) {
            auto request = fullRequest();
            request.paths = {path};
            const auto run = saved(request, base_ / "whole.safetensors");
            const auto read = app::readTrace(base_ / "whole.safetensors").run;
            QVERIFY(sameMaps(read->encoder, run->encoder));
            QVERIFY(sameMaps(read->decoder, run->decoder));
            QVERIFY(sameMaps(read->cross, run->cross));
            QCOMPARE(read->source, run->source);
            QCOMPARE(read->target, run->target);
            QCOMPARE(read->next, run->next);
            QCOMPARE(read->forcedRows, run->forcedRows);
            QCOMPARE(read->output, run->output);
            QCOMPARE(read->path.size(), run->path.size());
            QCOMPARE(read->paths, run->paths);
            QCOMPARE(read->request, run->request);
            QCOMPARE(read->encoderResidual, run->encoderResidual);
            QCOMPARE(read->encoderOutput, run->encoderOutput);
            QCOMPARE(read->sourcePositions, run->sourcePositions);
            QCOMPARE(read->selfCheck.state(), run->selfCheck.state());
            QCOMPARE(read->model->architecture, run->model->architecture);
            QCOMPARE(read->model->encoderHeads, run->model->encoderHeads);
            for (std::size_t t = 0; t < run->target.size(); ++t) {
                QCOMPARE(read->row(t).logProbabilities, run->row(t).logProbabilities);
                QCOMPARE(read->row(t).residual, run->row(t).residual);
                QCOMPARE(read->row(t).position, run->row(t).position);
                QCOMPARE(read->row(t).candidates.size(), run->row(t).candidates.size());
                QCOMPARE(read->row(t).candidates.front().logProbability,
                         run->row(t).candidates.front().logProbability);
                const auto &node = read->tree.node(read->path[t]), &original = run->tree.node(run->path[t]);
                QCOMPARE(node.logProbability, original.logProbability);
                QCOMPARE(node.rank, original.rank);
            }
        }
    }

    void savedAgainItIsTheSameFile() {
        saved(fullRequest(), base_ / "once.safetensors");
        app::saveTrace(*app::readTrace(base_ / "once.safetensors").run, {}, base_ / "twice.safetensors");
        QFile once(base_ / "once.safetensors"), twice(base_ / "twice.safetensors");
        QVERIFY(once.open(QIODevice::ReadOnly) && twice.open(QIODevice::ReadOnly));
        QCOMPARE(once.readAll(), twice.readAll());
    }

    void aTraceAnswersWhatItRecordedAndNothingElse() {
        saved(fullRequest(), base_ / "engine.safetensors");
        const auto model = engine_->open({.path = base_ / "engine.safetensors"}, {});
        QVERIFY(model->recorded);
        const auto run = engine_->of(*model->recorded, trace::RunWhat());
        QCOMPARE(run->model, model);
        auto less = *model->recorded;
        less.recording = {};
        QVERIFY(sameMaps(engine_->of(less, trace::RunWhat())->cross, run->cross));
        auto reading = *model->recorded; // the same rows, as views ask for them
        trace::TargetIds said;
        for (const auto node : run->path)
            said.ids.push_back(run->tree.node(node).token.id);
        reading.paths = {{.forced = said, .newTokens = 1, .ends = true}};
        QVERIFY(sameMaps(engine_->of(reading, trace::RunWhat())->cross, run->cross));
        said.ids.back() = 1;
        reading.paths = {{.forced = said, .newTokens = 1, .ends = true}};
        QVERIFY_EXCEPTION_THROWN(engine_->of(reading, trace::RunWhat()), trace::Refusal);
        auto other = *model->recorded;
        other.source = trace::SourceIds{{5, 3}};
        QVERIFY_EXCEPTION_THROWN(engine_->of(other, trace::RunWhat()), trace::Refusal);
        QVERIFY_EXCEPTION_THROWN(engine_->of(*model->recorded, trace::ImportanceWhat()), trace::Refusal);
        engine_->open({.path = engines::tiny}, {});
        QVERIFY(!engine_->of(other, trace::RunWhat())->model->recorded);
    }

    /// What the model says of its positions, of the terms of scores and of every quantity, and no longer is
    /// asked for.
    void whatOnlyTheModelComputesIsReadBack() {
        const auto path = base_ / "analyses.safetensors";
        const app::TraceContents all{.scoreTerms = true, .quantities = true, .gradients = true};
        engine_->open({.path = engines::tiny}, {});
        const auto request = fullRequest();
        const auto run = engine_->of(request, trace::RunWhat());
        const auto computed = app::traceAnalyses(*engine_, request, *run, all, {});
        QCOMPARE(computed.scoreTerms.size(), std::size_t(2)); // of the first layers
        QCOMPARE(computed.maps.size(), (3 + run->target.size()) * 3 * run->encoder.size());
        app::saveTrace(*run, computed, tests::newFile(path));
        const auto model = engine_->open({.path = path}, {});
        QCOMPARE(model->positionKind, run->model->positionKind);
        QVERIFY(model->sourcePositions && model->targetPositions);
        for (std::size_t row = 0; row < run->source.size(); ++row)
            QVERIFY(
                std::ranges::equal(model->sourcePositions->row(row), run->model->sourcePositions->row(row)));
        for (const auto& maps : computed.maps) {
            const auto read = engine_->of(
                *model->recorded,
                trace::MapsWhat{.quantity = maps->quantity, .site = maps->site, .step = maps->step});
            QCOMPARE(read->values, maps->values);
            QCOMPARE(read->mask, maps->mask);
            QCOMPARE(read->sourceColumns, maps->sourceColumns);
            QCOMPARE(read->token, maps->token);
        }
        for (const auto& terms : computed.scoreTerms) {
            const auto read = engine_->of(*model->recorded, trace::ScoreTermsWhat{.site = terms->site});
            QCOMPARE(read->scores, terms->scores);
            QCOMPARE(read->terms.size(), terms->terms.size());
            for (std::size_t i = 0; i < terms->terms.size(); ++i) {
                QCOMPARE(read->terms[i].product, terms->terms[i].product);
                QCOMPARE(read->terms[i].values, terms->terms[i].values);
            }
        }
        const auto again = app::traceAnalyses(*engine_, *model->recorded, *app::readTrace(path).run, all, {});
        QCOMPARE(again.maps.size(), computed.maps.size());
    }

    /// As traces of other programs, and those of before the tables were kept.
    void rowsThatWereAddedAreTheBeginningOfTheTable() {
        const std::vector<float> weights{1, 0, 0.25F, 0.75F}, added{0, 1, 2, 3, 4, 5};
        files::saveSafetensors(base_ / "rows.safetensors",
                               {tensor("encoder_self/weights", {1, 1, 2, 2}, weights),
                                tensor("positions/source", {2, 3}, added)},
                               {{"tokens.json", R"({"source": ["a", "b"]})"}});
        const auto run = app::readTrace(base_ / "rows.safetensors").run;
        QCOMPARE(run->model->positionKind, trace::PositionKind::Added);
        QCOMPARE(*run->model->sourcePositions, run->sourcePositions);
        QVERIFY(!run->model->targetPositions);
    }

    void whatIsNotInTheFileIsRefusedWithTheOptionThatRecordsIt() {
        saved(fullRequest({}), base_ / "bare.safetensors");
        const auto model = engine_->open({.path = base_ / "bare.safetensors"}, {});
        const auto option = [](const auto& ask) {
            try {
                ask();
            } catch (const trace::Refusal& refusal) {
                return QString::fromStdString(refusal.text().wayOut).section("headscope-cli trace ", 1);
            }
            return QString();
        };
        const auto recording = [&](bool trace::Recording::*part) {
            auto request = *model->recorded;
            request.recording.*part = true;
            return option([&] { engine_->of(request, trace::RunWhat()); });
        };
        QCOMPARE(recording(&trace::Recording::projections), "--qkv");
        QCOMPARE(recording(&trace::Recording::residual), "--residual");
        QCOMPARE(recording(&trace::Recording::encoderOutput), "--hidden");
        const trace::AttentionSite site{.kind = trace::AttentionKind::EncoderSelf, .layer = 0};
        const auto of = [&](const auto& what) {
            return option([&] { engine_->of(*model->recorded, what); });
        };
        QCOMPARE(of(trace::MapsWhat{.quantity = trace::MapQuantity::GradientAttention, .site = site}),
                 "--gradients");
        QCOMPARE(of(trace::MapsWhat{.quantity = trace::MapQuantity::Rollout, .site = site}), "--quantities");
        QCOMPARE(of(trace::ScoreTermsWhat{.site = site}), "--score-terms");
    }

    void weightsAndTokensAreEnough() {
        const std::vector<float> weights{1, 0, 0.25F, 0.75F};
        files::saveSafetensors(base_ / "small.safetensors",
                               {tensor("decoder_self/weights", {1, 1, 2, 2}, weights)},
                               {{"tokens.json", R"({"target": ["a", "b"]})"}});
        const auto run = app::readTrace(base_ / "small.safetensors").run;
        QCOMPARE(run->model->encoderLayers, 0);
        QCOMPARE(run->model->decoderLayers, 1);
        QCOMPARE(run->next[0].piece, std::string("b"));
        QCOMPARE(run->decoder[0].mask, trace::MaskMatrix(2, 2, {1, 0, 1, 1})); // 0 in every head
        QCOMPARE(run->selfCheck.rowsSumToOne.state, trace::CheckState::Ok);
        QVERIFY(!trace::canShowEveryPath(*run));
        QVERIFY(!analysis::scoreScale(*run, 4).isKnown); // it may be of any model
        QVERIFY(std::isnan(run->tree.node(run->path.back()).logProbability));
        QVERIFY(run->tree.node(run->path.back()).rank < 0); // not known, and no rank
        app::saveTrace(*run, {}, base_ / "unknown.safetensors");
        const auto again = app::readTrace(base_ / "unknown.safetensors").run;
        QVERIFY(again->tree.node(again->path.back()).rank < 0);
        QVERIFY(!run->model->saysDecoding && !again->model->saysDecoding); // greedy by default alone
        const auto of = saved(fullRequest({}), base_ / "said.safetensors");
        QVERIFY(app::readTrace(base_ / "said.safetensors").run->model->saysDecoding);
    }

    void whatTheFileSaysOfTheModelIsKnownWithoutItsQueriesAndKeys() {
        const auto of = saved(fullRequest({}), base_ / "scores.safetensors");
        const auto run = app::readTrace(base_ / "scores.safetensors").run;
        const auto width = static_cast<std::size_t>(run->model->headWidth);
        QCOMPARE(run->model->headWidth, of->model->headWidth);
        QCOMPARE(analysis::scoreScale(*run, width).factor, analysis::scoreScale(*of, width).factor);
        QCOMPARE(analysis::scoreScale(*run, 0).factor, analysis::scoreScale(*of, width).factor);
    }

    void aCheckWithoutADeviationIsNoNumberThatIsNotFinite() {
        const std::vector<float> weights{1, 0, 0.25F, 0.75F};
        for (const bool isNull : {false, true}) {
            const auto path = base_ / (isNull ? "null.safetensors" : "short.safetensors");
            const std::string state = isNull ? R"("failed", "largest": null)" : R"("ok")";
            files::saveSafetensors(path, {tensor("decoder_self/weights", {1, 1, 2, 2}, weights)},
                                   {{"tokens.json", R"({"target": ["a", "b"], "self_check":
                                       {"cached_equals_full_pass": {"state": )" +
                                                        state + "}}}"}});
            QCOMPARE(app::readTrace(path).run->selfCheck.isFinite(), !isNull);
        }
    }

    /// Whatever the file says of it.
    void weightsThatAreNoneFailTheSelfCheck() {
        const auto stateWith = [&](float second) {
            const std::vector<float> weights{3, 0, second, 2.25F};
            files::saveSafetensors(
                tests::newFile(base_ / "none.safetensors"),
                {tensor("decoder_self/weights", {1, 1, 2, 2}, weights)},
                {{"tokens.json", R"({"target": ["a", "b"], "self_check": {"rows_sum_to_one":
                    {"state": "ok", "largest": 0, "limit": 1e-5}}})"}});
            return app::readTrace(base_ / "none.safetensors").run->selfCheck.rowsSumToOne;
        };
        QCOMPARE(stateWith(0.75F).state, trace::CheckState::Failed);
        QCOMPARE(stateWith(0.75F).largest, 2.0);
        QVERIFY(std::isnan(stateWith(std::numeric_limits<float>::quiet_NaN()).largest));
    }

    void everythingThatDoesNotFitIsNamed() {
        const std::vector<float> weights(8), scores(4);
        files::saveSafetensors(base_ / "wrong.safetensors",
                               {tensor("encoder_self/weights", {1, 2, 2, 2}, weights),
                                tensor("encoder_self/scores", {1, 1, 2, 2}, scores),
                                tensor("encoder_output", {1, 4}, scores)},
                               {{"tokens.json", R"({"source": ["a", "b"]})"}});
        const auto refusal = refusalToRead(base_ / "wrong.safetensors");
        QVERIFY2(refusal.find("encoder_self/scores") != std::string::npos &&
                     refusal.find("encoder_output") != std::string::npos,
                 refusal.c_str());
        QVERIFY(!app::isTrace(fs::path(engines::tiny) / "model.safetensors"));
    }

    void wordsThatAreNoneAreRefused() {
        const std::vector<float> weights{1};
        for (const char* words :
             {"[]", "{", R"({"source": [1]})", R"({"source": ["a"], "roles": {"source": ["boss"]}})",
              R"({"source": ["a"], "roles": {"source": []  , "target": ["text"]}, "next": ["b"]})",
              R"({"source": ["a"], "source_ranges": []})",
              R"({"source": ["a"], "request": {"what_if": ["--explode"]}})"}) {
            files::saveSafetensors(tests::newFile(base_ / "words.safetensors"),
                                   {tensor("encoder_self/weights", {1, 1, 1, 1}, weights)},
                                   {{"tokens.json", words}});
            QVERIFY2(!refusalToRead(base_ / "words.safetensors").empty(), words);
        }
    }

    void nothingIsNoTrace() {
        files::saveSafetensors(base_ / "nothing.safetensors",
                               {tensor("encoder_self/weights", {1, 1, 0, 0}, {})},
                               {{"tokens.json", R"({"source": []})"}});
        QVERIFY(!refusalToRead(base_ / "nothing.safetensors").empty());
    }

    void halfPrecisionIsRead() {
        const std::vector<std::uint16_t> halves{0x3C00, 0x0000, 0x3400, 0x3A00}; // 1, 0, 0.25, 0.75
        files::saveSafetensors(base_ / "half.safetensors",
                               {{.name = "encoder_self/weights",
                                 .type = files::ElementType::Float16,
                                 .shape = {1, 1, 2, 2},
                                 .bytes = std::as_bytes(std::span(halves))}},
                               {{"tokens.json", R"({"source": ["a", "b"]})"}});
        const auto run = app::readTrace(base_ / "half.safetensors").run;
        QCOMPARE(run->encoder[0].weights(0, 1, 0), 0.25F);
        QCOMPARE(run->encoder[0].weights(0, 1, 1), 0.75F);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ReadTraceTest)
#include "read_trace_test.moc"
