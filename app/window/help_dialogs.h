#pragma once

#include "model/trace/model_summary.h"

class QWidget;

namespace headscope::app {

/// Shows version, licence and libraries, and the attribution of the bundled and the open model's data.
/// `model` may be null.
void showAbout(const trace::ModelSummary* model, QWidget* parent);

} // namespace headscope::app
