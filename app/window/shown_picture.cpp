#include "app/window/shown_picture.h"

#include "app/window/picture_names.h"
#include "app/window/zoom_choices.h"
#include "widgets/architecture_view.h"
#include "widgets/arithmetic_view.h"
#include "widgets/attribution_view.h"
#include "widgets/beam_tree_view.h"
#include "widgets/branch_list.h"
#include "widgets/candidates_view.h"
#include "widgets/change_comparison.h"
#include "widgets/classifier_view.h"
#include "widgets/compare_view.h"
#include "widgets/compared_heads.h"
#include "widgets/head_grid_view.h"
#include "widgets/head_page.h"
#include "widgets/head_table.h"
#include "widgets/heatmap_view.h"
#include "widgets/importance_view.h"
#include "widgets/lens_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/overview.h"
#include "widgets/overview_view.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/reference_view.h"
#include "widgets/scale_view.h"
#include "widgets/source_share.h"

#include <algorithm>
#include <tuple>

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

bool is(const Choices& chosen, const char* view, const char* choice, const ChoiceValue& value) {
    return valueOf(chosen, view, choice) == value;
}

/// Of what importance is measured where heads are tinted or ordered by it; else it is not seen.
void keepImportance(PictureOptions& picture, bool seen) {
    if (!seen)
        picture.choices.erase("importance-of");
}

/// Of a random twin, which one.
void sayTwin(PictureOptions& picture, const Choices& chosen) {
    if (const auto seed = valueOf(chosen, "random-twin", "seed"))
        picture.choices["twin-seed"] = *seed;
}

/// Where what is chosen is not there to be seen, its command would show more.
bool canSayOverview(PictureOptions& picture, const Choices& chosen, const widgets::Overview* overview) {
    const ChoiceValue importance = std::string("importance");
    const bool wanted =
        is(chosen, "overview", "tint", importance) || is(chosen, "overview", "order", importance);
    keepImportance(picture, wanted);
    return !wanted || !overview || overview->hasImportance();
}

bool canSaySheet(PictureOptions& picture, const Choices& chosen, const widgets::HeadGridView& grid) {
    const bool byImportance = is(chosen, "heads", "by", std::string("importance"));
    keepImportance(picture, byImportance);
    if (byImportance && !grid.hasTint())
        for (const char* choice : {"tinted", "sorted", "importance-of"})
            picture.choices.erase(choice);
    return true;
}

bool canSayLens(PictureOptions& picture, const Choices& chosen) {
    picture.choices.erase("twin-seed");
    if (is(chosen, "logit-lens", "of", std::string("twin")))
        sayTwin(picture, chosen);
    return true;
}

/// Of many sentences, nothing says which.
bool canSayTable(PictureOptions& picture, const Choices& chosen, const widgets::HeadTable& table) {
    const auto& heads = table.model().statistics();
    const auto any = [&](auto known) {
        return std::ranges::any_of(heads, known, &analysis::HeadStatistics::head);
    };
    picture.choices.erase("twin-seed");
    picture.choices.erase("twin");
    if (any([&](const auto& head) { return table.model().twinOf(head) != nullptr; })) {
        picture.choices["twin"] = true;
        sayTwin(picture, chosen);
    }
    if (any([&](const auto& head) { return table.model().importanceOf(head).has_value(); }))
        picture.choices["importance"] = true;
    return !table.showsCorpus();
}

bool canSayPage(PictureOptions& picture, const Choices& chosen, const widgets::HeadPage& page) {
    const auto& facts = page.facts();
    if (!facts || facts->intervals || !facts->driving.empty())
        return false;
    picture.choices.clear(); // of the table
    if (facts->twin) {
        picture.choices["twin"] = true;
        sayTwin(picture, chosen);
    }
    if (facts->importance)
        picture.choices["importance"] = true;
    return true;
}

/// What B is made of, and nothing that it could be made of instead. Branches are called by their beginnings,
/// unless a person called them something else.
bool canSayCompare(PictureOptions& picture, const Choices& chosen) {
    const auto with = valueOf(chosen, "compare", "with");
    if (!with)
        return true;
    for (const char* other : {"sentence", "model", "step", "branch"})
        if (*with != ChoiceValue(std::string(other)))
            picture.choices.erase(other);
    if (*with != ChoiceValue(std::string("branch")))
        return true;
    const auto names = valueOf(chosen, "branches", "names");
    const auto* given = names ? std::get_if<std::vector<std::string>>(&*names) : nullptr;
    return !given || std::ranges::all_of(*given, &std::string::empty);
}

/// Makes the choices those that are seen; false where no command can say them.
bool canBeSaid(PictureOptions& picture, const widgets::FigureSource& figure, const Choices& chosen) {
    if (picture.view == "overview")
        return canSayOverview(picture, chosen, as<widgets::Overview>(figure));
    if (const auto* grid = as<widgets::HeadGridView>(figure))
        return canSaySheet(picture, chosen, *grid);
    if (const auto* table = as<widgets::HeadTable>(figure))
        return canSayTable(picture, chosen, *table);
    if (const auto* page = as<widgets::HeadPage>(figure))
        return canSayPage(picture, chosen, *page);
    if (picture.view == "logit-lens" || picture.view == "attribution")
        return canSayLens(picture, chosen);
    return picture.view != "compare" || canSayCompare(picture, chosen);
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
    if (as<widgets::SourceShareView>(figure))
        return named(options, "source-share");
    if (as<widgets::HeadTable>(figure))
        return named(options, "head-table");
    if (as<widgets::HeadPage>(figure))
        return named(options, "head-page");
    if (as<widgets::BranchList>(figure))
        return ofTheWhole("branches");
    if (as<widgets::ReferenceView>(figure))
        return ofTheWhole("reference");
    if (as<widgets::ChangeComparison>(figure))
        return ofTheWhole("what-if");
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
            for (const char* choice : view.choices) {
                const auto& rule = *pictureChoice(view.name, choice);
                if (const auto value = valueOf(chosen, rule.view, rule.name);
                    value && value != valueOf(usual, rule.view, rule.name))
                    picture->choices[choice] = *value;
            }
    if (picture->view == "heatmap")
        sayZoom(*picture, figure);
    return canBeSaid(*picture, figure, chosen) ? picture : std::nullopt;
}

} // namespace headscope::app
