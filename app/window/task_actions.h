#pragma once

#include "app/window/actions.h"
#include "model/trace/model_summary.h"

class QMainWindow;

namespace headscope::app {

/// What belongs to decoding, and what runs a model anew, is withheld where the model has no decoder or is a
/// trace; classifiers classify where others decode. Null: no model is open.
void showTask(QMainWindow& window, Actions& actions, const trace::ModelSummary* model);

} // namespace headscope::app
