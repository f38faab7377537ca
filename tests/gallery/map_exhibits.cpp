#include "tests/gallery/exhibits.h"

#include <QCoreApplication>
#include <QWheelEvent>

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_batch.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_projections.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/source_share/source_share.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// A map that is computed, or another view of one.
Make mapOf(MapOptions options) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        const auto site = example::aligningHead.site;
        const auto computed = computedFor(options.quantity);
        return viewOf<HeatmapView>(example::aligningHead, [=](HeatmapView& view) {
            view.setOptions(options);
            if (!run)
                return;
            const auto lengths = example::normWeighted(*run, site);
            view.setEffect(lengths);
            if (options.losses)
                view.setCause(example::cause(*run, 5));
            if (computed == trace::MapQuantity::GradientAttention)
                view.setMaps(example::gradient(*run, site, 5));
            else if (computed && *computed != trace::MapQuantity::NormWeighted)
                view.setMaps(example::shares(*run, *computed, site));
            else
                view.setMaps(lengths);
        })(selection, run);
    };
}

QWidget* sourceShare(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new SourceShareView(selection);
    view->setShares(
        run, run ? example::shares(*run, trace::MapQuantity::Contribution, {trace::AttentionKind::Cross, 2})
                 : nullptr);
    view->setStep(5);
    return view;
}

void zoomIn(HeatmapView& view) {
    view.resize(900, 640);
    const QPointF at = view.mapLayout().plot().center();
    QWheelEvent wheel(at, at, {}, {0, 960}, {}, {}, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
}

Make arithmetic(trace::HeadAddress head, TokenFocus focus, const MapOptions& map = {}) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(head);
        selection->setStep(5);
        selection->setHover(focus);
        auto* view = new ArithmeticView(selection);
        if (!run)
            return view;
        static const auto projectedOf =
            onceARun([](const auto& whole) { return example::withProjections(*whole); });
        const auto& projected = projectedOf(run);
        auto* answers =
            new example::AnsweredAtOnce(view, [projected](const trace::Question& question) -> trace::Answer {
                if (const auto* row = std::get_if<trace::ContributionsWhat>(&question.what))
                    return example::rowContributions(*projected, row->head, row->query);
                return projected;
            });
        answers->choose(map);
        view->setRun(projected);
        answers->setHolding(true); // the row of another cell is still to be computed
        return view;
    };
}

void chooseHeads(LinesView& view) {
    view.toggleHead(0);
    view.toggleHead(2);
}

void showEffect(MaskView& view) {
    view.setPage(MaskView::Page::Effect);
}

Make batch(std::size_t sentences, int chosen) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        auto* view = new MaskView(selection);
        view->setRun(run);
        view->setPage(MaskView::Page::Batch);
        if (!run)
            return view;
        const auto answer = example::batch(*run, sentences);
        view->batch()->setSentences(answer.question.sentences);
        (new example::AnsweredAtOnce(view))->give(view->batch()->question().value(), answer);
        view->batch()->choose(chosen);
        return view;
    };
}

} // namespace

QList<Exhibit> mapExhibits() {
    return {
        {"heatmap", viewOf<HeatmapView>(example::aligningHead), large},
        {"heatmap-decoder", viewOf<HeatmapView>(decoder), large},
        {"heatmap-encoder", viewOf<HeatmapView>(encoder), large},
        {"heatmap-scores",
         viewOf<HeatmapView>(decoder, [](HeatmapView& view) { view.setQuantity(Quantity::Scores); }), large},
        {"heatmap-log",
         viewOf<HeatmapView>(example::aligningHead,
                             [](HeatmapView& view) { view.setMapping(ColourMapping::Logarithmic); }),
         large},
        {"heatmap-rollout", mapOf({.quantity = Quantity::Rollout, .received = true}), large},
        {"heatmap-contributions",
         mapOf({.quantity = Quantity::Contribution,
                .colourPerRow = true,
                .transposed = true,
                .received = true}),
         large},
        {"heatmap-gradient",
         mapOf({.quantity = Quantity::GradientAttention, .numbers = true, .received = true}), large},
        {"heatmap-norms",
         mapOf({.quantity = Quantity::NormShares,
                .mapping = ColourMapping::Rank,
                .withoutSpecial = true,
                .words = true}),
         large},
        {"heatmap-words", mapOf({.withoutSpecial = true, .words = true, .transposed = true, .numbers = true}),
         large},
        {"heatmap-losses", mapOf({.losses = true}), large},
        {"heatmap-losses-turned",
         mapOf({.words = true, .transposed = true, .received = true, .losses = true}), large},
        {"source-share", sourceShare, {{900, 150}, {360, 150}}},
        {"heatmap-zoomed", viewOf<HeatmapView>(example::aligningHead, zoomIn), large},
        {"lines", viewOf<LinesView>(example::aligningHead), large},
        {"lines-decoder", viewOf<LinesView>(decoder), large},
        {"lines-chosen", viewOf<LinesView>(example::aligningHead, chooseHeads), large},
        {"lines-all",
         viewOf<LinesView>(encoder, [](LinesView& view) { view.setShown(LinesView::Shown::AllHeads); }),
         large},
        {"arithmetic", arithmetic(example::aligningHead, {}), {{1100, 320}, {360, 640}}},
        {"arithmetic-closed", arithmetic(decoder, {.targetQuery = 3, .targetKey = 6}), {{1100, 320}}},
        {"arithmetic-words",
         arithmetic(decoder, {.targetQuery = 9, .targetKey = 8}, {.withoutSpecial = true, .words = true}),
         {{1100, 320}}},
        {"masks", viewOf<MaskView>(decoder), {{1000, 480}, {560, 360}}},
        {"masks-cross", viewOf<MaskView>(example::aligningHead), {{1000, 480}, {560, 360}}},
        {"masks-effect", viewOf<MaskView>(decoder, showEffect), {{1000, 480}, {560, 420}}},
        {"masks-effect-encoder", viewOf<MaskView>(encoder, showEffect), {{1000, 480}}},
        {"masks-batch", batch(2, 1), {{1000, 760}, {560, 480}}},
        {"masks-batch-three", batch(3, 2), {{1000, 900}}},
    };
}

} // namespace headscope::gallery
