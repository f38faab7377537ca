#include "model/engine/libtorch.h"

/// The module's ways in: engine.h, MakeEngine.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Engine>
headscopeMakeEngine(const headscope::engine::EngineOptions& options) {
    return headscope::engine::makeLibtorchEngine(options);
}

/// trainer.h, MakeTrainer.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Trainer>
headscopeMakeTrainer(const headscope::engine::TrainerOptions& options) {
    return headscope::engine::makeLibtorchTrainer(options);
}
