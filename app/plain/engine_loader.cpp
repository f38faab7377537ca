#include "app/plain/engine_loader.h"

#include "app/plain/picture_work.h"
#include "app/plain/resource_folders.h"
#include "model/trace/refusal.h"

#include <dlfcn.h>
#include <utility>

namespace headscope::app {

namespace {

/// What a module is called in words, and what has to be installed for it.
struct Module {
    std::filesystem::path path;
    const char* what;
    const char* expected;
    const char* wayOut;
};

Module enginePart() {
    return {engineModule(), "The part that computes", "the engine module and LibTorch",
            "install LibTorch (libtorch-dev or libtorch1.13) and start again"};
}

Module picturesPart() {
    return {picturesModule(), "The part that draws", "the module of pictures and Qt 6",
            "build with -DHEADSCOPE_WINDOW=ON, which needs Qt, or install Qt 6 (libqt6widgets6)"};
}

template <class Function>
Function fromModule(const Module& part, const char* symbol) {
    const auto& path = part.path;
    // RTLD_LOCAL keeps what LibTorch drags in out of the program's own names.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module)
        throw trace::Refusal({.what = std::string(part.what) + " could not be loaded",
                              .where = path.string(),
                              .expected = part.expected,
                              .wayOut = part.wayOut,
                              .details = dlerror()});
    const auto function = reinterpret_cast<Function>(dlsym(module, symbol));
    if (!function)
        throw trace::Refusal({.what = std::string(part.what) + " does not belong to this program",
                              .where = path.string(),
                              .wayOut = "install the program again"});
    return function;
}

} // namespace

std::unique_ptr<engine::Engine> loadEngine(const engine::EngineOptions& options) {
    return fromModule<engine::MakeEngine>(enginePart(), engine::makeEngineSymbol)(options);
}

std::unique_ptr<engine::Trainer> loadTrainer(const engine::TrainerOptions& options) {
    return fromModule<engine::MakeTrainer>(enginePart(), engine::makeTrainerSymbol)(options);
}

void drawPictures(const PictureWork& work, std::stop_token stop) {
    fromModule<DrawPictures>(picturesPart(), drawPicturesSymbol)(work, std::move(stop));
}

} // namespace headscope::app
