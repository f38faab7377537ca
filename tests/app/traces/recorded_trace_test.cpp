#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/runs_beside.h"
#include "model/files/safetensors.h"
#include "model/trace/recorded_runs.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"
#include "tests/model/engine/engines.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <array>
#include <functional>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

const trace::HeadAddress crossHead{.site = {.kind = trace::AttentionKind::Cross, .layer = 0}, .head = 0};

trace::Request aRequest() {
    return {.source = trace::SourceIds{{5, 6, 3}}, .paths = {{.newTokens = 6}}};
}

bool sameNode(const trace::DecodeNode& one, const trace::DecodeNode& other) {
    return one.parent == other.parent && one.token == other.token && one.rank == other.rank &&
           one.logProbability == other.logProbability && one.search == other.search;
}

/// Maps and what was said.
void compareRuns(const trace::Run& one, const trace::Run& other) {
    QCOMPARE(one.target, other.target);
    QCOMPARE(one.next, other.next);
    QCOMPARE(one.output, other.output);
    QCOMPARE(one.paths.size(), other.paths.size());
    for (const auto part : {&trace::Run::encoder, &trace::Run::decoder, &trace::Run::cross}) {
        QCOMPARE((one.*part).size(), (other.*part).size());
        for (std::size_t layer = 0; layer < (one.*part).size(); ++layer)
            QCOMPARE((one.*part)[layer].weights, (other.*part)[layer].weights);
    }
    for (std::size_t t = 0; t < one.target.size(); ++t)
        QCOMPARE(one.row(t).logProbabilities, other.row(t).logProbabilities);
}

} // namespace

