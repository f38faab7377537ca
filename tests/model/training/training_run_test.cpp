#include "model/files/atomic_file.h"
#include "model/files/read_file.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"
#include "model/training/training_run.h"

#include <QTemporaryDir>
#include <QTest>

#include <ATen/ATen.h>

#include <csignal>
#include <filesystem>
#include <regex>
#include <set>

#include <sys/resource.h>

using namespace headscope::training;
using headscope::checkpoint::loadFamilies;
using headscope::trace::Cancelled;
using headscope::trace::Refusal;

namespace {

headscope::checkpoint::Family family(const std::string& key) {
    std::vector<headscope::trace::RefusalText> broken;
    const auto families = loadFamilies({std::string(HEADSCOPE_SOURCE) + "/resources/families"}, broken);
    return *std::ranges::find(families, key, &headscope::checkpoint::Family::key);
}

/// A small training of everything that has to be remembered.
TrainingConfig copying(const QTemporaryDir& folder, const std::string& name) {
    TrainingConfig config;
    config.where = "config.json";
    config.corpus.task = Task::Copy;
    config.corpus.toy.sentences = 600;
    config.corpus.validSentences = 40;
    config.vocabulary.kind = "words";
    config.network = {
        {"encoder_layers", "1"}, {"model_width", "16"}, {"heads", "2"}, {"maximum_positions", "61"}};
    config.batches = {.tokens = 100, .pool = 50};
    config.accumulate = 2;
    config.steps = 120;
    config.parts = 2;
    config.dropout = 0.2;
    config.schedule = {.kind = ScheduleKind::Linear, .rate = 3e-3, .warmUp = 20, .steps = 120};
    config.averaging = {.checkpoints = 3, .every = 20};
    config.validateEvery = 40;
    config.patience = 100;
    config.model = folder.filePath(QString::fromStdString(name)).toStdString();
    config.state = config.model.string() + ".training";
    return config;
}

TrainingSummary run(const TrainingConfig& config, int threads = 1, std::stop_token stop = {},
                    ReportProgress report = {}, const std::string& familyKey = "headscope") {
    return TrainingRun(config, family(familyKey),
                       {.threads = threads, .stop = stop, .report = std::move(report)})
        .run();
}

std::string bytes(const std::filesystem::path& path) {
    return headscope::files::readText(path);
}

/// Without the columns that are of the clock.
std::string logOf(const TrainingConfig& config) {
    return std::regex_replace(bytes(config.state / "log.csv"),
                              std::regex("\n([^,]*,[^,]*,[^,]*,[^,]*),[^,]*,([^,]*),[^,]*,"), "\n$1,$2,");
}

} // namespace

class TrainingRunTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private Q_SLOTS:
    void aTrainingThatWasStoppedGoesOnBitForBit() {
        const auto whole = copying(folder_, "whole");
        run(whole);
        const auto parts = copying(folder_, "parts");
        for (const std::int64_t at : {50, 80, 100}) {
            std::stop_source source;
            QVERIFY_EXCEPTION_THROWN(run(parts, 2, source.get_token(),
                                         [&](const TrainingProgress& progress) {
                                             if (progress.step >= at)
                                                 source.request_stop();
                                         }),
                                     Cancelled);
        }
        const auto summary = run(parts);
        QCOMPARE(summary.step, std::int64_t{120});
        QVERIFY(bytes(parts.state / "state.safetensors") == bytes(whole.state / "state.safetensors"));
        QVERIFY(bytes(parts.model / "model.safetensors") == bytes(whole.model / "model.safetensors"));
        QCOMPARE(logOf(parts), logOf(whole));
    }

    void whatIsWrittenIsTheMeanOfTheLastCheckpoints() {
        const auto config = copying(folder_, "mean");
        run(config);
        std::int64_t size = 0;
        for (const auto& tensor :
             headscope::files::readSafetensors(config.model / "model.safetensors").tensors)
            size += at::empty(tensor.shape, at::kMeta).numel();
        auto mean = at::zeros({size}, at::kDouble);
        for (const int step : {80, 100, 120})
            mean +=
                readParameters(config.state / ("checkpoint-" + std::to_string(step) + ".safetensors"), size) /
                3.0;
        const auto file = headscope::files::readSafetensors(config.model / "model.safetensors");
        double sum = 0;
        for (const auto& tensor : file.tensors) {
            const auto* values = reinterpret_cast<const float*>(tensor.bytes->data() + tensor.offset);
            for (std::int64_t i = 0; i < at::empty(tensor.shape, at::kMeta).numel(); ++i)
                sum += values[i];
        }
        QVERIFY(std::abs(sum - mean.sum().item<double>()) < 1e-3);
        QVERIFY(!std::filesystem::exists(config.state / "checkpoint-20.safetensors"));
    }

    void aLossThatIsNoNumberEndsWithTheLastGoodState() {
        auto config = copying(folder_, "astray");
        config.schedule = {.kind = ScheduleKind::Constant, .rate = 1e20, .warmUp = 1};
        config.optimizer.clip = 0;
        config.saveSeconds = 0;
        config.averaging.checkpoints = 0;
        config.patience = 0;
        try {
            run(config);
            QFAIL("trained");
        } catch (const Refusal& refusal) {
            QVERIFY2(refusal.text().what.find("astray") != std::string::npos, refusal.what());
            QVERIFY2(refusal.text().found.find("hold step") != std::string::npos, refusal.what());
        }
        QVERIFY(std::filesystem::exists(config.model / "model.safetensors"));
    }

    void aFullDiskLeavesTheLastStateWhole() {
        auto config = copying(folder_, "full");
        config.saveSeconds = 0;
        config.averaging.checkpoints = 0;
        config.patience = 0;
        const auto path = config.state / "state.safetensors";
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_IGN);
        std::string kept;
        std::string what;
        try {
            run(config, 1, {}, [&](const TrainingProgress& progress) {
                if (progress.step < 50)
                    return;
                kept = bytes(path);
                const rlimit small{.rlim_cur = 10'000, .rlim_max = before.rlim_max};
                setrlimit(RLIMIT_FSIZE, &small); // as a full disk: no file grows above this
            });
        } catch (const Refusal& refusal) {
            what = refusal.what();
        }
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY2(what.find("cannot be saved") != std::string::npos, what.c_str());
        QVERIFY(!kept.empty() && bytes(path) == kept);
        QCOMPARE(run(config).step, std::int64_t{120});
    }

    void aStateOfAnotherNetworkIsRefused() {
        auto config = copying(folder_, "whole");
        config.network["model_width"] = "24";
        QVERIFY_EXCEPTION_THROWN(run(config), Refusal);
    }

    void snapshotsAreWrittenAtTheirSteps() {
        auto config = copying(folder_, "snapped");
        config.snapshots = {.folder = config.model.string() + ".snapshots", .steps = {1, 10}, .every = 60};
        run(config);
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(*config.snapshots.folder))
            names.insert(entry.path().filename());
        QCOMPARE(names, (std::set<std::string>{"step-1", "step-10", "step-60", "step-120"}));
    }

    void trainingStopsEarlyWhereNothingGetsBetter() {
        auto config = copying(folder_, "early");
        config.schedule = {.kind = ScheduleKind::Constant, .rate = 0, .warmUp = 1};
        config.averaging.checkpoints = 0;
        config.patience = 2;
        config.validateEvery = 20;
        const auto summary = run(config);
        QVERIFY(summary.stoppedEarly);
        QCOMPARE(summary.step, std::int64_t{60}); // the first validation is the best, then two are not better
    }

    void aClassifierLearnsWhichWordIsInATextsMiddle() {
        std::string text;
        for (int i = 0; i < 600; ++i)
            text += std::string(i % 2 ? "good" : "bad") + "\tfilm " + std::to_string(i % 7) +
                    (i % 2 ? " wonderful " : " awful ") + std::to_string(i % 11) + "\n";
        auto config = copying(folder_, "classes");
        config.corpus.task = Task::Classify;
        config.corpus.train = folder_.filePath("labelled.tsv").toStdString();
        config.corpus.valid = config.corpus.train;
        headscope::files::saveAtomically(config.corpus.train, text);
        config.family = "imdb-classifier";
        config.averaging.checkpoints = 0;
        config.labelSmoothing = 0;
        const auto summary = run(config, 1, {}, {}, "imdb-classifier");
        QVERIFY(summary.validation);
        QVERIFY2(summary.validation->accuracy > 0.95,
                 qPrintable(QString::number(summary.validation->accuracy)));
    }

    void aNetworkThatDoesNotFitIsRefused() {
        auto config = copying(folder_, "misfit");
        config.network["maximum_positions"] = "20";
        config.network["source_vocabulary_size"] = "7";
        try {
            run(config);
            QFAIL("trained");
        } catch (const Refusal& refusal) {
            QVERIFY2(refusal.text().expected.find("maximum_positions") != std::string::npos, refusal.what());
            QVERIFY2(refusal.text().expected.find("source_vocabulary_size") != std::string::npos,
                     refusal.what());
        }
    }
};

QTEST_APPLESS_MAIN(TrainingRunTest)
#include "training_run_test.moc"
