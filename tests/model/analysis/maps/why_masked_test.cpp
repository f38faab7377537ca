#include <QTest>

#include "model/analysis/maps/why_masked.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

using namespace headscope;
using analysis::whyClosed;
using analysis::WhyMasked;
using hand_made::crossHead;
using trace::AttentionKind;
using trace::TokenRole;

namespace {

constexpr trace::HeadAddress decoderHead{{AttentionKind::DecoderSelf, 0}, 0};
constexpr trace::HeadAddress encoderHead{{AttentionKind::EncoderSelf, 0}, 0};

trace::MaskMatrix mask(std::vector<std::uint8_t> open) {
    return {3, 3, std::move(open)};
}

/// Three tokens on each side; the last is padding.
trace::Run paddedRun() {
    trace::Run run;
    auto model = std::make_shared<trace::ModelSummary>();
    run.model = model;
    run.source = {{.id = 1}, {.id = 2}, {.id = 0, .role = TokenRole::Padding}};
    run.target = run.source;
    run.next = run.source;
    run.encoder = {{.site = encoderHead.site, .mask = mask({1, 1, 0, 1, 1, 0, 1, 1, 0})}};
    run.decoder = {{.site = decoderHead.site, .mask = mask({1, 0, 0, 1, 1, 0, 1, 1, 0})}};
    run.cross = {{.site = crossHead.site, .mask = mask({1, 1, 0, 1, 1, 0, 1, 1, 0})}};
    return run;
}

trace::Run withFlag(std::string flag, std::string value) {
    auto made = paddedRun();
    auto model = std::make_shared<trace::ModelSummary>();
    model->architecture = {{std::move(flag), std::move(value)}};
    made.model = model;
    return made;
}

} // namespace

class WhyMaskedTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void futurePaddingAndBothAreToldApart() {
        const auto made = paddedRun();
        QCOMPARE(whyClosed(made, decoderHead, 0, 1), std::optional(WhyMasked::LaterToken));
        QCOMPARE(whyClosed(made, decoderHead, 0, 2), std::optional(WhyMasked::LaterPadding));
        QCOMPARE(whyClosed(made, decoderHead, 2, 2), std::optional(WhyMasked::PaddingKey));
        QCOMPARE(whyClosed(made, encoderHead, 0, 2), std::optional(WhyMasked::PaddingKey));
        QCOMPARE(whyClosed(made, crossHead, 1, 2), std::optional(WhyMasked::PaddingKey));
        QVERIFY(!whyClosed(made, decoderHead, 1, 0));
        QVERIFY(!whyClosed(made, decoderHead, 3, 0)); // no such cell
    }

    void aModelThatMasksNoTargetPaddingClosesItOnlyAsLater() {
        auto made = withFlag("target_padding_masked", "no");
        QCOMPARE(whyClosed(made, decoderHead, 0, 2), std::optional(WhyMasked::LaterToken));
    }

    void anEncoderThatMasksQueriesClosesTheirRows() {
        auto made = withFlag("encoder_mask", "query-rows");
        made.encoder[0].mask = mask({1, 1, 1, 1, 1, 1, 0, 0, 0});
        QVERIFY(!whyClosed(made, encoderHead, 0, 2));
        QCOMPARE(whyClosed(made, encoderHead, 2, 0), std::optional(WhyMasked::PaddingQuery));
        QCOMPARE(whyClosed(made, encoderHead, 2, 2), std::optional(WhyMasked::PaddingQuery));
    }

    void whatNeitherMaskClosesIsSaidToBeTheModelsOwn() {
        auto made = paddedRun();
        made.encoder[0].mask(0, 1) = 0;
        QCOMPARE(whyClosed(made, encoderHead, 0, 1), std::optional(WhyMasked::Otherwise));
    }

    void aBlockedCellIsClosedByHandInItsHeadAlone() {
        auto made = paddedRun();
        made.request.interventions = {
            trace::Intervention{trace::BlockCell{.head = decoderHead, .query = 1, .key = 0}}};
        QCOMPARE(whyClosed(made, decoderHead, 1, 0), std::optional(WhyMasked::BlockedByHand));
        QVERIFY(!whyClosed(made, {decoderHead.site, 1}, 1, 0));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, WhyMaskedTest)
#include "why_masked_test.moc"
