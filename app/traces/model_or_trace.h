#pragma once

#include "model/engine/engine.h"

#include <functional>
#include <memory>

namespace headscope::app {

/// Opens traces too (readTrace). As long as one is open, the one run that it holds is all there is: whatever
/// needs the model is refused with a word on how to get there. All else is `models`'.
std::unique_ptr<engine::Engine> withTraces(std::unique_ptr<engine::Engine> models);

/// The same, which loads the engine of models when the first of them is opened: a trace needs none.
using LoadModels = std::function<std::unique_ptr<engine::Engine>()>;
std::unique_ptr<engine::Engine> withTraces(LoadModels load);

} // namespace headscope::app
