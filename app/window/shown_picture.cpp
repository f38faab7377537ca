#include "app/window/shown_picture.h"

#include "app/window/picture_names.h"
#include "widgets/architecture_view.h"
#include "widgets/arithmetic_view.h"
#include "widgets/beam_tree_view.h"
#include "widgets/classifier_view.h"
#include "widgets/compared_heads.h"
#include "widgets/head_grid_view.h"
#include "widgets/heatmap_view.h"
#include "widgets/lens_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/overview.h"
#include "widgets/overview_view.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/scale_view.h"

namespace headscope::app {

namespace {

using Picture = std::optional<PictureOptions>;

template <class View>
const View* as(const widgets::FigureSource& figure) {
    return dynamic_cast<const View*>(&figure);
}

Picture heatmap(PictureOptions options, const widgets::HeatmapView& view) {
    options.head = view.head();
    setMapOptions(options, view.options());
    return options;
}

Picture lines(PictureOptions options, const widgets::LinesView& view) {
    options.view = "lines";
    if (view.shown() == widgets::LinesView::Shown::AllHeads)
        options.lines = "all";
    else if (view.shown() == widgets::LinesView::Shown::Chosen)
        for (const int head : view.heads())
            options.lines += (options.lines.empty() ? "" : ",") + std::to_string(head);
    return options;
}

Picture positions(PictureOptions options, const widgets::PositionalEncodingView& view) {
    using Page = widgets::PositionalEncodingView::Page;
    options.view = "positions";
    options.page = pageName("positions", static_cast<int>(view.page()));
    if (view.side() == widgets::PositionSide::Target)
        options.side = "target";
    if (view.page() == Page::Curves)
        options.dimensions = view.dimensions();
    if (view.page() <= Page::Similarity)
        options.count = view.positionsShown();
    if (view.page() == Page::Shift)
        options.offset = view.offset();
    return options;
}

/// A temperature and several heads are dragged and chosen, and no option says them.
Picture scale(PictureOptions options, const widgets::ScaleView& view) {
    using Page = widgets::ScaleView::Page;
    const bool dragged = view.page() == Page::Temperature && view.temperature() != 1;
    if (dragged || (view.page() == Page::Scores && view.scope() != widgets::ScoreScope::Head))
        return std::nullopt;
    options.view = "scale";
    options.page = pageName("scale", static_cast<int>(view.page()));
    return options;
}

/// The cell that is explained, whether it is pinned or not.
Picture arithmetic(PictureOptions options, const widgets::ArithmeticView& view) {
    options.view = "arithmetic";
    if (const auto& cell = view.cell())
        options.cell = {static_cast<int>(cell->query), static_cast<int>(cell->key)};
    return options;
}

Picture named(PictureOptions options, const char* view, int page = 0) {
    options.view = view;
    options.page = pageName(view, page);
    return options;
}

PictureOptions lookedAt(const widgets::Selection& selection) {
    PictureOptions options{.head = selection.head(), .step = selection.step()};
    const auto kind = selection.head().site.kind;
    const auto query = selection.pinned().query(kind), key = selection.pinned().key(kind);
    if (query && key)
        options.cell = {*query, *key};
    return options;
}

} // namespace

std::optional<PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                           const widgets::Selection& selection) {
    const auto options = lookedAt(selection);
    if (const auto* heads = as<widgets::ComparedHeads>(figure))
        return heads->heads().empty() ? heatmap(options, *heads->single()) : Picture();
    if (const auto* map = as<widgets::HeatmapView>(figure))
        return heatmap(options, *map);
    if (const auto* view = as<widgets::LinesView>(figure))
        return lines(options, *view);
    if (const auto* view = as<widgets::MaskView>(figure))
        return view->page() == widgets::MaskView::Page::Batch
                   ? Picture()
                   : named(options, "masks", static_cast<int>(view->page()));
    if (const auto* view = as<widgets::PositionalEncodingView>(figure))
        return positions(options, *view);
    if (const auto* view = as<widgets::ScaleView>(figure))
        return scale(options, *view);
    if (const auto* view = as<widgets::ArithmeticView>(figure))
        return arithmetic(options, *view);
    if (const auto* view = as<widgets::ClassifierView>(figure))
        return named(options, "classifier", static_cast<int>(view->page()));
    if (as<widgets::Overview>(figure) || as<widgets::OverviewView>(figure))
        return named(options, "overview");
    if (as<widgets::ArchitectureView>(figure))
        return named(options, "architecture");
    if (as<widgets::HeadGridView>(figure))
        return named(options, "contact-sheet");
    if (as<widgets::LensView>(figure))
        return named(options, "logit-lens");
    if (as<widgets::BeamTreeView>(figure))
        return named(options, "beam-tree");
    return std::nullopt;
}

} // namespace headscope::app
