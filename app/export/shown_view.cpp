#include "app/export/shown_picture.h"

#include "app/choices/view_options.h"
#include "app/export/picture_names.h"
#include "app/models/training_log.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/branches/branch_list.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/reference/reference_view.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/source_share/source_share.h"
#include "widgets/views/training/training_curves.h"
#include "widgets/views/what_if/change_comparison.h"

#include <string>
#include <tuple>
#include <utility>

namespace headscope::app {

namespace {

using Picture = std::optional<PictureOptions>;

Picture heatmap(PictureOptions options, const widgets::HeatmapView& view) {
    options.head = view.head();
    options.pinned.clear(); // one map
    setMapOptions(options, view.options());
    return options;
}

Picture lines(PictureOptions options, const widgets::LinesView& view) {
    options.view = "lines";
    options.words = view.showsWords();
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

/// The cell that is explained, whether it is pinned or not, and what is said of the map beside it.
Picture arithmetic(PictureOptions options, const widgets::ArithmeticView& view) {
    options.view = "arithmetic";
    const auto& map = view.mapOptions();
    setMapOptions(options,
                  {.quantity = map.quantity, .withoutSpecial = map.withoutSpecial, .words = map.words});
    if (const auto& cell = view.cell())
        options.cell = {static_cast<int>(cell->query), static_cast<int>(cell->key)};
    return options;
}

/// Wherever a person looks.
Picture ofTheWhole(const char* view) {
    return PictureOptions{.view = view};
}

/// By its name where the place of its log says another.
Picture training(const widgets::TrainingCurves& curves) {
    auto picture = ofTheWhole(trainingView);
    const auto name = curves.name().toStdString();
    if (name != trainingName(curves.log().toStdString()))
        picture->choices["name"] = name;
    return picture;
}

Picture named(PictureOptions options, const char* view, int page = 0) {
    options.view = view;
    options.page = pageName(view, page);
    return options;
}

PictureOptions lookedAt(const widgets::Selection& selection) {
    PictureOptions options{
        .head = selection.head(), .step = selection.step(), .pinned = selection.pinnedHeads()};
    const auto kind = selection.head().site.kind;
    const auto query = selection.pinned().query(kind), key = selection.pinned().key(kind);
    if (query && key)
        options.cell = {*query, *key};
    else
        std::tie(options.query, options.key) = std::pair(query, key);
    return options;
}

/// Whatever is drawn of the head is drawn of its twin, too.
Picture randomTwin(PictureOptions options, const widgets::RandomTwinPanel& panel) {
    options.view = "random-twin";
    options.pinned.clear(); // one map
    setMapOptions(options, panel.map()->options());
    return options;
}

Picture pinned(PictureOptions options, const widgets::ComparedHeads& heads) {
    setMapOptions(options, heads.single()->options());
    return options;
}

Picture shownView(const widgets::FigureSource& figure, const PictureOptions& options) {
    if (const auto* heads = as<widgets::ComparedHeads>(figure))
        return heads->heads().empty() ? heatmap(options, *heads->single()) : pinned(options, *heads);
    if (const auto* map = as<widgets::HeatmapView>(figure))
        return heatmap(options, *map);
    if (const auto* view = as<widgets::LinesView>(figure))
        return lines(options, *view);
    if (const auto* view = as<widgets::MaskView>(figure))
        return view->page() == widgets::MaskView::Page::Batch
                   ? named(options, "inputs")
                   : named(options, "masks", static_cast<int>(view->page()));
    if (const auto* view = as<widgets::PositionalEncodingView>(figure))
        return positions(options, *view);
    if (const auto* view = as<widgets::ScaleView>(figure))
        return named(options, "scale", static_cast<int>(view->page()));
    if (const auto* view = as<widgets::ArithmeticView>(figure))
        return arithmetic(options, *view);
    if (const auto* view = as<widgets::ClassifierView>(figure))
        return named(options, "classifier", static_cast<int>(view->page()));
    if (as<widgets::Overview>(figure) || as<widgets::OverviewView>(figure))
        return named(options, "overview");
    if (as<widgets::ArchitectureView>(figure))
        return named(options, "architecture");
    if (const auto* view = as<widgets::CompareView>(figure))
        return named(options, "compare", static_cast<int>(view->page()));
    if (as<widgets::HeadGridView>(figure))
        return named(options, "contact-sheet");
    if (as<widgets::LensView>(figure))
        return named(options, "logit-lens");
    if (as<widgets::AttributionView>(figure))
        return named(options, "attribution");
    if (as<widgets::ImportanceView>(figure))
        return named(options, "importance");
    if (as<widgets::CandidatesView>(figure))
        return named(options, "candidates");
    if (as<widgets::BeamTreeView>(figure))
        return named(options, "beam-tree");
    if (as<widgets::SourceShareView>(figure))
        return named(options, "source-share");
    if (as<widgets::HeadTable>(figure))
        return named(options, "head-table");
    if (as<widgets::HeadPage>(figure))
        return named(options, "head-page");
    if (const auto* panel = as<widgets::RandomTwinPanel>(figure))
        return randomTwin(options, *panel);
    if (as<widgets::BranchList>(figure))
        return ofTheWhole("branches");
    if (as<widgets::ReferenceView>(figure))
        return ofTheWhole("reference");
    if (as<widgets::ChangeComparison>(figure))
        return ofTheWhole("what-if");
    if (const auto* curves = as<widgets::TrainingCurves>(figure))
        return training(*curves);
    return std::nullopt;
}

} // namespace

void followSteps(PictureOptions& picture, const widgets::Selection& selection) {
    if (picture.view != "arithmetic")
        return;
    const auto looked = lookedAt(selection);
    picture.cell = looked.cell;
    picture.query = looked.query;
    picture.key = looked.key;
}

std::optional<PictureOptions> seenView(const widgets::FigureSource& figure,
                                       const widgets::Selection& selection) {
    auto picture = shownView(figure, lookedAt(selection));
    if (picture && !isUsed("--pin", picture->view))
        picture->pinned.clear();
    return picture;
}

} // namespace headscope::app
