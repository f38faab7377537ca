#include <QTest>

#include "model/analysis/self_check.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using trace::CheckState;

namespace {

/// Two queries over two keys; the first may only attend to the first key.
trace::Run causalRun() {
    trace::AttentionRecord record{.site = {trace::AttentionKind::DecoderSelf, 0},
                                  .mask = {2, 2, std::vector<std::uint8_t>{1, 0, 1, 1}},
                                  .scores = {1, 2, 2, {5, 9, 0, std::log(3.0f)}},
                                  .weights = {1, 2, 2, {1, 0, 0.25f, 0.75f}}};
    trace::Run run;
    run.decoder.push_back(std::move(record));
    run.complete = true;
    return run;
}

} // namespace

class SelfCheckTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void soundMapsAreOk() {
        const auto check = analysis::selfCheck(causalRun(), 2e-7);
        QVERIFY(check.state() == CheckState::Ok);
        QCOMPARE(check.rowsSumToOne.largest, 0.0);
        QCOMPARE(check.maskedCellsAreZero.largest, 0.0);
        QCOMPARE(check.cachedEqualsFullPass.largest, 2e-7);
        QVERIFY(check.rowsSumToOne.limit > 0);
    }

    void aCorruptedWeightFails() {
        auto broken = causalRun();
        broken.decoder[0].weights.at(0, 1, 1) += 1e-3f;
        const auto check = analysis::selfCheck(broken, 0);
        QVERIFY(check.rowsSumToOne.state == CheckState::Failed);
        VERIFY_AGREES(
            tests::compare("largest", check.rowsSumToOne.largest, 1e-3, tests::ofRoundings(2, 0.751)));
        QVERIFY(check.maskedCellsAreZero.state == CheckState::Ok);
        QVERIFY(check.state() == CheckState::Failed);
    }

    void theWorstRowOfAnySiteCounts() {
        auto broken = causalRun();
        broken.encoder.push_back(broken.decoder[0]);
        broken.cross.push_back(broken.decoder[0]);
        broken.cross[0].weights.at(0, 0, 0) = 0.5f;
        QCOMPARE(analysis::selfCheck(broken, 0).rowsSumToOne.largest, 0.5);
    }

    void aNaNFails() {
        auto broken = causalRun();
        broken.decoder[0].weights.at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
        const auto check = analysis::selfCheck(broken, 0);
        QVERIFY(check.rowsSumToOne.state == CheckState::Failed);
        QVERIFY(std::isnan(check.rowsSumToOne.largest));
        auto masked = causalRun();
        masked.decoder[0].weights.at(0, 0, 1) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(analysis::selfCheck(masked, 0).maskedCellsAreZero.state == CheckState::Failed);
    }

    void aNaNIsNotForgottenWhenSoundRowsFollow() {
        auto broken = causalRun();
        broken.encoder.push_back(broken.decoder[0]);
        broken.encoder[0].weights.at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(analysis::selfCheck(broken, 0).rowsSumToOne.state == CheckState::Failed);
    }

    void aMaskedCellThatIsNotZeroFails() {
        auto broken = causalRun();
        broken.decoder[0].weights.at(0, 0, 1) = 1e-8f;
        const auto check = analysis::selfCheck(broken, 0);
        QVERIFY(check.maskedCellsAreZero.state == CheckState::Failed);
        QVERIFY(check.rowsSumToOne.state == CheckState::Ok);
    }

    void aRowWithoutAnAllowedKeyIsLeftOut() {
        auto padded = causalRun();
        padded.decoder[0].mask(0, 0) = 0;
        padded.decoder[0].weights.at(0, 0, 0) = 0.5f;
        padded.decoder[0].weights.at(0, 0, 1) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(analysis::selfCheck(padded, 0).state() == CheckState::Ok);
    }

    void aNegativeWeightFailsThoughItsRowSumsToOne() {
        auto broken = causalRun();
        broken.decoder[0].weights.at(0, 1, 0) = -0.25f;
        broken.decoder[0].weights.at(0, 1, 1) = 1.25f;
        const auto check = analysis::selfCheck(broken, 0);
        QVERIFY(check.rowsSumToOne.state == CheckState::Failed);
        QCOMPARE(check.rowsSumToOne.largest, 0.25);
    }

    void weightsThatAreNotTheSoftmaxOfTheirScoresFail() {
        auto broken = causalRun();
        broken.decoder[0].scores.at(0, 1, 1) += 0.1f;
        const auto check = analysis::selfCheck(broken, 0);
        QVERIFY(check.rowsSumToOne.state == CheckState::Ok);
        QVERIFY(check.weightsAreSoftmax.state == CheckState::Failed);
        const double expected = 3 * std::exp(0.1) / (1 + 3 * std::exp(0.1)) - 0.75;
        // The scores are rounded twice, the softmax is in float64.
        VERIFY_AGREES(tests::compare("largest", check.weightsAreSoftmax.largest, expected,
                                     tests::ofRoundings(2, std::log(3) + 0.1)));
        broken.decoder[0].scores = {};
        QVERIFY(analysis::selfCheck(broken, 0).weightsAreSoftmax.state == CheckState::NotApplicable);
    }

    void rowsThatAPersonForcedAreNotHeldAgainstTheirScores() {
        const trace::HeadAddress head{{trace::AttentionKind::DecoderSelf, 0}, 0};
        auto changed = causalRun();
        changed.decoder[0].weights.at(0, 1, 0) = changed.decoder[0].weights.at(0, 1, 1) = 0.5f;
        QVERIFY(analysis::selfCheck(changed, 0).weightsAreSoftmax.state == CheckState::Failed);
        changed.request.interventions = {{trace::ForceRow{head, 1, trace::RowPattern::Uniform}}};
        QVERIFY(analysis::selfCheck(changed, 0).weightsAreSoftmax.state == CheckState::Ok);
        // A blocked cell counts as masked.
        changed.decoder[0].weights.at(0, 1, 0) = 0;
        changed.decoder[0].weights.at(0, 1, 1) = 1;
        changed.request.interventions = {{trace::BlockCell{head, 1, 0}}};
        QVERIFY(analysis::selfCheck(changed, 0).weightsAreSoftmax.state == CheckState::Ok);
        changed.request.interventions = {};
        QVERIFY(analysis::selfCheck(changed, 0).weightsAreSoftmax.state == CheckState::Failed);
    }

    void logProbabilitiesAreThoseOfADistribution() {
        const auto checked = [](std::vector<float> all, std::vector<float> candidates) {
            auto run = causalRun();
            auto row = std::make_shared<trace::DecodeRow>();
            row->logProbabilities = std::move(all);
            for (const float value : candidates)
                row->candidates.push_back({.logProbability = value});
            run.tree.add({});
            run.tree.setRow(0, row);
            run.path = {0};
            return analysis::selfCheck(run, 0).logProbabilities;
        };
        const float half = std::log(0.5f);
        QVERIFY(checked({half, half}, {half, half}).state == CheckState::Ok);
        QVERIFY(checked({}, {}).state == CheckState::NotApplicable);
        QVERIFY(checked({half, half, half}, {}).state == CheckState::Failed);
        const auto limit = tests::ofRoundings(1, 1.5 * std::log(2)); // of the logarithms
        VERIFY_AGREES(tests::compare("largest", checked({half, half, half}, {}).largest, 0.5, limit));
        QVERIFY(checked({}, {0.25f}).state == CheckState::Failed);
        QCOMPARE(checked({}, {0.25f}).largest, 0.25);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(std::isnan(checked({}, {nan}).largest));
        QVERIFY(std::isnan(checked({half, nan}, {}).largest));
        auto classifier = causalRun();
        classifier.classLogProbabilities = {half, 0};
        VERIFY_AGREES(tests::compare("largest", analysis::selfCheck(classifier, 0).logProbabilities.largest,
                                     0.5, limit));
    }

    void theLimitFitsTheTypeThatNumbersWereStoredIn() {
        const double half = 0x1p-11; // float16
        auto stored = causalRun();
        stored.decoder[0].weights.at(0, 1, 1) += 2e-4f;
        QVERIFY(analysis::selfCheck(stored, 0).rowsSumToOne.state == CheckState::Failed);
        QVERIFY(analysis::selfCheck(stored, 0, {.roundoff = half}).rowsSumToOne.state == CheckState::Ok);
        QVERIFY(analysis::selfCheck(stored, 0, {.roundoff = half}).weightsAreSoftmax.state == CheckState::Ok);
        stored.decoder[0].weights.at(0, 1, 1) += 0.3f;
        QVERIFY(analysis::selfCheck(stored, 0, {.roundoff = half}).rowsSumToOne.state == CheckState::Failed);
        QVERIFY(analysis::selfCheck(stored, 0, {.roundoff = 0x1p-8}).weightsAreSoftmax.state ==
                CheckState::Failed);
    }

    void whatAFileSaysIsCheckedAgainAsFarAsItIsRead() {
        const auto recorded = analysis::selfCheck(causalRun(), 0);
        const auto again = analysis::checkedAnew(recorded, causalRun(), analysis::NumberOrigin{});
        QVERIFY(again.rowsSumToOne.state == CheckState::Ok);
        QVERIFY(again.cachedEqualsFullPass.state == CheckState::Recorded);
        QVERIFY(again.state() == CheckState::Ok);
        auto changed = causalRun();
        changed.decoder[0].weights.at(0, 1, 1) = 1.05f;
        QVERIFY(analysis::checkedAnew(recorded, changed, analysis::NumberOrigin{}).state() ==
                CheckState::Failed);
        // Too large to be read as a whole.
        const auto believed = analysis::checkedAnew(recorded, changed, std::nullopt);
        QVERIFY(believed.rowsSumToOne.state == CheckState::Recorded);
        QVERIFY(believed.state() == CheckState::Recorded);
        // A failure remains a failure.
        const auto failed = analysis::selfCheck(changed, 0);
        QVERIFY(analysis::checkedAnew(failed, causalRun(), analysis::NumberOrigin{}).state() ==
                CheckState::Failed);
        QVERIFY(analysis::checkedAnew(failed, changed, std::nullopt).state() == CheckState::Failed);
    }

    void whatWasNotMeasuredIsNotChecked() {
        const auto check = analysis::selfCheck(causalRun(), std::nullopt);
        QVERIFY(check.cachedEqualsFullPass.state == CheckState::NotChecked);
        QVERIFY(check.rowsSumToOne.state == CheckState::Ok);
        QVERIFY(check.state() == CheckState::NotChecked);
        QVERIFY(analysis::selfCheck({}, std::nullopt).rowsSumToOne.state == CheckState::NotChecked);
    }

    void theLimitOfTheFullPassGrowsWithTheScores() {
        auto run = causalRun();
        const double usual = analysis::selfCheck(run, 0.0).cachedEqualsFullPass.limit;
        run.decoder.front().scores.at(0, 1, 0) = -1000;
        const auto sharp = analysis::selfCheck(run, 1e-3).cachedEqualsFullPass;
        QVERIFY(sharp.limit > 100 * usual && sharp.limit < 200 * usual);
        QVERIFY(sharp.state == CheckState::Ok);
    }

    void tooLargeADifferenceFromTheFullPassFails() {
        QVERIFY(analysis::selfCheck(causalRun(), 1e-3).cachedEqualsFullPass.state == CheckState::Failed);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(analysis::selfCheck(causalRun(), nan).cachedEqualsFullPass.state == CheckState::Failed);
    }
};

HEADSCOPE_TEST(SelfCheckTest)
#include "self_check_test.moc"
