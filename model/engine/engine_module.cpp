#include "model/engine/libtorch_engine.h"
#include "model/engine/libtorch_trainer.h"

/// The module's ways in: engine.h, MakeEngine.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Engine>
headscopeMakeEngine(const headscope::engine::EngineOptions& options) {
    return std::make_unique<headscope::engine::LibtorchEngine>(options);
}

/// trainer.h, MakeTrainer.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Trainer>
headscopeMakeTrainer(const headscope::engine::TrainerOptions& options) {
    return std::make_unique<headscope::engine::LibtorchTrainer>(options);
}
