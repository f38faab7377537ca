#pragma once

#include "model/engine/engine.h"

#include <functional>
#include <memory>

namespace headscope::app {

/// Returns an engine that also opens traces (readTrace()). While a trace is open, only its recorded run is
/// available; requests that need the model are refused with a hint. Models are handled by `models`.
std::unique_ptr<engine::Engine> withTraces(std::unique_ptr<engine::Engine> models);

/// The same, but loads the engine when the first model is opened, because traces do not need it.
using LoadModels = std::function<std::unique_ptr<engine::Engine>()>;
std::unique_ptr<engine::Engine> withTraces(LoadModels load);

} // namespace headscope::app
