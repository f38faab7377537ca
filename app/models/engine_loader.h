#pragma once

#include "model/engine/engine.h"
#include "model/engine/trainer.h"

#include <memory>

namespace headscope::app {

/// Loads the engine module (some hundred milliseconds, because of LibTorch) and creates an engine. The module
/// stays loaded. Throws trace::Refusal if it cannot be found or used.
std::unique_ptr<engine::Engine> loadEngine(const engine::EngineOptions& options);

/// The same for the trainer.
std::unique_ptr<engine::Trainer> loadTrainer(const engine::TrainerOptions& options);

} // namespace headscope::app
