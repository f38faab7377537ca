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

/// The masks of a head's site: subsequent, padding, and what the model really applied, of long maps smaller
/// ones. The run has the site's record. This and effectParts() throw trace::Cancelled.
std::vector<LinkedMap> maskParts(const trace::Run& run, const trace::HeadAddress& head,
                                 const trace::Task& work = {});

/// Whether the mask that was applied is what the others make together, with the first cell that differs.
QString maskVerdict(const trace::Run& run, const trace::HeadAddress& head);

/// The same, after whose masks they are.
QString maskCaption(const trace::Run& run, const trace::HeadAddress& head);

/// Scores, mask, scores after the mask, weights. An effect that is moved here is given back part by part.
std::vector<LinkedMap> effectParts(const trace::Run& run, const trace::HeadAddress& head,
                                   analysis::MaskEffect effect, const trace::Task& work = {});

/// What effectParts() shows: with what this model fills closed cells, and how many rows are closed whole.
QString effectCaption(const trace::Run& run, const trace::HeadAddress& head,
                      const analysis::MaskEffect& effect);

/// One cell: why it is closed, its score before and after the mask, its weight, and what its row sums to.
QString maskedCellInWords(const trace::Run& run, const trace::HeadAddress& head, MapCell cell);

} // namespace headscope::widgets
