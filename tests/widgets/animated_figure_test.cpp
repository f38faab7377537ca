#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/example_maps.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/source_share/source_share.h"

#include <functional>
#include <memory>
#include <optional>

using namespace headscope;
using namespace headscope::widgets;

/// How often a view looks at all steps.
template <class View>
struct Counted : View {
    using View::View;
    int count = 0;

  protected:
    void measureAnimation() override {
        ++count;
        View::measureAnimation();
    }
};

class AnimatedFigureTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run_ = example::run();

    /// Draws every frame; `showAgain` shows something else.
    template <class View>
    void checkOnce(Counted<View>& view, Selection& selection, const std::function<void()>& showAgain) const {
        QCOMPARE(view.count, 0);
        QImage page(view.figureSize(), QImage::Format_RGB32);
        for (std::size_t step = 0; step < run_->target.size(); ++step) {
            selection.setStep(static_cast<int>(step));
            view.setRowsDecoded(step + 1);
            QPainter painter(&page);
            view.drawFigure(painter, view.figureSize(), lightTheme());
        }
        QCOMPARE(view.count, 1);
        showAgain();
        QVERIFY(view.count > 1);
        const int before = view.count;
        view.setRowsDecoded(std::nullopt);
        showAgain();
        QCOMPARE(view.count, before); // there is no animation
    }

  private Q_SLOTS:
    void candidatesOfAllStepsAreMeasuredOnce() {
        Selection selection;
        Counted<CandidatesView> view(&selection);
        view.setRun(run_);
        checkOnce(view, selection, [&] { view.setRun(run_); });
    }

    void attributionsOfAllStepsAreMeasuredOnce() {
        Selection selection;
        Counted<AttributionView> view(&selection);
        const auto lens = example::lens(*run_);
        view.setLens(run_, lens);
        checkOnce(view, selection, [&] { view.setLens(run_, lens); });
    }

    void importanceAtAllStepsIsMeasuredOnce() {
        Selection selection;
        Counted<ImportanceView> view(&selection);
        const auto importance = example::importance(*run_);
        view.setContent({.run = run_, .importance = importance});
        checkOnce(view, selection, [&] {
            view.setContent({.run = run_});
            view.setContent({.run = run_, .importance = importance});
        });
    }

    void captionsOfAllStepsAreMeasuredOnce() {
        Selection selection;
        Counted<SourceShareView> view(&selection);
        const auto shares =
            example::shares(*run_, trace::MapQuantity::Contribution, {trace::AttentionKind::Cross, 2});
        view.setShares(run_, shares);
        checkOnce(view, selection, [&] { view.setShares(run_, shares); });
    }
};

HEADSCOPE_WATCHED_TEST(AnimatedFigureTest)
#include "animated_figure_test.moc"
