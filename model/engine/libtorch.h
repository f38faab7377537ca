#pragma once

#include "model/engine/engine.h"
#include "model/engine/trainer.h"

#include <memory>

/// Factories of the LibTorch implementations; this header needs no LibTorch. Both throw trace::Refusal.
namespace headscope::engine {

/// Returns an engine on the CPU.
std::unique_ptr<Engine> makeLibtorchEngine(const EngineOptions& options);

/// Returns a trainer that uses its own loops on the CPU and LibTorch's operators on CUDA.
std::unique_ptr<Trainer> makeLibtorchTrainer(const TrainerOptions& options);

} // namespace headscope::engine
