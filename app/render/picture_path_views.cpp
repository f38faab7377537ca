// Draws the panels of branches, reference and changes.
#include "app/document/branch_names.h"
#include "app/document/run_branches.h"
#include "app/render/picture_makers.h"
#include "widgets/views/branches/branch_list.h"
#include "widgets/views/reference/reference_view.h"
#include "widgets/words/captions.h"

#include <algorithm>

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

/// Position of the shown branch in the order of the window; the run has it last.
std::size_t placeOfShown(const Options& options, std::size_t branches) {
    const auto last = branches - 1;
    const auto found = options.choices.find("shown");
    return found == options.choices.end()
               ? last
               : std::min(last, static_cast<std::size_t>(std::get<std::int64_t>(found->second)));
}

/// Names given by the user, reordered from the window's order to that of the run.
QStringList namesOf(const trace::Run& run, const Options& options, std::size_t shown) {
    BranchNames names;
    names.names(run); // sets the sentence that the names belong to
    if (const auto given = options.choices.find("names"); given != options.choices.end()) {
        auto inOrder = std::get<std::vector<std::string>>(given->second);
        inOrder.resize(run.paths.size());
        const auto place = inOrder.begin() + static_cast<std::ptrdiff_t>(shown);
        std::rotate(place, place + 1, inOrder.end());
        for (std::size_t path = 0; path < inOrder.size(); ++path)
            names.rename(run, path, QString::fromStdString(inOrder[path]));
    }
    return names.names(run);
}

} // namespace

widgets::FigureSource* makeBranches(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* view = placed(new widgets::BranchList, scene, options, window, stage);
    const auto& run = *scene.document->controller()->run();
    view->setProvenance(widgets::provenance(run));
    if (run.paths.empty() || run.path.empty())
        return view;
    const auto shown = placeOfShown(options, run.paths.size());
    auto branches = branchesOf(run, namesOf(run, options, shown));
    std::rotate(branches.begin() + static_cast<std::ptrdiff_t>(shown), branches.end() - 1, branches.end());
    view->setBranches(branches);
    return view;
}

widgets::FigureSource* makeReference(const Scene& scene, const Options& options, QMainWindow& window,
                                     Stage& stage) {
    auto* view = placed(new widgets::ReferenceView, scene, options, window, stage);
    const auto& run = *scene.document->controller()->run();
    view->setProvenance(widgets::provenance(run));
    view->setScores(scoresOfReference(run));
    return view;
}

} // namespace headscope::app
