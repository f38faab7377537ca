#pragma once

#include "model/engine/engine.h"
#include "model/engine/trainer.h"

#include <memory>

/// What computes with LibTorch, without a word of LibTorch's. Both throw trace::Refusal.
namespace headscope::engine {

/// An engine on the processor.
std::unique_ptr<Engine> makeLibtorchEngine(const EngineOptions& options);

/// Trains on the processor with loops of its own, on CUDA with LibTorch's operators.
std::unique_ptr<Trainer> makeLibtorchTrainer(const TrainerOptions& options);

} // namespace headscope::engine
