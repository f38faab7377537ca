#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/files/file_kind.h"
#include "model/files/safetensors.h"

#include <chrono>
#include <thread>

using namespace foreign_files;
using namespace headscope;
using engines::forced;
using engines::greedy;
using engines::source;
using trace::CheckState;
using trace::TokenRole;

namespace {

trace::Request padded(trace::Request request, int sourcePads, int targetPads) {
    request.padding = {.source = sourcePads, .target = targetPads};
    return request;
}

std::string refusalFor(engine::Engine& engine, const trace::Request& request) {
    return refusalOf([&] { engine.of(request, trace::RunWhat()); });
}

/// Progress is reported every 100 ms. Pauses long enough between two paths that the first new row of the
/// second is reported on any machine; not after each of its rows.
trace::Task pausingBetweenPaths(std::stop_token stop = {}) {
    return {std::move(stop), [pauses = 4](double) mutable {
                if (pauses-- > 0)
                    std::this_thread::sleep_for(std::chrono::milliseconds(110));
            }};
}

/// The start token alone, then `target`, row by row.
trace::Request afterItsStart(trace::Request request) {
    auto start = request.paths.front();
    start.forced = trace::TargetIds{{std::get<trace::TargetIds>(start.forced).ids.front()}};
    request.paths.insert(request.paths.begin(), std::move(start));
    return request;
}

/// A folder with the tiny model without its decoder.
void writeEncoderOnly(const std::filesystem::path& folder) {
    const auto file = files::readTensorFile(engines::tiny + "/model.pt");
    std::vector<files::TensorToSave> kept;
    for (const auto& tensor : file.tensors)
        if (!tensor.name.starts_with("decoder.") && !tensor.name.starts_with("generator."))
            kept.push_back({.name = tensor.name,
                            .type = tensor.type,
                            .shape = tensor.shape,
                            .bytes = std::span(*tensor.bytes).subspan(tensor.offset)});
    for (auto& tensor : kept)
        tensor.bytes = tensor.bytes.first(*files::checkedProduct(tensor.shape) * sizeof(float));
    files::saveSafetensors(folder / "model.safetensors", kept, {});
    writeFile(folder / "headscope.json", R"({"family": "annotated-transformer", "heads": 3, "pad_id": 0})");
}

} // namespace

class RunBuilderTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const trace::Request& request) {
        return engine_->of(request, trace::RunWhat());
    }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void whatCannotBeReadIsRefusedByName() {
        QVERIFY(
            contains(refusalFor(*engine_, greedy({5, 17, -1, 99})), {"source ids", "0 to 16", "17, -1, 99"}));
        QVERIFY(contains(refusalFor(*engine_, greedy({})), {"nothing to read", "at least one token"}));
        QVERIFY(contains(refusalFor(*engine_, greedy(std::vector<std::int64_t>(65, 5))),
                         {"positions", "at most 64", "65 tokens"}));
        QVERIFY(contains(refusalFor(*engine_, {.source = std::string("Hello")}),
                         {"no tokenizer", "--tokenizer", "--source-ids"}));
        const trace::SourceEmbeddings narrow{trace::Matrix(3, 11)};
        QVERIFY(contains(refusalFor(*engine_, {.source = narrow}), {"embeddings", "12", "rows of 11"}));
    }

    void whatCannotBeForcedIsRefusedByName() {
        QVERIFY(contains(refusalFor(*engine_, forced(source, {2, 23})), {"target ids", "0 to 22", "23"}));
        QVERIFY(contains(refusalFor(*engine_, forced(source, {})), {"decoder", "start token"}));
        QVERIFY(contains(refusalFor(*engine_, forced(source, std::vector<std::int64_t>(65, 5))),
                         {"target", "at most 64", "65 tokens"}));
        auto text = greedy(source);
        text.paths[0].forced = std::string("Hallo");
        QVERIFY(contains(refusalFor(*engine_, text), {"no tokenizer", "--target-ids"}));
        auto twoStarts = forced(source, {2, 5});
        twoStarts.paths.push_back({.forced = trace::TargetIds{{4}}});
        QVERIFY(contains(refusalFor(*engine_, twoStarts), {"begin with different tokens"}));
    }

    void afterARefusalTheEngineGoesOn() {
        const auto before = run(greedy(source));
        refusalFor(*engine_, greedy({99}));
        QVERIFY(contains(refusalOf([&] { engine_->open({.path = "/nowhere"}, {}); }), {"/nowhere"}));
        QVERIFY(engines::sameBits(*before, *run(greedy(source))));
        QVERIFY(contains(refusalFor(*engines::start(), greedy(source)), {"No model is open"}));
    }

    void paddingChangesNothingForRealTokens() {
        const auto plain = run(forced(source, {2, 18, 17, 20}));
        const auto more = run(padded(forced(source, {2, 18, 17, 20}), 3, 2));
        QCOMPARE(more->source.size(), source.size() + 3);
        QCOMPARE(more->target.size(), std::size_t{6});
        QVERIFY(more->source.back().role == TokenRole::Padding &&
                more->target.back().role == TokenRole::Padding);
        QVERIFY(more->selfCheck.state() == CheckState::Ok);
        for (std::size_t t = 0; t < 4; ++t) {
            QCOMPARE(more->row(t).candidates[0].token.id, plain->row(t).candidates[0].token.id);
            VERIFY_AGREES(
                tests::compare("log-probability", more->row(t).candidates[0].logProbability,
                               plain->row(t).candidates[0].logProbability,
                               recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities")));
            QCOMPARE(more->cross[0].weights(0, t, source.size()), 0.f);
            QCOMPARE(more->cross[0].mask(t, source.size()), std::uint8_t{0});
        }
        QCOMPARE(more->decoder[0].mask(5, 4), std::uint8_t{0});
    }

    /// The first fed token is masked everywhere: only its own row depends on the number of fed tokens.
    void aStartTokenThatIsPaddingIsNoFailure() {
        const auto opened = [](const char* masked) {
            auto engine = engines::start();
            engine->open({.path = engines::tiny,
                          .settings = {{"heads", "3"},
                                       {"pad_id", "2"},
                                       {"start_id", "2"},
                                       {"target_padding_masked", masked}}},
                         {});
            return engine;
        };
        for (const char* masked : {"yes", "no"}) {
            const auto decoded = opened(masked)->of(greedy({5, 6, 7, 3}, 6), trace::RunWhat());
            QVERIFY(decoded->target.size() > 2);
            QVERIFY(decoded->target.front().role == TokenRole::Start);
            QCOMPARE(decoded->decoder[0].mask(0, 0), std::uint8_t(*masked == 'n'));
            QVERIFY2(decoded->selfCheck.state() == CheckState::Ok,
                     qPrintable(QString::number(decoded->selfCheck.cachedEqualsFullPass.largest)));
        }
    }

    void paddingKeepsTheWholeOutput() {
        for (const int newTokens : {3, 12}) {
            const auto plain = engines::outputOf(*run(greedy(source, newTokens)));
            auto output = engines::outputOf(*run(padded(greedy(source, newTokens), 0, 2)));
            QCOMPARE(output.size(), plain.size() + 2);
            output.resize(plain.size());
            QCOMPARE(output, plain);
        }
    }

    void paddingFitsIntoTheLastPositions() {
        const auto most = run(padded(greedy(source, 100), 57, 5));
        QVERIFY(most->target.size() <= 64);
        QVERIFY(contains(refusalFor(*engine_, padded(greedy(source), 58, 0)), {"at most 64", "65 tokens"}));
        QVERIFY(contains(refusalFor(*engine_, padded(greedy(source), 0, 64)), {"target", "at most 64"}));
    }

    void decodingEndsAtTheLastPosition() {
        // A token from which decoding does not end soon: the tiny model repeats itself.
        auto request = forced({15, 15, 15, 3}, {2, 18}, 1000);
        const auto whole = run(request);
        QVERIFY(whole->target.size() <= 64);
        QVERIFY(whole->selfCheck.state() == CheckState::Ok);
    }

    void paddingWithoutAPaddingTokenAsksForIt() {
        const auto engine = engines::start();
        const Folder folder;
        std::filesystem::copy_file(engines::tiny + "/model.pt", folder / "model.pt");
        engine->open({.path = folder.path(), .settings = {{"heads", "3"}}}, {});
        QVERIFY(contains(refusalFor(*engine, padded(forced({5, 3}, {2}), 1, 0)),
                         {"--pad-id", "padding was asked"}));
        QVERIFY(contains(refusalFor(*engine, greedy({5, 3})), {"--start-id"}));
        QCOMPARE(engine->of(forced({5, 3}, {2}), trace::RunWhat())->target.size(), std::size_t{1});
        // Also if the source is cached.
        QVERIFY(contains(refusalFor(*engine, padded(forced({5, 3}, {2}), 0, 1)),
                         {"--pad-id", "padding was asked"}));
    }

    void anIdThatStartsAndEndsEndsAllTheSame() {
        const auto engine = engines::start();
        engine->open({.path = engines::tiny, .settings = {{"start_id", "3"}}}, {});
        const auto again = engine->of(greedy(source, 40), trace::RunWhat());
        QVERIFY(again->target.front().role == TokenRole::Start);
        const auto output = engines::outputOf(*again);
        QVERIFY(std::ranges::count(output, 3) <= 1);
        QVERIFY(output.size() == 40 || output.back() == 3);
        auto complete = forced(source, {3, 5, 3}, 5);
        QCOMPARE(engine->of(complete, trace::RunWhat())->target.size(), std::size_t{2});
    }

    void progressDeliversWholeValues() {
        const auto engine = engines::with(engines::trained);
        std::vector<std::int64_t> target{2};
        for (std::int64_t id = 100; id < 400; ++id)
            target.push_back(id);
        std::vector<std::shared_ptr<const trace::Run>> seen;
        const auto last = engine->of(afterItsStart(forced({5, 21, 3}, target)), trace::RunWhat(),
                                     pausingBetweenPaths(), [&](auto part) { seen.push_back(part); });
        QVERIFY(!seen.empty());
        for (const auto& part : seen) {
            QVERIFY(!part->complete);
            QVERIFY(part->selfCheck.rowsSumToOne.state == CheckState::Ok);
            QVERIFY(part->selfCheck.cachedEqualsFullPass.state == CheckState::NotChecked);
            const auto rows = part->target.size();
            QVERIFY(rows > 0 && rows <= last->target.size());
            QCOMPARE(part->next.size(), rows);
            QCOMPARE(part->decoder[2].weights.rows(), rows);
            QCOMPARE(part->cross[0].weights.columns(), std::size_t{3});
            QCOMPARE(&part->row(rows - 1), &last->row(rows - 1));
        }
        QVERIFY(last->complete);
    }

    void workCanBeCancelledFromItsProgress() {
        const auto engine = engines::with(engines::trained);
        const std::vector<std::int64_t> target(40, 100);
        std::stop_source stop;
        const auto stopIt = [&](const auto&) { stop.request_stop(); };
        QVERIFY_EXCEPTION_THROWN(engine->of(afterItsStart(forced({5, 3}, target)), trace::RunWhat(),
                                            pausingBetweenPaths(stop.get_token()), stopIt),
                                 trace::Cancelled);
        QCOMPARE(engine->of(forced({5, 3}, {2, 100}), trace::RunWhat())->target.size(), std::size_t{2});
    }

    void anEncoderAloneRuns() {
        const Folder folder;
        writeEncoderOnly(folder.path());
        const auto summary = engine_->open({.path = folder.path()}, {});
        QCOMPARE(summary->decoderLayers, 0);
        const auto encoded = run(padded(greedy(source), 2, 0));
        QCOMPARE(encoded->encoder.size(), std::size_t{2});
        QVERIFY(encoded->target.empty() && encoded->path.empty() && encoded->complete);
        QVERIFY(encoded->selfCheck.rowsSumToOne.state == CheckState::Ok);
        QVERIFY(contains(refusalFor(*engine_, forced(source, {2})), {"no decoder"}));
    }

    void aRowWithoutAnAllowedKeyIsNoError() {
        const auto closed = run(forced({0, 0, 0}, {2, 18}));
        QVERIFY(closed->selfCheck.state() == CheckState::Ok);
        VERIFY_AGREES(tests::compare("weight", closed->cross[0].weights(0, 0, 1), 1 / 3.0,
                                     tests::ofSoftmax(3, 0, 1 / 3.0)));
    }
};

HEADSCOPE_TEST(RunBuilderTest)
#include "run_builder_test.moc"
