#pragma once

#include "widgets/view_context.h"
#include "widgets/views/compare/compare_question.h"

#include <QString>

#include <memory>
#include <vector>

namespace headscope::widgets {

/// The quantity that the maps are to show.
Quantity shownQuantity(const DocumentState& document);

/// A comparison in the chosen quantity.
struct QuantityAnswer {
    std::shared_ptr<const CompareAnswer> answer; ///< null: not known
    QString whyNot;                              ///< why it never will be
    std::vector<trace::Wanted> wanted;           ///< that it stands on, besides the weights
};
/// Of the comparison of weights, which it is itself where they are chosen, or where there are no maps.
QuantityAnswer inQuantity(const ViewContext& context, std::size_t shownStep,
                          std::shared_ptr<const CompareAnswer> weights);

} // namespace headscope::widgets