/// Runs beside the shown one, and what was decoded besides its path.
class RecordedTraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path path_;
    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> save(const trace::Request& request,
                                           const app::TraceContents& contents = {},
                                           const std::string& model = engines::tiny) {
        engine_->open({.path = model}, {});
        auto run = engine_->of(request, trace::RunWhat());
        app::saveTrace(*run, app::traceAnalyses(*engine_, request, *run, contents, {}),
                       tests::newFile(path_));
        return run;
    }

    /// The file again, with other words.
    void rewrite(const std::function<void(nlohmann::ordered_json&)>& change) {
        const files::SafetensorsFile file(path_);
        auto words = nlohmann::ordered_json::parse(file.header().metadata.at("tokens.json"));
        change(words);
        std::vector<files::FileBytes> bytes;
        std::vector<files::TensorToSave> tensors;
        for (const auto& entry : file.header().entries)
            bytes.push_back(file.read(entry));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto& entry = file.header().entries[i];
            tensors.push_back({.name = entry.name,
                               .type = entry.type,
                               .shape = entry.shape,
                               .bytes = {bytes[i].data(), bytes[i].size()}});
        }
        files::saveSafetensors(tests::newFile(path_), tensors, {{"tokens.json", words.dump()}});
    }

  private Q_SLOTS:
    void initTestCase() {
        path_ = folder_.filePath("trace.safetensors").toStdString();
        engine_ = app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
    }

    /// A search, a branch that somebody chose after it and a target that was forced, the branch shown.
    void allThatWasDecodedIsReadBack() {
        auto request = aRequest();
        request.decoding.beam = 3;
        request.paths = {{.newTokens = 6},
                         {.forced = trace::TargetIds{{2, 18, 7, 3}}, .newTokens = 0},
                         {.forced = trace::TargetIds{{2, 8}}, .newTokens = 1, .mayContinue = true}};
        const auto run = save(request);
        const auto read = app::readTrace(path_).run;
        QVERIFY(run->tree.nodes().size() > 20);
        QVERIFY(std::ranges::equal(read->tree.nodes(), run->tree.nodes(), sameNode));
        QCOMPARE(read->paths, run->paths);
        QCOMPARE(read->path, run->path);
        QCOMPARE(read->request, run->request);
        QCOMPARE(trace::searchedPath(*read), trace::searchedPath(*run));
        QVERIFY(!trace::canShowEveryPath(*read)); // there are maps of one
        engine_->open({.path = path_}, {});
        auto other = request;
        std::rotate(other.paths.begin(), other.paths.begin() + 1, other.paths.end());
        QVERIFY_EXCEPTION_THROWN(engine_->of(other, trace::RunWhat()), trace::Refusal);
        other.paths = {request.paths.back()};
        const auto alone = engine_->of(other, trace::RunWhat());
        QCOMPARE(alone->paths, std::vector{run->paths.back()}); // as many as were asked for
    }

    /// Of a model whose pairs no segment tells apart.
    void theSecondTextIsReadBackWithWhatHeadsDoBetweenTheTexts() {
        const trace::Request pair{.source = "my very good cat", .second = "a [MASK] dog sat"};
        const std::string model = HEADSCOPE_SOURCE "/tests/reference/hugging-face/distilbert-tiny-masked";
        const auto run = save(pair, {}, model);
        const auto read = app::readTrace(path_).run;
        QVERIFY(run->segments.empty() && run->secondText == std::optional<trace::TokenIndex>(6));
        QVERIFY(read->secondText == run->secondText);
        const auto statistics = [](const trace::Run& of) {
            return analysis::weightBetweenTexts(analysis::statisticsOfHeads(of).front().values);
        };
        QVERIFY(statistics(*run).has_value());
        QVERIFY(statistics(*read) == statistics(*run));
        for (const int impossible : {0, -1, 11, 1'000'000}) {
            rewrite([&](auto& words) { words["second_text"] = impossible; });
            QVERIFY_EXCEPTION_THROWN(app::readTrace(path_), trace::Refusal);
        }
        save({.source = "my very good cat"}, {}, model);
        QVERIFY(!app::readTrace(path_).run->secondText);
    }

    void aTreeThatNoSearchLeavesIsRefused_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        for (const auto& [name, pointer, value] : std::initializer_list<std::array<const char*, 3>>{
                 {"parent that comes later", "/tree/parents/2", "5"},
                 {"no parent", "/tree/parents/2", "null"},
                 {"negative parent", "/tree/parents/2", "-1"},
                 {"lists of other lengths", "/tree/ids", "[2]"},
                 {"no tokens", "/tree/parents", "[]"},
                 {"a list that is none", "/tree/pieces", "7"},
                 {"role", "/tree/roles/1", "\"boss\""},
                 {"step that is skipped", "/tree/search/steps/0", "3"},
                 {"rank beyond all", "/tree/search/ranks/0", "2000000000"},
                 {"node that is not there", "/tree/search/nodes/0", "100000"},
                 {"fate", "/tree/search/fates/0", "\"eaten\""},
                 {"leaf that is not there", "/tree/paths/0/leaf", "100000"},
                 {"path that is none", "/tree/paths/0", "3"},
                 {"more paths than were asked for", "/request/paths", "[{}, {}, {}]"},
                 {"no paths", "/tree/paths", "[]"},
                 {"another shown path", "/tree/paths/0/leaf", "1"},
                 {"another token", "/tree/pieces/0", "\"x\""},
                 {"runs that are none", "/beside", "[3]"},
                 {"runs without arrays", "/beside", R"([{"source": ["a"]}])"}})
            QTest::newRow(name) << pointer << value;
    }
    void aTreeThatNoSearchLeavesIsRefused() {
        QFETCH(const QString, pointer);
        QFETCH(const QString, value);
        auto request = aRequest();
        request.decoding.beam = 2;
        save(request);
        app::readTrace(path_);
        rewrite([&](auto& words) {
            words[nlohmann::ordered_json::json_pointer(pointer.toStdString())] =
                nlohmann::ordered_json::parse(value.toStdString());
        });
        QVERIFY_EXCEPTION_THROWN(app::readTrace(path_), trace::Refusal);
    }

    /// As the views ask for them.
    void runsBesideTheShownOneAreAnswered() {
        auto request = aRequest();
        request.interventions = {{.change = trace::ScaleHead{.head = crossHead, .factor = 3}},
                                 {.change = trace::LiftMask(), .on = false}};
        request.recording = {
            .projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true};
        const auto run = save(request, {.original = true, .twin = 7});
        const auto original = engine_->of(analysis::originalRequest(request), trace::RunWhat());
        const auto forced = engine_->of(analysis::forcedRequest(request, *original), trace::RunWhat());
        auto unchanged = analysis::readingRequest(request, *run);
        unchanged.interventions.clear();
        unchanged.recording.logProbabilities = true;
        const auto reading = engine_->of(unchanged, trace::RunWhat());
        const auto twin = engine_->of(analysis::twinRequest(request, *run, 7), trace::RunWhat());
        const auto model = engine_->open({.path = path_}, {});
        QVERIFY(trace::holdsOriginal(*model));
        QCOMPARE(trace::recordedTwin(*model), std::optional<std::uint64_t>(7));
        const auto shown = engine_->of(*model->recorded, trace::RunWhat());
        compareRuns(*shown, *run);
        const auto before = engine_->of(analysis::originalRequest(*model->recorded), trace::RunWhat());
        compareRuns(*before, *original);
        compareRuns(*engine_->of(analysis::forcedRequest(*model->recorded, *before), trace::RunWhat()),
                    *forced);
        auto asked = analysis::readingRequest(*model->recorded, *shown);
        asked.interventions.clear();
        asked.recording = {.logProbabilities = true};
        const auto read = engine_->of(asked, trace::RunWhat());
        QCOMPARE(read->row(0).logProbabilities, reading->row(0).logProbabilities);
        const auto held = engine_->of(analysis::twinRequest(*model->recorded, *shown, 7), trace::RunWhat());
        QCOMPARE(held->paths, twin->paths); // what it says itself, and what it read
        QCOMPARE(held->next, twin->next);
        QCOMPARE(held->model->name, twin->model->name);
        QCOMPARE(held->cross.front().weights, twin->cross.front().weights);
        const auto again =
            engine_->of(analysis::twinReadingRequest(*model->recorded, *shown, 7), trace::RunWhat());
        QCOMPARE(again->cross.front().weights, twin->cross.front().weights);
        QVERIFY_EXCEPTION_THROWN(
            engine_->of(analysis::twinRequest(*model->recorded, *shown, 8), trace::RunWhat()),
            trace::Refusal);
        const auto everything = app::everyAnalysis(*engine_, *model->recorded, *shown, {}, 7, {});
        app::saveTrace(*shown, everything, tests::newFile(path_));
        QCOMPARE(app::readTrace(path_).analyses.beside.size(), everything.beside.size());
        QCOMPARE(everything.beside.size(), std::size_t(original->next == run->next ? 3 : 4));
    }

    /// Views would hold numbers against each other that have nothing to do with each other.
    void whatIsOfAnotherSentenceOrModelCannotStandBeside() {
        engine_->open({.path = engines::tiny}, {});
        const auto run = engine_->of(aRequest(), trace::RunWhat());
        const auto refusalWith = [&](const trace::Request& other) {
            app::saveTrace(*run, {.beside = {engine_->of(other, trace::RunWhat())}}, tests::newFile(path_));
            try {
                app::readTrace(path_);
            } catch (const trace::Refusal& refusal) {
                return QString::fromStdString(refusal.text().found);
            }
            return QString();
        };
        QCOMPARE(refusalWith(aRequest()), QString());
        auto longer = aRequest();
        longer.source = trace::SourceIds{{5, 6, 7, 3}};
        QVERIFY(refusalWith(longer).contains("\"beside/0\" is of another model or sentence"));
        auto wide = aRequest();
        wide.recording.logProbabilities = true;
        const auto whole = engine_->of(wide, trace::RunWhat());
        auto narrow = std::make_shared<trace::Run>(*whole); // of a smaller vocabulary
        for (const auto node : whole->path)
            if (const auto& row = whole->tree.node(node).row) {
                auto other = std::make_shared<trace::DecodeRow>(*row);
                other->logProbabilities.pop_back();
                narrow->tree.setRow(node, other);
            }
        app::saveTrace(*whole, {.beside = {whole}}, tests::newFile(path_));
        app::readTrace(path_);
        app::saveTrace(*whole, {.beside = {narrow}}, tests::newFile(path_));
        QVERIFY_EXCEPTION_THROWN(app::readTrace(path_), trace::Refusal);
        engine_->open({.path = HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny"}, {});
        QVERIFY(refusalWith({.source = trace::SourceIds{{5, 6, 3}}}).contains("is of another model"));
    }

    void nothingStandsBesideARunThatNothingWasChangedIn() {
        save(aRequest(), {.original = true});
        const auto model = engine_->open({.path = path_}, {});
        QVERIFY(!trace::holdsOriginal(*model) && !trace::recordedTwin(*model));
    }

    /// Padding, too, and what was fed where the last token was chosen and not fed.
    void whatFlowedIsReadBackToTheBit() {
        for (const int padding : {0, 2}) {
            auto request = aRequest();
            request.padding = {.source = padding, .target = padding};
            const auto run = save(request, {.flow = true});
            const auto flow = engine_->of(analysis::fedRequest(request, *run), trace::FlowWhat());
            const auto model = engine_->open({.path = path_}, {});
            const auto shown = engine_->of(*model->recorded, trace::RunWhat());
            const auto read = engine_->of(analysis::fedRequest(*model->recorded, *shown), trace::FlowWhat());
            QCOMPARE(read->sourceEmbedding, flow->sourceEmbedding);
            QCOMPARE(read->targetEmbedding, flow->targetEmbedding);
            QCOMPARE(read->encoderOutput, flow->encoderOutput);
            QCOMPARE(read->decoderOutput, flow->decoderOutput);
            QCOMPARE(read->sublayers.size(), flow->sublayers.size());
            for (std::size_t i = 0; i < flow->sublayers.size(); ++i) {
                const auto &one = read->sublayers[i], &other = flow->sublayers[i];
                QVERIFY(one.sublayer == other.sublayer);
                QCOMPARE(one.before, other.before);
                QCOMPARE(one.added, other.added);
                QCOMPARE(one.after, other.after);
                QCOMPARE(one.cosine, other.cosine);
                QCOMPARE(one.units, other.units);
                QCOMPARE(one.deadUnits, other.deadUnits);
                QCOMPARE(one.activeShare, other.activeShare);
            }
        }
    }

    void whichExpertsTokensUseIsReadBackToTheBit() {
        const std::string model = HEADSCOPE_SOURCE "/tests/reference/hugging-face/qwen2-moe-tiny";
        const trace::Request request{.source = trace::SourceIds{{5, 6, 3, 7}}, .paths = {{.newTokens = 4}}};
        save(request, {.experts = true}, model);
        const auto routing = engine_->of(request, trace::RoutingWhat());
        const auto opened = engine_->open({.path = path_}, {});
        const auto read = engine_->of(*opened->recorded, trace::RoutingWhat());
        QCOMPARE(read->experts, routing->experts);
        QCOMPARE(read->used, routing->used);
        QCOMPARE(read->layers.size(), routing->layers.size());
        for (std::size_t i = 0; i < routing->layers.size(); ++i) {
            QCOMPARE(read->layers[i].layer, routing->layers[i].layer);
            QCOMPARE(read->layers[i].experts, routing->layers[i].experts);
            QCOMPARE(read->layers[i].weights, routing->layers[i].weights);
        }
        save(request, {}, model);
        engine_->open({.path = path_}, {});
        QVERIFY_EXCEPTION_THROWN(engine_->of(*opened->recorded, trace::RoutingWhat()), trace::Refusal);
    }

    void whatAnAnswerIsMadeOfIsReadBackToTheBit() {
        engine_->open({.path = HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny"}, {});
        const trace::Request request{.source = trace::SourceIds{{5, 6, 3, 7}}};
        const auto run = engine_->of(request, trace::RunWhat());
        const auto reading = engine_->of(request, trace::ClassifierWhat());
        app::saveTrace(*run, app::traceAnalyses(*engine_, request, *run, {.reading = true}, {}),
                       tests::newFile(path_));
        const auto model = engine_->open({.path = path_}, {});
        const auto read = engine_->of(*model->recorded, trace::ClassifierWhat());
        for (const auto part :
             {&trace::ClassifierReading::logits, &trace::ClassifierReading::logProbabilities,
              &trace::ClassifierReading::bias, &trace::ClassifierReading::features})
            QCOMPARE((*read).*part, (*reading).*part);
        QCOMPARE(read->positions, reading->positions);
        QCOMPARE(read->weights, reading->weights);
        QCOMPARE(read->contributions, reading->contributions);
        QCOMPARE(read->leftOut.size(), reading->leftOut.size());
        for (std::size_t i = 0; i < reading->leftOut.size(); ++i) {
            QCOMPARE(read->leftOut[i].firstToken, reading->leftOut[i].firstToken);
            QCOMPARE(read->leftOut[i].lastToken, reading->leftOut[i].lastToken);
            QCOMPARE(read->leftOut[i].logProbabilities, reading->leftOut[i].logProbabilities);
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RecordedTraceTest)
#include "recorded_trace_test.moc"
