#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace headscope;
using engines::changed;
using engines::forcedOther;
using engines::otherTarget;
using engines::recorded;
using engines::source;
using recordings::readJson;
using trace::AttentionKind;
using trace::CheckState;
using Words = std::vector<std::string>;

namespace {

const std::string whatIf = recordings::folder + "what-if/";

bool hasNoNan(const std::vector<float>& values) {
    return std::ranges::none_of(values, [](float value) { return std::isnan(value); });
}

double sumOf(const trace::HeadStack& weights, int head, std::size_t query) {
    double sum = 0;
    for (std::size_t key = 0; key < weights.columns(); ++key)
        sum += weights(head, query, key);
    return sum;
}

} // namespace

/// Changes in a model, compared with an independent implementation and with the definitions.
class WhatIfTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::Run> run(const trace::Request& request) {
        return engine_->of(request, trace::RunWhat());
    }
    std::shared_ptr<const trace::Run> run(const Words& words) { return run(changed(forcedOther(), words)); }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void everyRecordedChangeAgrees_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("change");
        for (const auto& folder : std::filesystem::directory_iterator(whatIf)) {
            const auto model = folder.path().filename().string();
            const auto changes = readJson(folder.path() / "what-if.json");
            for (const auto& [change, words] : changes.items())
                QTest::addRow("%s/%s", model.c_str(), change.c_str())
                    << QString::fromStdString(model) << QString::fromStdString(change);
        }
    }
    void everyRecordedChangeAgrees() {
        QFETCH(const QString, model);
        QFETCH(const QString, change);
        const auto name = model.toStdString();
        const auto words = readJson(whatIf + name + "/what-if.json").at(change.toStdString());
        const auto reference = recordings::read("what-if/" + name + "/" + change.toStdString() + ".npz");
        const auto run = engines::with(recordings::folder + name)
                             ->of(changed(recordings::requestOf(name, reference), words), trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(reference, *run));
        QCOMPARE(idsOf(run->target), recordings::integers(reference, "target_ids"));
        QCOMPARE(idsOf(run->next), recordings::integers(reference, "next_ids"));
        QVERIFY(run->unreached.empty());
        QVERIFY(run->selfCheck.state() == CheckState::Ok);
    }

    void everyKindOfChangeIsRecorded() {
        const auto all = readJson(whatIf + "annotated-tiny/what-if.json").dump();
        for (const auto& option : tests::some(trace::changeOptions()))
            if (option != "--mean-head" &&
                option != "--resample-head") // these need sentences: see head_replacements
                QVERIFY2(all.find(option) != all.npos, option.c_str());
    }

    void aFactorOfOneChangesNoBit() {
        const auto plain = run(forcedOther());
        QVERIFY(engines::sameBits(*plain, *run(Words{"--scale-head", "cross.0.1=1"})));
        QVERIFY(engines::sameBits(*plain, *run(Words{"--scale-sublayer", "encoder-ff.0=1"})));
        QVERIFY(
            engines::sameBits(*plain, *run(Words{"--softmax-temperature", "1", "--positions", "shift:0"})));
        // The factors are applied, and the result is the same.
        const auto twice = run(Words{"--scale-head", "cross.0.1=2", "--scale-head", "cross.0.1=0.5"});
        QVERIFY(engines::sameBits(*plain, *twice));
        QCOMPARE(recordings::floatsOf(*plain, "log_probabilities"),
                 recordings::floatsOf(*twice, "log_probabilities"));
    }

    void aFactorOfOneChangesNoBitAmongOthers() {
        const Words alone{"--disable-head", "encoder.0.2", "--block", "cross.1.0:2,2"};
        auto request = changed(forcedOther(), alone);
        const auto wanted = run(request);
        const auto ones = engines::changes({"--scale-head", "encoder.0.1=1", "--scale-head", "cross.1.0=1",
                                            "--scale-sublayer", "cross.1=1"});
        request.interventions.insert(request.interventions.begin() + 1, ones.begin(), ones.end());
        const auto found = engines::with(engines::tiny)->of(request, trace::RunWhat());
        QVERIFY(engines::sameBits(*wanted, *found));
        QCOMPARE(recordings::floatsOf(*wanted, "encoder_self/heads"),
                 recordings::floatsOf(*found, "encoder_self/heads"));
    }

    void aChangeThatIsOffChangesNoBit() {
        auto request =
            changed(forcedOther(), {"--disable-head", "cross.0.1", "--no-mask", "--positions", "none"});
        for (auto& intervention : request.interventions)
            intervention.on = false;
        const auto found = engines::with(engines::tiny)->of(request, trace::RunWhat());
        QVERIFY(engines::sameBits(*run(forcedOther()), *found));
        QVERIFY(found->selfCheck.state() == CheckState::Ok);
    }

    void withAllHeadsOffASublayerAddsItsBiasAlone() {
        const auto off = run(Words{"--disable-head", "cross.0.0", "--disable-head", "cross.0.1",
                                   "--disable-head", "cross.0.2"});
        const auto added = [&](std::size_t t, std::size_t i) {
            const auto& residual = off->row(t).residual; // before, after self, after cross, ...
            return residual(2, i) - residual(1, i);
        };
        float largest = 0;
        double stream = 0;
        for (std::size_t t = 0; t < otherTarget.size(); ++t)
            stream = std::max(stream, tests::largestSize(off->row(t).residual.values()));
        for (std::size_t i = 0; i < off->row(0).residual.columns(); ++i) {
            largest = std::max(largest, std::abs(added(0, i)));
            for (std::size_t t = 1; t < otherTarget.size(); ++t) // the same in every row
                VERIFY_AGREES(tests::compare("what the sublayer adds", added(t, i), added(0, i),
                                             2 * tests::ofRoundings(1, stream)));
        }
        QVERIFY(largest > 0.01);
    }

    void aSublayerThatIsOffLeavesTheStreamAsItIs() {
        // The state of the stream before the sublayer: two sublayers per layer, or three.
        const std::pair<const char*, std::size_t> ofEncoder[]{{"encoder.1", 2}, {"encoder-ff.0", 1}};
        for (const auto& [sublayer, before] : ofEncoder) {
            const auto off = run(Words{"--scale-sublayer", std::string(sublayer) + "=0"});
            for (std::size_t row = 0; row < source.size(); ++row)
                QVERIFY(std::ranges::equal(off->encoderResidual.head(before + 1).row(row),
                                           off->encoderResidual.head(before).row(row)));
        }
        const std::pair<const char*, std::size_t> ofDecoder[]{
            {"decoder.1", 3}, {"cross.0", 1}, {"decoder-ff.1", 5}};
        for (const auto& [sublayer, before] : ofDecoder) {
            const auto off = run(Words{"--scale-sublayer", std::string(sublayer) + "=0"});
            for (std::size_t t = 0; t < otherTarget.size(); ++t)
                QVERIFY(std::ranges::equal(off->row(t).residual.row(before + 1),
                                           off->row(t).residual.row(before)));
        }
    }

    void aBlockedCellHasNoWeightAndItsRowSumsToOne() {
        const auto plain = run(forcedOther());
        const auto blocked = run(Words{"--block", "cross.0.1:2,3"});
        const auto& before = plain->cross[0].weights;
        const auto& after = blocked->cross[0].weights;
        QCOMPARE(after(1, 2, 3), 0.0F);
        QVERIFY(before(1, 2, 3) > 0.001F);
        VERIFY_AGREES(
            tests::compare("sum of a row", sumOf(after, 1, 2), 1, tests::ofSum(source.size() + 2, 1)));
        const double rest = 1 - double{before(1, 2, 3)};
        const double largestScore = tests::largestSize(plain->cross[0].scores.head(1).row(2));
        for (std::size_t key = 0; key < source.size(); ++key)
            if (key != 3) // the others grow proportionally
                VERIFY_AGREES(tests::compare("weights of the row", after(1, 2, key), before(1, 2, key) / rest,
                                             2 * tests::ofSoftmax(source.size(), largestScore)));
        QVERIFY(std::ranges::equal(before.head(0).row(2), after.head(0).row(2)));
        QCOMPARE(blocked->cross[0].scores(1, 2, 3), plain->cross[0].scores(1, 2, 3)); // before the mask
    }

    void scoresOfHundredsAreNoFailureOfTheSelfCheck() {
        const auto engine = engines::with(engines::trained);
        const auto run = engine->of(
            changed({.source = std::string("My grandmother told me that she walked to school every day.")},
                    {"--no-scaling", "--softmax-temperature", "0.1"}),
            trace::RunWhat());
        QVERIFY(tests::largestSize(run->encoder.back().scores.values()) > 100);
        QVERIFY(run->selfCheck.state() == CheckState::Ok);
    }

    void aRowWithoutAnAllowedKeyCannotBeForced() {
        const auto engine = engines::with(recordings::folder + "pi-tau-tiny"); // masks the rows of pad tokens
        auto request = recorded(engines::forced({9, 4, 16}, otherTarget));
        request.padding.source = 2;
        const auto plain = engine->of(request, trace::RunWhat());
        const auto found =
            engine->of(changed(request, {"--force-row", "encoder.0.1:4=uniform"}), trace::RunWhat());
        QVERIFY(hasNoNan(recordings::floatsOf(*found, "log_probabilities")));
        QVERIFY(engines::sameBits(*plain, *found));
        QCOMPARE(found->unreached, Words{"--force-row encoder.0.1:4=uniform"});
    }

    void aLiftedMaskLetsARowSeeWhatComesLater() {
        const auto lifted = run(Words{"--no-mask"});
        QVERIFY(lifted->decoder[0].weights(0, 0, 4) > 0);
        QVERIFY(lifted->decoder[0].mask(0, 4));
        QCOMPARE(run(forcedOther())->decoder[0].weights(0, 0, 4), 0.0F);
        QVERIFY(lifted->selfCheck.cachedEqualsFullPass.state == CheckState::NotApplicable);
    }

    void withoutPositionsAPermutedSourceIsThatSource() {
        const std::vector<std::size_t> order{3, 0, 6, 2, 5, 1, 4};
        std::vector<std::int64_t> permuted;
        for (const auto place : order)
            permuted.push_back(source[place]);
        const Words without{"--positions", "none"};
        const auto straight = run(without);
        const auto other = run(changed(recorded(engines::forced(permuted, otherTarget)), without));
        for (std::size_t row = 0; row < order.size(); ++row)
            VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "encoder_output", "encoder output",
                                                  other->encoderOutput.row(row),
                                                  straight->encoderOutput.row(order[row])));
        VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "log_probabilities", "log-probabilities",
                                              recordings::floatsOf(*other, "log_probabilities"),
                                              recordings::floatsOf(*straight, "log_probabilities")));
        QVERIFY(std::ranges::all_of(straight->sourcePositions.values(), [](float x) { return x == 0; }));
    }

    void aShuffleUsesEveryPositionOnce() {
        const auto rowsOf = [](const trace::Run& run) {
            std::vector<std::vector<float>> rows;
            for (std::size_t row = 0; row < run.sourcePositions.rows(); ++row) {
                const auto values = run.sourcePositions.row(row);
                rows.emplace_back(values.begin(), values.end());
            }
            return rows;
        };
        const auto straight = rowsOf(*run(forcedOther()));
        const auto shuffled = rowsOf(*run(Words{"--positions", "shuffle:5"}));
        QVERIFY(shuffled != straight && shuffled != rowsOf(*run(Words{"--positions", "shuffle:6"})));
        QVERIFY(std::ranges::is_permutation(shuffled, straight));
    }
};

HEADSCOPE_TEST(WhatIfTest)
#include "what_if_test.moc"
