#include <QTest>

#include "model/analysis/maps/mask_effect.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using trace::AttentionKind;

namespace {

constexpr trace::HeadAddress head{{AttentionKind::DecoderSelf, 0}, 1};

/// Two heads of two queries over two keys; the first query may attend to the first key only.
trace::Run runFilledWith(const std::string& fill) {
    trace::Run run;
    auto model = std::make_shared<trace::ModelSummary>();
    model->architecture = {{"mask_fill", fill}};
    run.model = model;
    run.decoder = {{.site = head.site,
                    .mask = {2, 2, std::vector<std::uint8_t>{1, 0, 1, 1}},
                    .scores = {2, 2, 2, {9, 9, 9, 9, 0.5f, 4, 1, 2}},
                    .weights = {2, 2, 2, {1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f}}}};
    return run;
}

} // namespace

class MaskEffectTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void closedCellsHoldTheFillAndOpenOnesTheirScore() {
        const auto effect = analysis::maskEffect(runFilledWith("-1e9"), head);
        QCOMPARE(effect.before.values(), (std::vector<float>{0.5f, 4, 1, 2}));
        QCOMPARE(effect.after.values(), (std::vector<float>{0.5f, -1e9f, 1, 2}));
        QCOMPARE(effect.weights.values(), (std::vector<float>{1, 0, 0.25f, 0.75f}));
        QCOMPARE(effect.allowedKeys(0), std::size_t(1));
        QCOMPARE(effect.openSum(1), 1.0);
    }

    void theFillIsTheModelsOwn() {
        QCOMPARE(analysis::maskFill(*runFilledWith("-1e9").model), std::optional(-1e9f));
        QCOMPARE(analysis::maskFill(*runFilledWith("lowest").model),
                 std::optional(std::numeric_limits<float>::lowest()));
        QCOMPARE(analysis::maskFill(*runFilledWith("-inf").model),
                 std::optional(-std::numeric_limits<float>::infinity()));
        QVERIFY(!analysis::maskFill(*runFilledWith("other").model));
        QVERIFY(std::isnan(analysis::maskEffect(runFilledWith("other"), head).after(0, 1)));
    }

    void aCellBlockedByHandIsClosedInItsHead() {
        auto made = runFilledWith("-inf");
        made.request.interventions = {
            trace::Intervention{trace::BlockCell{.head = head, .query = 1, .key = 0}}};
        QCOMPARE(analysis::maskEffect(made, head).open.values(), (std::vector<std::uint8_t>{1, 0, 0, 1}));
        QCOMPARE(analysis::maskEffect(made, {head.site, 0}).open.values(),
                 (std::vector<std::uint8_t>{1, 0, 1, 1}));
    }

    void aRowWithoutAnAllowedKeyIsToldApart() {
        auto made = runFilledWith("-1e9");
        made.decoder[0].mask(0, 0) = 0;
        const auto effect = analysis::maskEffect(made, head);
        QVERIFY(effect.isRowClosed(0) && !effect.isRowClosed(1));
    }

    void aHeadThatIsNotThereHasNone() {
        QVERIFY(analysis::maskEffect(runFilledWith("-inf"), {head.site, 2}).empty());
        QVERIFY(analysis::maskEffect(runFilledWith("-inf"), {{AttentionKind::Cross, 0}, 0}).empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, MaskEffectTest)
#include "mask_effect_test.moc"
