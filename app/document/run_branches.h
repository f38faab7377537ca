#pragma once

#include <QStringList>

#include "model/analysis/output/path_scores.h"
#include "widgets/views/branches/branch_list.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::app {

/// What the panels of branches show of a run, in the window and without it.

/// One a path of the run's request, called by `names`.
std::vector<widgets::Branch> branchesOf(const trace::Run& run, const QStringList& names);

/// The newest path that was forced as a whole.
std::optional<std::size_t> referencePath(const trace::Run& run);
/// Of that path; empty where there is none.
std::vector<analysis::TokenScore> scoresOfReference(const trace::Run& run);

} // namespace headscope::app
