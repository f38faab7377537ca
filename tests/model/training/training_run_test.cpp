#include "tests/compared_numbers.h"
#include "tests/model/training/small_training.h"
#include "tests/registered_test.h"

#include "model/files/safetensors.h"

#include <QTest>

#include <ATen/ATen.h>

#include <cmath>
#include <csignal>
#include <numeric>
#include <set>

#include <sys/resource.h>

using namespace small_training;
namespace tests = headscope::tests;

namespace {

/// Sum and number of all elements in a file of tensors.
std::pair<double, std::int64_t> sumOf(const std::filesystem::path& path) {
    const auto file = headscope::files::readSafetensors(path, {}, headscope::files::FileRole::Output);
    double sum = 0;
    std::int64_t count = 0;
    for (const auto& tensor : file.tensors) {
        const auto* values = reinterpret_cast<const float*>(tensor.bytes->data() + tensor.offset);
        const auto n = at::empty(tensor.shape, at::kMeta).numel();
        sum = std::accumulate(values, values + n, sum);
        count += n;
    }
    return {sum, count};
}

/// Both sums are of the same numbers in float64.
tests::Comparison compareWithMean(double sum, const at::Tensor& mean) {
    const double sizes = mean.abs().sum(at::kDouble).item<double>();
    return tests::compare("sum of all parameters", sum, mean.sum(at::kDouble).item<double>(),
                          2.0 * tests::ofSum(static_cast<std::size_t>(mean.numel()), sizes, tests::float64));
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

    void aTrainingThatHasReachedItsEndSaysWhy() {
        auto config = copying(folder_, "ended");
        config.steps = 5;
        run(config);
        std::string said;
        const auto note = [&](const TrainingProgress& progress) { said += progress.message + "\n"; };
        run(config, 1, {}, note);
        QVERIFY2(said.find("going on from step 5\n") != std::string::npos, said.c_str());
        QVERIFY2(said.find("make training.steps larger than 5\n") != std::string::npos, said.c_str());
        config.steps = 6;
        said.clear();
        run(config, 1, {}, note);
        QVERIFY2(said.find("training.steps") == std::string::npos, said.c_str());
    }

    void whatIsMeasuredOnTheWayLeavesTheTrainingAsItIs() {
        const auto plain = copying(folder_, "plain");
        run(plain);
        auto measured = copying(folder_, "measured");
        measured.bleuSentences = 10;
        measured.validateEvery = plain.validateEvery; // validations determine what is kept
        std::stop_source source;
        QVERIFY_EXCEPTION_THROWN(run(measured, 2, source.get_token(),
                                     [&](const TrainingProgress& progress) {
                                         if (progress.validation)
                                             source.request_stop();
                                     }),
                                 Cancelled);
        run(measured);
        QVERIFY(bytes(measured.state / "state.safetensors") == bytes(plain.state / "state.safetensors"));
        QVERIFY(bytes(measured.model / "model.safetensors") == bytes(plain.model / "model.safetensors"));
    }

    void whatIsWrittenIsTheMeanOfTheLastCheckpoints() {
        auto config = copying(folder_, "mean");
        config.patience = 0;
        run(config);
        const auto [sum, size] = sumOf(config.model / "model.safetensors");
        const auto mean = Checkpoints(config.state).mean({80, 100, 120}, size);
        VERIFY_AGREES(compareWithMean(sum, mean));
        QVERIFY(!std::filesystem::exists(config.state / "checkpoint-20.safetensors"));
    }

    void aTrainingThatWasKilledBetweenTwoStatesGoesOnBitForBit() {
        auto whole = copying(folder_, "unbroken");
        whole.averaging.every = 10;
        whole.validateEvery = 20;
        for (const int patience : {0, 100}) {
            whole.patience = patience;
            whole.model = folder_.filePath("unbroken" + QString::number(patience)).toStdString();
            whole.state = whole.model.string() + ".training";
            run(whole);
            auto killed = whole;
            killed.model = folder_.filePath("broken" + QString::number(patience)).toStdString();
            killed.state = killed.model.string() + ".training";
            std::stop_source source;
            const auto stopAt50 = [&](const TrainingProgress& progress) {
                if (progress.step >= 50)
                    source.request_stop();
            };
            QVERIFY_EXCEPTION_THROWN(run(killed, 1, source.get_token(), stopAt50), Cancelled);
            struct Killed {};
            const auto killAt110 = [&](const TrainingProgress& progress) {
                if (progress.step >= 110)
                    throw Killed();
            };
            QVERIFY_EXCEPTION_THROWN(run(killed, 1, {}, killAt110), Killed);
            run(killed);
            QVERIFY(bytes(killed.state / "state.safetensors") == bytes(whole.state / "state.safetensors"));
            QVERIFY(bytes(killed.model / "model.safetensors") == bytes(whole.model / "model.safetensors"));
            QCOMPARE(logOf(killed), logOf(whole));
        }
    }

    void patienceWithAnAverageWritesTheMeanUpToTheBest() {
        auto config = copying(folder_, "mean-of-best");
        config.patience = 2;
        config.validateEvery = config.averaging.every = 10;
        config.schedule = {.kind = ScheduleKind::Constant, .rate = 0.3, .warmUp = 1}; // soon gets worse
        const auto summary = run(config);
        QVERIFY(summary.stoppedEarly);
        const auto [sum, size] = sumOf(config.model / "model.safetensors");
        const auto state = readState(config.state / "state.safetensors", size);
        QVERIFY(state.bestStep < state.step);
        const CheckpointPlan plan{.averaged = 3, .every = 10, .best = true};
        const auto mean = Checkpoints(config.state).mean(plan.chosen(state.step, state.bestStep), size);
        VERIFY_AGREES(compareWithMean(sum, mean));
        QCOMPARE(plan.chosen(60, 40), (std::vector<std::int64_t>{40, 30, 20}));
        QCOMPARE(plan.chosen(12, 7), (std::vector<std::int64_t>{7}));
        QCOMPARE(plan.needed(60, 40), (std::vector<std::int64_t>{40, 30, 20, 60, 50, 40}));
    }

    void aLossThatIsNoNumberEndsWithTheLastGoodState() {
        auto config = copying(folder_, "astray");
        config.schedule = {.kind = ScheduleKind::Constant, .rate = 1e20, .warmUp = 1};
        config.optimizer.clip = 0;
        config.saveSeconds = 0;
        config.averaging.checkpoints = 0;
        config.patience = 0;
        const auto refusal = refusalOf(config);
        QVERIFY2(refusal.what.find("astray") != std::string::npos, refusal.what.c_str());
        QVERIFY2(refusal.found.find("holds step") != std::string::npos, refusal.found.c_str());
        const auto [sum, size] = sumOf(config.model / "model.safetensors");
        QVERIFY(std::isfinite(sum));
        config.steps = readState(config.state / "state.safetensors", size).step;
        const auto kept = run(config).validation;
        QVERIFY(kept && std::isfinite(kept->loss));
    }

    void aModelThatWasWrittenStaysWhereTheLossIsNoNumberAnyMore() {
        auto config = copying(folder_, "astray-later");
        config.saveSeconds = 0;
        config.steps = 40;
        run(config);
        const auto written = bytes(config.model / "model.safetensors");
        config.steps = 120;
        config.schedule = {.kind = ScheduleKind::Constant, .rate = 1e20, .warmUp = 1};
        config.optimizer.clip = 0;
        QVERIFY(refusalOf(config).what.find("astray") != std::string::npos);
        QVERIFY(bytes(config.model / "model.safetensors") == written);
        config.schedule.rate = 1e-3;
        QCOMPARE(run(config).step, std::int64_t{120});
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
                setrlimit(RLIMIT_FSIZE, &small); // simulates a full disk: no file grows above this
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
        config.snapshots = {.folder = config.model.string() + ".snapshots", .steps = {0, 1, 10}, .every = 60};
        run(config);
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(*config.snapshots.folder))
            names.insert(entry.path().filename());
        QCOMPARE(names, (std::set<std::string>{"step-0", "step-1", "step-10", "step-60", "step-120"}));
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
        const auto config = classifying(folder_, "classes");
        const auto summary = run(config, 1, {}, {}, "imdb-classifier");
        QVERIFY(summary.validation);
        QVERIFY2(summary.validation->accuracy > 0.95,
                 qPrintable(QString::number(summary.validation->accuracy)));
        QVERIFY(bytes(config.model / "config.json").find(R"("labels": "bad,good")") != std::string::npos);
    }

    void aNetworkThatDoesNotFitIsRefused() {
        auto tooShort = copying(folder_, "misfit");
        tooShort.network["maximum_positions"] = "20";
        QVERIFY(refusalOf(tooShort).expected.find("maximum_positions") != std::string::npos);
        auto other = copying(folder_, "other-source");
        other.network["source_vocabulary_size"] = "7";
        QVERIFY(refusalOf(other).expected.find("source_vocabulary_size") != std::string::npos);
    }

    void aVocabularyOrClassesThatDifferFromTheCorpusAreRefused() {
        auto config = copying(folder_, "other-target");
        config.network["target_vocabulary_size"] = "7";
        QVERIFY(refusalOf(config).expected.find("target_vocabulary_size") != std::string::npos);
        auto classes = classifying(folder_, "other-classes");
        classes.network["classes"] = "1";
        QVERIFY(refusalOf(classes, "imdb-classifier").expected.find("network.classes") != std::string::npos);
    }
};

HEADSCOPE_TEST(TrainingRunTest)
#include "training_run_test.moc"
