// What is chosen in a view, as far as it is seen and a command can say it.
#include "app/export/shown_picture.h"

#include "app/document/zoom_choices.h"

#include "widgets/views/compare/compare_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/training/training_curves.h"

#include <algorithm>

namespace headscope::app {

std::optional<ChoiceValue> chosenValue(const Choices& choices, const std::string& view,
                                       const std::string& choice) {
    const auto known = choices.find(view);
    if (known == choices.end() || !known->second.contains(choice))
        return std::nullopt;
    return known->second.at(choice);
}

namespace {

bool is(const Choices& chosen, const char* view, const char* choice, const ChoiceValue& value) {
    return chosenValue(chosen, view, choice) == value;
}

/// Of what importance is measured where heads are tinted or ordered by it; else it is not seen.
void keepImportance(PictureOptions& picture, bool seen) {
    if (!seen)
        picture.choices.erase("importance-of");
}

/// Of a random twin, which one.
void sayTwin(PictureOptions& picture, const Choices& chosen) {
    if (const auto seed = chosenValue(chosen, "random-twin", "seed"))
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
/// unless a person called them something else; another order of the heads cannot be said.
bool canSayCompare(PictureOptions& picture, const Choices& chosen, const widgets::CompareView& compare) {
    if (!compare.isInUsualOrder())
        return false;
    const auto with = chosenValue(chosen, "compare", "with");
    if (!with)
        return true;
    for (const char* other : {"sentence", "model", "step", "branch"})
        if (*with != ChoiceValue(std::string(other)))
            picture.choices.erase(other);
    if (*with != ChoiceValue(std::string("branch")))
        return true;
    const auto names = chosenValue(chosen, "branches", "names");
    const auto* given = names ? std::get_if<std::vector<std::string>>(&*names) : nullptr;
    return !given || std::ranges::all_of(*given, &std::string::empty);
}

} // namespace

bool sayChoices(PictureOptions& picture, const widgets::FigureSource& figure, const Choices& chosen) {
    if (picture.view == "overview")
        return canSayOverview(picture, chosen, as<widgets::Overview>(figure));
    if (const auto* grid = as<widgets::HeadGridView>(figure))
        return canSaySheet(picture, chosen, *grid);
    if (const auto* table = as<widgets::HeadTable>(figure))
        return canSayTable(picture, chosen, *table);
    if (const auto* page = as<widgets::HeadPage>(figure))
        return canSayPage(picture, chosen, *page);
    if (const auto* positions = as<widgets::PositionalEncodingView>(figure))
        sayZoom(picture, *positions);
    if (const auto* curves = as<widgets::TrainingCurves>(figure))
        return !curves->log().isEmpty();
    if (picture.view == "logit-lens" || picture.view == "attribution")
        return canSayLens(picture, chosen);
    const auto* compare = as<widgets::CompareView>(figure);
    return !compare || canSayCompare(picture, chosen, *compare);
}

} // namespace headscope::app
