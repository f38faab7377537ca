#include "widgets/views/branches/branch_list.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/run_path.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

double meanOfBranch(const Branch& branch) {
    return branch.tokens > 0 ? branch.logProbability / static_cast<double>(branch.tokens) : 0.0;
}

/// A trace may not contain the value.
QString logText(double value) {
    return std::isnan(value) ? BranchList::tr("not recorded") : numberText(value);
}

} // namespace

View* views::makers::branches(Selection*, QWidget* parent) {
    auto* view = new BranchList(parent);
    view->setAccessibleName(BranchList::tr("Branches"));
    return view;
}

std::vector<Branch> branchesOf(const trace::Run& run, const std::vector<std::string>& names) {
    std::vector<Branch> branches;
    const auto shown = trace::shownPath(run);
    // The model chose no token of a prompt; its first one has no score.
    const auto prompt =
        run.model && run.model->isDecoderAlone() && !run.source.empty() ? run.source.size() - 1 : 0;
    for (std::size_t i = 0; i < run.paths.size(); ++i) {
        const auto& path = run.paths[i]; // a reference also scores its end token, which is not fed
        const auto scores = path.decodedOn ? analysis::tokenScores(run.tree, path.leaf)
                                           : analysis::referenceScores(run, path);
        std::vector<trace::Token> tokens;
        for (const auto& score : scores)
            tokens.push_back(score.token);
        const auto given = std::min(prompt, scores.size());
        const double before = given > 0 ? scores[given - 1].sum : 0;
        branches.push_back(
            {.name = QString::fromStdString(names.at(i)),
             .text = QString::fromStdString(path.output.empty() ? trace::joinedText(tokens) : path.output),
             .logProbability = scores.empty() ? 0 : scores.back().sum - before,
             .tokens = scores.size() - given,
             .shown = shown == i});
    }
    return branches;
}

void BranchList::refresh() {
    const auto& branches = context().document->branches;
    if (branches.run && branches == listed_)
        return;
    listed_ = branches;
    list();
}

void BranchList::list() {
    std::vector<Branch> branches;
    const auto& run = listed_.run;
    if (run && !(placeOfShown_ && run->path.empty())) {
        const auto ofRun = branchesOf(*run, listed_.names);
        for (const auto path : order())
            branches.push_back(ofRun[path]);
    }
    setBranches(branches);
}

/// The paths of the run as they are listed.
std::vector<std::size_t> BranchList::order() const {
    std::vector<std::size_t> paths(listed_.names.size());
    std::iota(paths.begin(), paths.end(), 0);
    if (placeOfShown_ && *placeOfShown_ < paths.size())
        std::rotate(paths.begin() + static_cast<std::ptrdiff_t>(*placeOfShown_), paths.end() - 1,
                    paths.end());
    return paths;
}

void BranchList::showPicture(const PictureOptions& options) {
    const auto shown = options.choices.find("shown");
    placeOfShown_ = shown == options.choices.end()
                        ? listed_.names.size()
                        : static_cast<std::size_t>(std::get<std::int64_t>(shown->second));
    list();
}

void BranchList::addChoices(ViewChoices& choices) {
    addBranchNames(choices, this, [this] { return order(); });
}

bool BranchList::exportChoices(PictureOptions& picture, const Choices&) const {
    const auto& run = context().document->run;
    if (!run)
        return true;
    if (!sayBranches(picture, *run))
        return false;
    if (const auto shown = trace::shownPath(*run); shown && *shown + 1 < run->paths.size())
        picture.choices["shown"] = static_cast<std::int64_t>(*shown);
    return true;
}

void BranchList::setBranches(const std::vector<Branch>& branches) {
    branches_ = branches;
    update();
}

std::optional<FigureBlocks> BranchList::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto name = [](const Branch& branch) {
        return branch.shown ? tr("%1 (shown)").arg(branch.name) : branch.name;
    };
    const auto sum = [](const Branch& branch) { return logText(branch.logProbability); };
    const auto mean = [](const Branch& branch) { return logText(meanOfBranch(branch)); };
    const auto text = [](const Branch& branch) { return isolated(branch.text); };
    const TableFigure figure{
        .columns = {filled({.title = tr("Branch")}, branches_, name),
                    filled({.title = tr("Log-probability"), .atRight = true}, branches_, sum),
                    filled({.title = tr("Per token"), .atRight = true}, branches_, mean),
                    filled({.title = tr("Text")}, branches_, text)},
        .caption = figureText().caption,
        .font = font(),
        .parts = figureParts()};
    return figure.blocks();
}

FigureText BranchList::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Branches"),
            .caption = tr("Each decoding branch with the sum of its log-probabilities (nats), the sum per "
                          "token, and its text."),
            .provenance = listed_.run ? provenance(*listed_.run) : QString(),
            .quantity = tr("log-probability")};
}

trace::FigureData BranchList::figureData() const {
    if (!hasFigure())
        return {};
    return {.tables = {{.name = "branches",
                        .columns = {dataColumn("branch", branches_, &Branch::name),
                                    dataColumn("log_probability", branches_, &Branch::logProbability),
                                    dataColumn("per_token", branches_, meanOfBranch),
                                    dataColumn("tokens", branches_, &Branch::tokens),
                                    dataColumn("shown", branches_, &Branch::shown),
                                    dataColumn("text", branches_, &Branch::text)}}}};
}

std::optional<PictureOptions> BranchList::picture(PictureOptions) const {
    return ofTheWhole("branches");
}

} // namespace headscope::widgets
