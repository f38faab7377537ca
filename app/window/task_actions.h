#pragma once

#include "app/desktop/actions.h"
#include "model/trace/model_summary.h"

namespace headscope::app {

/// Withholds actions of no view that do not apply to the model: those of decoding if it has no decoder, those
/// that run a model if it is a trace. Renames Decode for classifiers and encoders. `model` is null if none is
/// open.
void showTask(Actions& actions, const trace::ModelSummary* model);

} // namespace headscope::app
