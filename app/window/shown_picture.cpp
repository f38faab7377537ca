#include "app/window/shown_picture.h"

#include "app/window/picture_names.h"
#include "app/window/zoom_choices.h"
#include "widgets/architecture_view.h"
#include "widgets/arithmetic_view.h"
#include "widgets/attribution_view.h"
#include "widgets/beam_tree_view.h"
#include "widgets/candidates_view.h"
#include "widgets/classifier_view.h"
#include "widgets/compare_view.h"
#include "widgets/compared_heads.h"
#include "widgets/head_grid_view.h"
#include "widgets/heatmap_view.h"
#include "widgets/importance_view.h"
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

std::optional<ChoiceValue> valueOf(const Choices& choices, const std::string& view,
                                   const std::string& choice) {
    const auto known = choices.find(view);
    if (known == choices.end() || !known->second.contains(choice))
        return std::nullopt;
    return known->second.at(choice);
}

/// What B is made of, and nothing that it could be made of instead.
void keepChosenOfCompare(PictureOptions& picture, const std::string& with) {
    for (const char* other : {"sentence", "model", "step"})
        if (other != with)
            picture.choices.erase(other);
}

/// Neither the order of an importance that was measured some time, nor a branch, nor the twin's layers.
bool canBeSaid(PictureOptions& picture, const Choices& chosen) {
    const auto is = [&](const char* view, const char* choice, const char* word) {
        return valueOf(chosen, view, choice) == ChoiceValue(std::string(word));
    };
    if (picture.view == "overview")
        return !is("overview", "tint", "importance") && !is("overview", "order", "importance");
    if (picture.view == "contact-sheet")
        return !is("heads", "by", "importance") || (valueOf(chosen, "heads", "tinted") != ChoiceValue(true) &&
                                                    valueOf(chosen, "heads", "sorted") != ChoiceValue(true));
    if (picture.view == "logit-lens" || picture.view == "attribution")
        return !is("logit-lens", "of", "twin");
    if (picture.view == "compare")
        if (const auto with = valueOf(chosen, "compare", "with"))
            keepChosenOfCompare(picture, std::get<std::string>(*with));
    return picture.view != "compare" || !is("compare", "with", "branch");
}

PictureOptions lookedAt(const widgets::Selection& selection) {
    PictureOptions options{
        .head = selection.head(), .step = selection.step(), .pinned = selection.pinnedHeads()};
    const auto kind = selection.head().site.kind;
    const auto query = selection.pinned().query(kind), key = selection.pinned().key(kind);
    if (query && key)
        options.cell = {*query, *key};
    return options;
}

Picture pinned(PictureOptions options, const widgets::ComparedHeads& heads) {
    setMapOptions(options, heads.single()->options());
    return options;
}

/// Of the map or the maps that are drawn, not of those that are not.
void sayZoom(PictureOptions& picture, const widgets::FigureSource& figure) {
    const auto* heads = as<widgets::ComparedHeads>(figure);
    const auto* map = heads ? heads->single() : as<widgets::HeatmapView>(figure);
    const bool several = heads && !heads->heads().empty();
    const auto say = [&](const char* choice, const ChoiceValue& zoom) {
        picture.choices.erase(choice);
        if (zoom != ChoiceValue(std::vector<double>()))
            picture.choices[choice] = zoom;
    };
    say("zoom", several || !map ? std::vector<double>() : zoomOf(*map));
    say("pinned-zoom", several ? zoomsOf(heads->maps()) : std::vector<double>());
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
    if (as<widgets::CompareView>(figure))
        return named(options, "compare");
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
    return std::nullopt;
}

} // namespace

std::optional<PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                           const widgets::Selection& selection, const Choices& chosen,
                                           const Choices& usual) {
    auto picture = shownView(figure, lookedAt(selection));
    if (!picture)
        return std::nullopt;
    for (const auto& view : pictureViews())
        if (view.name == picture->view)
            for (const char* choice : view.choices)
                if (const auto value = valueOf(chosen, view.rules, choice);
                    value && value != valueOf(usual, view.rules, choice))
                    picture->choices[choice] = *value;
    if (picture->view == "heatmap")
        sayZoom(*picture, figure);
    return canBeSaid(*picture, chosen) ? picture : std::nullopt;
}

} // namespace headscope::app
