#include "model/engine/libtorch.h"

/// Entry point of the module: MakeEngine in engine.h.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Engine>
headscopeMakeEngine(const headscope::engine::EngineOptions& options) {
    return headscope::engine::makeLibtorchEngine(options);
}

/// Entry point of the module: MakeTrainer in trainer.h.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Trainer>
headscopeMakeTrainer(const headscope::engine::TrainerOptions& options) {
    return headscope::engine::makeLibtorchTrainer(options);
}
