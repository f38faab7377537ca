#pragma once

#include <QStringList>

#include "model/analysis/output/path_scores.h"
#include "widgets/views/branches/branch_list.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::app {

/// Content of the branch panels, used by the window and by the command line.

/// Returns one branch for each path of the run's request, named by `names`.
std::vector<widgets::Branch> branchesOf(const trace::Run& run, const QStringList& names);

/// Returns the most recent path that was forced as a whole; empty if there is none.
std::optional<std::size_t> referencePath(const trace::Run& run);
/// Scores of that path; empty if there is none.
std::vector<analysis::TokenScore> scoresOfReference(const trace::Run& run);

} // namespace headscope::app
