#include "app/plain/engine_loader.h"

#include "app/plain/resource_folders.h"
#include "model/trace/refusal.h"

#include <dlfcn.h>

namespace headscope::app {

namespace {

template <class Function>
Function fromModule(const char* symbol) {
    const auto path = engineModule();
    // RTLD_LOCAL keeps what LibTorch drags in out of the program's own names.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module)
        throw trace::Refusal({.what = "The part that computes could not be loaded",
                              .where = path.string(),
                              .expected = "the engine module and LibTorch",
                              .wayOut = "install LibTorch (libtorch-dev or libtorch1.13) and start again",
                              .details = dlerror()});
    const auto function = reinterpret_cast<Function>(dlsym(module, symbol));
    if (!function)
        throw trace::Refusal({.what = "The part that computes does not belong to this program",
                              .where = path.string(),
                              .wayOut = "install the program again"});
    return function;
}

} // namespace

std::unique_ptr<engine::Engine> loadEngine(const engine::EngineOptions& options) {
    return fromModule<engine::MakeEngine>(engine::makeEngineSymbol)(options);
}

std::unique_ptr<engine::Trainer> loadTrainer(const engine::TrainerOptions& options) {
    return fromModule<engine::MakeTrainer>(engine::makeTrainerSymbol)(options);
}

} // namespace headscope::app
