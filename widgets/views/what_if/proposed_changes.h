#pragma once

#include <QString>

#include "model/trace/intervention.h"
#include "model/trace/model_summary.h"
#include "widgets/selection.h"

#include <vector>

namespace headscope::widgets {

/// A change offered in a menu.
struct ProposedChange {
    QString text; ///< of the menu entry
    trace::Change change;
    bool asks = true; ///< open an editor first
};

/// One change of each kind, for the selected head, the current step and the pinned cell.
std::vector<ProposedChange> proposedChanges(const Selection& selection, const trace::ModelSummary& model);
/// Changes of one head, for its context menu.
std::vector<ProposedChange> headChanges(const trace::HeadAddress& head);
/// Changes of a row of a head, and of a cell if there is a key.
std::vector<ProposedChange> cellChanges(const trace::HeadAddress& head, std::size_t query,
                                        std::optional<std::size_t> key);

} // namespace headscope::widgets
