#include "model/engine/libtorch_engine.h"

/// The module's only way in (engine.h, MakeEngine).
extern "C" __attribute__((visibility("default"))) std::unique_ptr<headscope::engine::Engine>
headscopeMakeEngine(const headscope::engine::EngineOptions& options) {
    return std::make_unique<headscope::engine::LibtorchEngine>(options);
}
