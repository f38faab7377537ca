#include "app/export/shown_picture.h"

#include "model/trace/run_path.h"

#include <algorithm>

namespace headscope::app {

namespace {

std::vector<std::string> branchesBut(const trace::Run& run, std::size_t shown) {
    std::vector<std::string> others;
    for (std::size_t path = 0; path < run.paths.size(); ++path)
        if (path != shown)
            others.push_back(branchText(run, run.paths[path].leaf));
    return others;
}

/// Fails if a decoded path ends within another one: given as ids, it would become a forced target.
bool sayListedBranches(widgets::PictureOptions& picture, const trace::Run& run) {
    if (const auto& recorded = run.model->recorded) // a trace draws its own branches
        return run.paths.size() == recorded->paths.size();
    const auto shown = trace::shownPath(run);
    const bool asItIs = std::ranges::all_of(run.paths, [&](const trace::RunPath& path) {
        return !path.decodedOn || !run.tree.node(path.leaf).row;
    });
    if (!shown || !asItIs)
        return false;
    if (run.paths.size() > 1)
        picture.choices["branches"] = branchesBut(run, *shown);
    if (*shown + 1 < run.paths.size())
        picture.choices["shown"] = static_cast<std::int64_t>(*shown);
    return true;
}

} // namespace

bool exportBranches(widgets::PictureOptions& picture, const trace::Run& run) {
    if (picture.view == "branches")
        return sayListedBranches(picture, run);
    const auto with = picture.choices.find("with");
    if (picture.view != "compare" || with == picture.choices.end() ||
        with->second != widgets::ChoiceValue(std::string("branch")))
        return true;
    const auto shown = trace::shownPath(run);
    const auto chosen = picture.choices.find("branch");
    const std::size_t branch = chosen == picture.choices.end()
                                   ? (shown == std::size_t(0) ? 1 : 0) // default of the view
                                   : static_cast<std::size_t>(std::get<std::int64_t>(chosen->second));
    picture.choices["branches"] = branchesBut(run, shown.value_or(run.paths.size()));
    picture.choices["branch"] = static_cast<std::int64_t>(shown && branch > *shown ? branch - 1 : branch);
    return true;
}

} // namespace headscope::app
