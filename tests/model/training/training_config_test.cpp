#include "model/trace/refusal.h"
#include "model/training/training_config.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <QTest>

#include <cmath>
#include <optional>

using namespace headscope::training;
using headscope::trace::Refusal;
namespace tests = headscope::tests;

namespace {

const char* const least = R"({"corpus": {"train": "a.tsv"}, "network": {"heads": 2}, "model": "out"})";

std::string findings(const char* json) {
    try {
        parseTrainingConfig(json, "/x/config.json");
    } catch (const Refusal& refusal) {
        return refusal.text().found;
    }
    return {};
}

} // namespace

class TrainingConfigTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void pathsStartAtTheConfigurationsFolder() {
        const auto config = parseTrainingConfig(least, "/x/config.json");
        QCOMPARE(config.corpus.train.string(), std::string("/x/a.tsv"));
        QCOMPARE(config.model.string(), std::string("/x/out"));
        QCOMPARE(config.state.string(), std::string("/x/out.training"));
    }

    void aWordChoosesOfAList() {
        const auto parsed = [](const std::string& more) {
            auto json = std::string(least);
            json.pop_back();
            return parseTrainingConfig(json + more + "}", "/x/config.json");
        };
        QVERIFY(parsed("").schedule.kind == ScheduleKind::InverseSquareRoot);
        const auto products = [&](const char* name) {
            return parsed(std::string(R"(, "training": {"products": ")") + name + "\"}").roundedProducts;
        };
        QCOMPARE(products("auto"), false);
        QCOMPARE(products("float32"), false);
        QCOMPARE(products("bfloat16"), true);
        const auto kind = [&](const char* name) {
            return parsed(std::string(R"(, "schedule": {"kind": ")") + name + "\"}").schedule.kind;
        };
        QVERIFY(kind("constant") == ScheduleKind::Constant);
        QVERIFY(kind("linear") == ScheduleKind::Linear);
        QVERIFY(kind("noam") == ScheduleKind::Noam);
    }

    void everythingThatIsWrongIsNamedAtOnce() {
        const auto found = findings(R"({"corpus": {"longest": 0, "lines": 4}, "network": {"heds": 2},
            "training": {"dropout": 2, "steps": 1.5, "causal_mask": "no"}, "schedule": {"kind": "step"},
            "optimizer": {"beta2": 1}, "vocabulary": {"kind": "chars"}, "sampels": []})");
        for (const char* key : {"corpus.longest", "corpus.lines", "corpus.train", "network.heds",
                                "training.dropout", "training.steps", "training.causal_mask", "schedule.kind",
                                "optimizer.beta2", "vocabulary.kind", "sampels", "model"})
            QVERIFY2(found.find(key) != std::string::npos, key);
    }

    void aToyTaskNeedsNoFile() {
        QCOMPARE(findings(R"({"corpus": {"task": "reverse"}, "network": {"heads": 1}, "model": "o"})"),
                 std::string());
        QVERIFY(
            !findings(R"({"corpus": {"task": "copy", "train": "x"}, "network": {"heads": 1}, "model": "o"})")
                 .empty());
    }

    void patienceNeedsSomethingToMeasureOn() {
        QVERIFY(findings(R"({"corpus": {"train": "a"}, "network": {"heads": 1}, "model": "o",
                             "training": {"patience": 3}})")
                    .find("training.patience") != std::string::npos);
    }

    void whatIsMeasuredNeedsSomethingToMeasureOn() {
        QVERIFY(findings(R"({"corpus": {"train": "a"}, "network": {"heads": 1}, "model": "o",
                             "training": {"bleu_sentences": 3}})")
                    .find("training.bleu_sentences") != std::string::npos);
        QCOMPARE(findings(R"({"corpus": {"train": "a", "valid_every": 20}, "network": {"heads": 1},
                              "model": "o", "training": {"bleu_sentences": 3}})"),
                 std::string());
        QVERIFY(findings(R"({"corpus": {"train": "a", "task": "classify", "valid_every": 20},
                             "network": {"heads": 1}, "model": "o", "training": {"bleu_sentences": 3}})")
                    .find("training.bleu_sentences") != std::string::npos);
        QVERIFY(findings(R"({"corpus": {"train": "a", "valid": "b", "valid_every": 20},
                             "network": {"heads": 1}, "model": "o"})")
                    .find("corpus.valid_every") != std::string::npos);
    }

    void whatTheTrainingDecidesIsNoSettingOfItsNetwork() {
        for (const std::string key : {"source_prefix", "start_id", "tokenizer"}) {
            const auto found = findings(
                (R"({"corpus": {"train": "a"}, "model": "o", "network": {"heads": 1, ")" + key + R"(": 5}})")
                    .c_str());
            QVERIFY2(found.find("network." + key) != std::string::npos, found.c_str());
        }
    }

    void snapshotsHaveToSayWhen() {
        const std::string start = R"({"corpus": {"train": "a"}, "network": {"heads": 1}, "model": "o",
                                      "snapshots": {"folder": "s")";
        QVERIFY(findings((start + "}}").c_str()).find("snapshots.steps") != std::string::npos);
        QCOMPARE(findings((start + R"(, "steps": [0]}})").c_str()), std::string());
    }

    void schedulesFollowTheirFormulas() {
        const Schedule noam{.kind = ScheduleKind::Noam, .rate = 1, .warmUp = 4000, .modelWidth = 512};
        const auto agrees = [](double found, double expected, double size) { // 5 roundings on either side
            return tests::compare("rate", found, expected, tests::ofRoundings(2 * 5, size, tests::float64));
        };
        const double first = 1 / std::sqrt(512.0) * std::pow(4000.0, -1.5);
        VERIFY_AGREES(agrees(noam.at(1), first, first));
        VERIFY_AGREES(agrees(noam.at(4000), 4000 * first, 4000 * first));
        const Schedule linear{
            .kind = ScheduleKind::Linear, .rate = 0.1, .finalRate = 0.02, .warmUp = 10, .steps = 110};
        QCOMPARE(linear.at(5), 0.05);
        QCOMPARE(linear.at(10), 0.1);
        VERIFY_AGREES(agrees(linear.at(60), 0.06, 0.1));
        QCOMPARE(linear.at(110), 0.02);
        const Schedule root{.kind = ScheduleKind::InverseSquareRoot, .rate = 0.1, .warmUp = 100};
        QCOMPARE(root.at(100), 0.1);
        QCOMPARE(root.at(400), 0.05);
    }
};

HEADSCOPE_TEST(TrainingConfigTest)
#include "training_config_test.moc"
