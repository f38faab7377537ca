#pragma once

#include <QString>

#include "model/analysis/maps/mask_effect.h"
#include "model/analysis/maps/why_masked.h"
#include "model/trace/run.h"
#include "model/trace/task.h"
#include "widgets/map/linked_maps.h"

#include <vector>

namespace headscope::widgets {

/// "closed, because the key comes later than the query"
QString closedInWords(analysis::WhyMasked why);

/// Returns the masks of a head: subsequent, padding, and the applied mask; long maps are pooled. `run` must
/// have a record of the site. This and effectParts() throw trace::Cancelled.
std::vector<LinkedMap> maskParts(const trace::Run& run, const trace::HeadAddress& head,
                                 const trace::Task& work = {});

/// Says whether the applied mask is the intersection of the others, and names the first differing cell.
QString maskVerdict(const trace::Run& run, const trace::HeadAddress& head);

/// Returns the name of the site followed by maskVerdict().
QString maskCaption(const trace::Run& run, const trace::HeadAddress& head);

/// Returns scores, mask, masked scores and weights. Frees the parts of a moved `effect` one by one.
std::vector<LinkedMap> effectParts(const trace::Run& run, const trace::HeadAddress& head,
                                   analysis::MaskEffect effect, const trace::Task& work = {});

/// Returns a caption for effectParts(): the fill value of masked cells and the number of fully masked rows.
QString effectCaption(const trace::Run& run, const trace::HeadAddress& head,
                      const analysis::MaskEffect& effect);

/// Describes a cell: why it is masked, its score before and after the mask, its weight, and its row's sum.
QString maskedCellInWords(const trace::Run& run, const trace::HeadAddress& head, MapCell cell);

} // namespace headscope::widgets
