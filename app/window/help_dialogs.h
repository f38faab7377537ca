#pragma once

#include "app/desktop/actions.h"
#include "model/trace/model_summary.h"

class QWidget;

namespace headscope::app {

/// Shows all shortcuts and mouse actions, to be searched.
void showKeys(const Actions& actions, QWidget* parent);

/// Shows version, licence and libraries, and the attribution of the bundled and the open model's data.
/// `model` may be null.
void showAbout(const trace::ModelSummary* model, QWidget* parent);

} // namespace headscope::app
