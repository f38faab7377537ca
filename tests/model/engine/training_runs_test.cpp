#include <QTest>

#include "model/trace/missing_settings.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;

namespace {

struct TrainingRun {
    std::string opened; ///< in the folder of the recordings
    std::vector<engine::Setting> settings = {};
    std::string family = "nanogpt";
    std::string prefix = "";
    std::string tokenizer = "";
    std::vector<std::string> ignored = {};
    int notes = 0;
};

const std::filesystem::path runs = recordings::folder + "training-runs";

} // namespace

Q_DECLARE_METATYPE(TrainingRun)

/// What a person's own training leaves on the disk opens as it lies there, and computes what PyTorch does.
class TrainingRunsTest : public QObject {
    Q_OBJECT

    using Ids = std::vector<std::int64_t>;

    static void eachRun() {
        QTest::addColumn<TrainingRun>("run");
        const auto row = [](const char* name, const TrainingRun& run) { QTest::newRow(name) << run; };
        const std::string characters = "characters, 15 of them";
        row("nanogpt", {.opened = "out-letters", .prefix = "_orig_mod.", .tokenizer = characters});
        row("nanogpt-biases", {.opened = "", .tokenizer = characters});
        row("lightning", {.opened = "", .prefix = "net.", .ignored = {"class_weights"}});
        row("accelerate", {.opened = "", .settings = {{"heads", "3"}}});
        row("accelerate-pickled", {.opened = "checkpoint_0", .settings = {{"heads", "3"}}});
        row("trainer", {.opened = "checkpoint-4", .family = "gpt2", .notes = 3});
    }

    static Ids greedyIds(engine::Engine& engine, const Ids& prompt, std::size_t tokens) {
        const auto run = engine.of(engines::greedy(prompt, static_cast<int>(tokens)), trace::RunWhat());
        auto ids = engines::outputOf(*run);
        ids.insert(ids.begin(), run->target.front().id);
        return ids;
    }

  private Q_SLOTS:
    void itOpensAsItLiesAndComputesWhatPyTorchDoes_data() { eachRun(); }
    void itOpensAsItLiesAndComputesWhatPyTorchDoes() {
        QFETCH(const TrainingRun, run);
        const std::string folder = std::string("training-runs/") + QTest::currentDataTag();
        const auto engine = engines::start();
        const auto summary = engine->open(
            {.path = recordings::folder + folder + "/" + run.opened, .settings = run.settings}, {});
        QCOMPARE(summary->family, run.family);
        QCOMPARE(summary->property("prefix"), run.prefix);
        QCOMPARE(summary->tokenizer, run.tokenizer);
        QCOMPARE(summary->ignoredTensors, run.ignored);
        QCOMPARE(static_cast<int>(summary->notes.size()), run.notes);

        const auto recorded = recordings::read(folder + "/trace.npz");
        const auto request = recordings::requestOf(folder, recorded);
        const auto computed = engine->of(request, trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *computed));
        QCOMPARE(trace::idsOf(computed->next), recordings::integers(recorded, "next_ids"));
        const auto generated = recordings::readJson(folder + "/generate.json");
        const auto prompt = generated.at("prompt").get<Ids>();
        const auto ids = generated.at("searches").at(0).at("ids").get<Ids>();
        QCOMPARE(greedyIds(*engine, prompt, ids.size() - prompt.size()), ids);

        const QTemporaryDir converted;
        engine->convert(converted.path().toStdString(), files::ElementType::Float32, {});
        const auto again = engines::with(converted.path().toStdString());
        VERIFY_AGREES(recordings::compareWith(recorded, *again->of(request, trace::RunWhat())));
        const auto summaryAgain = again->open({.path = converted.path().toStdString()}, {});
        QCOMPARE(summaryAgain->tokenizer, run.tokenizer);
        QVERIFY(summaryAgain->notes.empty());
    }

    void aFolderOfCheckpointsAsksWhich() {
        const auto engine = engines::start();
        try {
            engine->open({.path = runs / "trainer"}, {});
            QFAIL("one of two was opened");
        } catch (const trace::Refusal& refusal) {
            QCOMPARE(refusal.text().found, std::string("checkpoint-2, checkpoint-4"));
        }
    }

    void headsThatNoFileSaysAreAskedFor() {
        const auto engine = engines::start();
        QVERIFY_EXCEPTION_THROWN(engine->open({.path = runs / "accelerate"}, {}), trace::MissingSettings);
    }

    void aTextIsReadByItsCharacters() {
        const auto engine = engines::with(runs / "nanogpt-biases");
        trace::Request request{.source = std::string("the c"), .paths = {{.newTokens = 9}}};
        const auto run = engine->of(request, trace::RunWhat());
        const auto generated = recordings::readJson("training-runs/nanogpt-biases/generate.json");
        auto ids = generated.at("searches").at(0).at("ids").get<Ids>();
        ids.pop_back(); // not fed
        QCOMPARE(trace::idsOf(run->target), ids);
        QCOMPARE(run->target[3].piece, std::string(trace::spaceMark));
    }
};

HEADSCOPE_TEST(TrainingRunsTest)
#include "training_runs_test.moc"
