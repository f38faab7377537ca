#include <QTest>

#include "model/analysis/self_check.h"
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
                                  .scores = {1, 2, 2},
                                  .weights = {1, 2, 2, {1, 0, 0.25f, 0.75f}}};
    trace::Run run;
    run.decoder.push_back(std::move(record));
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
        QVERIFY(std::abs(check.rowsSumToOne.largest - 1e-3) < 1e-6);
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

    void aRowWithoutAnOpenKeyIsLeftOut() {
        auto padded = causalRun();
        padded.decoder[0].mask(0, 0) = 0;
        padded.decoder[0].weights.at(0, 0, 0) = 0.5f;
        padded.decoder[0].weights.at(0, 0, 1) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(analysis::selfCheck(padded, 0).state() == CheckState::Ok);
    }

    void whatWasNotMeasuredIsNotChecked() {
        const auto check = analysis::selfCheck(causalRun(), std::nullopt);
        QVERIFY(check.cachedEqualsFullPass.state == CheckState::NotChecked);
        QVERIFY(check.rowsSumToOne.state == CheckState::Ok);
        QVERIFY(check.state() == CheckState::NotChecked);
        QVERIFY(analysis::selfCheck({}, std::nullopt).rowsSumToOne.state == CheckState::NotChecked);
    }

    void tooLargeADifferenceFromTheFullPassFails() {
        QVERIFY(analysis::selfCheck(causalRun(), 1e-3).cachedEqualsFullPass.state == CheckState::Failed);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(analysis::selfCheck(causalRun(), nan).cachedEqualsFullPass.state == CheckState::Failed);
    }
};

HEADSCOPE_TEST(SelfCheckTest)
#include "self_check_test.moc"
