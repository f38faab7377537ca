#pragma once

#include <QString>

#include "model/trace/lens.h"
#include "widgets/view.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

/// What the layers hold, of the model or of its random twin, as chosen ("logit-lens", "of").
bool isLensOfTwin(const DocumentState& document);
/// Empty where the model says nothing, or has not said it completely.
std::optional<trace::Question> lensQuestion(const DocumentState& document);
/// Null if it is not known.
std::shared_ptr<const trace::Lens> shownLens(const ViewContext& context);
std::optional<trace::RefusalText> whyLensRefused(const ViewContext& context);
/// Of a picture that is to show the twin's.
std::optional<View::Lacking> lackingLensOfTwin(const ViewContext& context);
/// Why there is none, for an empty view.
QString whyNoLens(const ViewContext& context, const QWidget& view);

} // namespace headscope::widgets
