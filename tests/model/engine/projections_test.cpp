#include "tests/model/engine/compared_cells.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

using namespace headscope;
using trace::AttentionKind;

/// The recorded q, k and v reproduce the scores and weights of every cell.
class ProjectionsTest : public QObject {
    Q_OBJECT

    static void compareEveryCell(const trace::Request& request) {
        const auto engine = engines::with(engines::tiny);
        const auto shown = engine->of(request, trace::RunWhat());
        auto withProjections = request;
        withProjections.recording.projections = true;
        const auto projected = engine->of(withProjections, trace::RunWhat());
        std::size_t cells = 0;
        for (const auto* records : {&shown->encoder, &shown->decoder, &shown->cross})
            for (const auto& record : *records)
                for (std::size_t h = 0; h < record.weights.heads(); ++h)
                    for (std::size_t q = 0; q < record.weights.rows(); ++q)
                        for (std::size_t k = 0; k < record.weights.columns(); ++k, ++cells)
                            compare(*shown, *projected, {record.site, static_cast<int>(h)}, q, k);
        QVERIFY(cells > 100);
    }

    static void compare(const trace::Run& shown, const trace::Run& projected, const trace::HeadAddress& head,
                        std::size_t query, std::size_t key) {
        const auto cell = analysis::cellArithmetic(shown, projected, head, query, key);
        QVERIFY(cell.has_value());
        VERIFY_AGREES(engines::compareScore(*cell));
        VERIFY_AGREES(engines::compareWeight(*cell, projected));
    }

  private Q_SLOTS:
    void everyCellIsWhatItsProjectionsGive() { compareEveryCell(engines::greedy({9, 4, 16, 7, 12, 5, 3})); }

    void alsoWithPadding() {
        auto request = engines::forced({9, 4, 16, 7, 3}, {2, 14, 6, 11, 8});
        request.padding = {.source = 2, .target = 1};
        compareEveryCell(request);
    }

    void alsoWhereTheModelIsChanged() {
        const trace::HeadAddress cross{{AttentionKind::Cross, 0}, 1};
        const trace::HeadAddress decoder{{AttentionKind::DecoderSelf, 1}, 0};
        auto request = engines::forced({9, 4, 16, 7, 3}, {2, 14, 6, 11, 8});
        request.interventions = {{trace::BlockCell{.head = cross, .query = 2, .key = 1}},
                                 {trace::ForceRow{.head = decoder, .query = 3}},
                                 {trace::ScaleScores{.factor = 0.3}},
                                 {trace::SoftmaxTemperature{.temperature = 1.5}},
                                 {trace::ScaleHead{.head = cross, .factor = 0.5}}};
        compareEveryCell(request);
        request.interventions.push_back({trace::LiftMask{}});
        compareEveryCell(request);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ProjectionsTest)
#include "projections_test.moc"
