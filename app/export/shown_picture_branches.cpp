#include "app/export/shown_picture.h"

#include "model/trace/run_path.h"

namespace headscope::app {

void exportBranches(widgets::PictureOptions& picture, const trace::Run& run) {
    const auto with = picture.choices.find("with");
    if (with == picture.choices.end() || with->second != widgets::ChoiceValue(std::string("branch")))
        return;
    const auto shown = trace::shownPath(run);
    const auto chosen = picture.choices.find("branch");
    const std::size_t branch = chosen == picture.choices.end() ? (shown == 0U ? 1 : 0) // default of the view
                                                               : std::get<std::int64_t>(chosen->second);
    picture.choices[widgets::branchesChoice] = trace::otherBranches(run, shown.value_or(run.paths.size()));
    picture.choices["branch"] = static_cast<std::int64_t>(shown && branch > *shown ? branch - 1 : branch);
}

} // namespace headscope::app
