#pragma once

#include <QTemporaryDir>
#include <QTest>

#include "model/engine/engine.h"

#include <algorithm>

#include <dlfcn.h>

/// Engines with an open model, and requests, for tests.
namespace engines {

using namespace headscope;

inline const std::string tiny = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny";
inline const std::string trained = HEADSCOPE_SOURCE "/resources/models/tatoeba-en-de";

inline engine::MakeEngine module() {
    void* module = dlopen(HEADSCOPE_BUILD "/lib/headscope/libheadscope_engine.so", RTLD_NOW | RTLD_LOCAL);
    const auto make = module ? dlsym(module, engine::makeEngineSymbol) : nullptr;
    if (!make)
        qFatal("%s", dlerror());
    return reinterpret_cast<engine::MakeEngine>(make);
}

inline std::unique_ptr<engine::Engine> start() {
    static const auto make = module();
    return make({.familyFolders = {HEADSCOPE_SOURCE "/resources/families"}});
}

inline std::unique_ptr<engine::Engine> with(const std::string& model) {
    auto engine = start();
    engine->open({.path = model}, {});
    return engine;
}

/// Ids for the tiny model.
inline const std::vector<std::int64_t> source{9, 4, 16, 7, 12, 5, 3};
inline const std::vector<std::int64_t> target{2, 18, 17, 20, 11};

/// Greedy decoding of these ids.
inline trace::Request greedy(std::vector<std::int64_t> source, int newTokens = 12) {
    return {.source = trace::SourceIds{std::move(source)}, .paths = {{.newTokens = newTokens}}};
}

/// These ids with a forced target, followed by `newTokens` decoded ones.
inline trace::Request forced(std::vector<std::int64_t> source, std::vector<std::int64_t> target,
                             int newTokens = 0) {
    return {.source = trace::SourceIds{std::move(source)},
            .paths = {{.forced = trace::TargetIds{std::move(target)}, .newTokens = newTokens}}};
}

/// Tokens of the shown path without the start token.
inline std::vector<std::int64_t> outputOf(const trace::Run& run) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 1; i < run.path.size(); ++i)
        ids.push_back(run.tree.node(run.path[i]).token.id);
    return ids;
}

/// Returns true if all maps are bitwise equal and the choices are the same.
inline bool sameBits(const trace::Run& a, const trace::Run& b) {
    const auto sameMaps = [](const auto& some, const auto& others) {
        return std::ranges::equal(some, others, [](const auto& one, const auto& other) {
            return one.scores == other.scores && one.weights == other.weights && one.mask == other.mask;
        });
    };
    return sameMaps(a.encoder, b.encoder) && sameMaps(a.decoder, b.decoder) && sameMaps(a.cross, b.cross) &&
           outputOf(a) == outputOf(b);
}

} // namespace engines
