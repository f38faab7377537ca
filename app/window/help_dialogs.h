#pragma once

#include "app/window/actions.h"
#include "model/trace/model_summary.h"

class QWidget;

namespace headscope::app {

/// Every action with its keys, and what the mouse does.
void showKeys(const Actions& actions, QWidget* parent);

/// Version, licence, libraries, and the attribution of the open model's data (`model` may be null) and of the
/// bundled ones.
void showAbout(const trace::ModelSummary* model, QWidget* parent);

} // namespace headscope::app
