#pragma once

#include "model/engine/engine.h"
#include "model/engine/trainer.h"

#include <memory>
#include <string>

/// Factories of the LibTorch implementations; this header needs no LibTorch. Both throw trace::Refusal.
namespace headscope::engine {

/// Returns an engine on the CPU.
std::unique_ptr<Engine> makeLibtorchEngine(const EngineOptions& options);

/// Returns a trainer on the CPU.
std::unique_ptr<Trainer> makeLibtorchTrainer(const TrainerOptions& options);

/// Throws trace::Refusal unless `device` is auto or cpu.
void refuseMissingDevice(const std::string& device);

} // namespace headscope::engine
