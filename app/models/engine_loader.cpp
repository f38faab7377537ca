#include "app/models/engine_loader.h"

#include "app/choices/picture_work.h"
#include "app/models/resource_folders.h"
#include "model/files/available_memory.h"
#include "model/trace/refusal.h"

#include <dlfcn.h>
#include <utility>

namespace headscope::app {

namespace {

/// A loadable module, with texts for errors.
struct Module {
    std::filesystem::path path;
    const char* what;
    const char* expected;
    const char* wayOut;
    double addressSpace; ///< minimum bytes of address space for loading it with its libraries
};

Module enginePart() {
    return {engineModule(), "The part that computes", "the engine module and LibTorch",
            "install LibTorch (libtorch-dev or libtorch1.13) and start again", 600e6};
}

Module picturesPart() {
    return {picturesModule(), "The part that draws", "the module of pictures and Qt 6",
            "build with -DHEADSCOPE_WINDOW=ON, which needs Qt, or install Qt 6 (libqt6widgets6)", 100e6};
}

template <class Function>
Function fromModule(const Module& part, const char* symbol) {
    const auto& path = part.path;
    const std::string notLoaded = std::string(part.what) + " could not be loaded";
    // RTLD_LOCAL keeps the symbols of LibTorch's dependencies out of the program's namespace.
    constexpr int mode = RTLD_NOW | RTLD_LOCAL;
    void* module = dlopen(path.c_str(), mode | RTLD_NOLOAD); // it may be loaded already
    if (!module) {
        // Some libraries abort the program if they cannot allocate memory while being loaded.
        if (const auto left = files::addressSpaceLeft(); left && *left < part.addressSpace)
            throw files::memoryRefusal(notLoaded, part.addressSpace);
        module = dlopen(path.c_str(), mode);
    }
    const std::string why = module ? "" : dlerror();
    // Does not match "static TLS" errors, which have other causes.
    if (why.find("Cannot allocate memory") != why.npos ||
        (files::addressSpaceLeft() && why.find("failed to map segment") != why.npos))
        throw files::memoryRefusal(notLoaded);
    if (!module)
        throw trace::Refusal({.what = notLoaded,
                              .where = path.string(),
                              .expected = part.expected,
                              .wayOut = part.wayOut,
                              .details = why});
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
