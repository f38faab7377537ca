#pragma once

#include <QString>

#include "model/trace/intervention.h"
#include "model/trace/model_summary.h"
#include "widgets/selection.h"

#include <vector>

namespace headscope::widgets {

/// A change that can be begun with, made for what a person looks at.
struct ProposedChange {
    QString text; ///< of the menu entry
    trace::Change change;
    bool asks = true; ///< an editor comes first
};

/// One of every kind, for the selected head, the current step and the pinned cell.
std::vector<ProposedChange> proposedChanges(const Selection& selection, const trace::ModelSummary& model);
/// Those of one head, for its own menu. Scaling it wants an editor.
std::vector<ProposedChange> headChanges(const trace::HeadAddress& head);
/// Those of one row of a head, and of one cell where there is a key.
std::vector<ProposedChange> cellChanges(const trace::HeadAddress& head, std::size_t query,
                                        std::optional<std::size_t> key);

} // namespace headscope::widgets
