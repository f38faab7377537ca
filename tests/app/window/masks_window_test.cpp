#include <QTest>

#include "tests/app/window/real_engine_window.h"
#include "tests/compared_numbers.h"
#include "tests/watched_test.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/masks/batch_grid.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using app::MainWindow;
using trace::AttentionKind;
using widgets::MaskView;

/// The masks, with the bundled model and the real engine.
class MasksWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    MaskView* masks() const { return window_->findChild<MaskView*>(); }

  private Q_SLOTS:
    void initTestCase() {
        open({.sentence = "The old man reads a book."});
        window_->actions()["masks"]->trigger();
        QTRY_VERIFY(masks()->isVisible());
    }

    void cleanupTestCase() { window_.reset(); }

    void theSoftmaxOfTheScoresAfterTheMaskIsTheWeights() {
        window_->selection()->setHead({{AttentionKind::DecoderSelf, 1}, 3});
        masks()->setPage(MaskView::Page::Effect);
        const auto* maps = qobject_cast<widgets::LinkedMaps*>(masks()->focusProxy());
        const auto& after = maps->maps()[2].values;
        const auto& weights = maps->maps()[3].values;
        QVERIFY(after.rows() > 3);
        for (std::size_t row = 0; row < after.rows(); ++row) {
            const double largest = static_cast<double>(std::ranges::max(after.row(row)));
            double sum = 0;
            for (const float score : after.row(row))
                sum += std::exp(static_cast<double>(score) - largest);
            std::vector<double> expected;
            double size = 0; // of an allowed score
            for (const float score : after.row(row)) {
                expected.push_back(std::exp(static_cast<double>(score) - largest) / sum);
                if (expected.back() > 0)
                    size = std::max(size, std::abs(static_cast<double>(score)));
            }
            VERIFY_AGREES(tests::compare("weights", weights.row(row), expected, [&](std::size_t key) {
                return tests::ofSoftmax(expected.size(), size, expected[key]);
            }));
        }
    }

    void theExampleBatchRunsByItselfAndTakesOtherSentences() {
        masks()->setPage(MaskView::Page::Batch);
        auto* batch = masks()->batch();
        QTRY_VERIFY_WITH_TIMEOUT(batch->hasFigure(), 30000);
        QVERIFY2(batch->caption().contains("A padded batch of 2 sentences"), qPrintable(batch->caption()));
        batch->setSentences({{"I like it.", ""}, {"The children are playing in the garden.", ""}});
        QTRY_VERIFY_WITH_TIMEOUT(batch->figureText().provenance.contains("I like it."), 30000);
        batch->choose(0);
        QVERIFY2(batch->caption().contains("which is within 1e-5"), qPrintable(batch->caption()));
        const auto* grid = batch->findChild<widgets::BatchGrid*>();
        const int last = grid->gridLayout().columnsOf(0) - 1;
        QVERIFY(grid->cellInWords({0, last}).contains("padding"));
        QVERIFY(grid->cellInWords({1, last}).contains("the end token"));
        const auto& encoder = batch->findChild<widgets::LinkedMaps*>()->maps().front();
        for (std::size_t row = 0; row < encoder.mask.rows(); ++row)
            QCOMPARE(encoder.mask(row, encoder.mask.columns() - 1), std::uint8_t(0));
        QVERIFY(masks()->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(MasksWindowTest)
#include "masks_window_test.moc"
