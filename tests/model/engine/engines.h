#pragma once

#include <QTemporaryDir>
#include <QTest>

#include "model/engine/engine.h"

#include <algorithm>

#include <dlfcn.h>

/// Engines with a model open, and requests, for tests.
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

/// What the tiny model is asked about.
inline const std::vector<std::int64_t> source{9, 4, 16, 7, 12, 5, 3};
inline const std::vector<std::int64_t> target{2, 18, 17, 20, 11};

/// These ids, decoded greedily.
inline trace::Request greedy(std::vector<std::int64_t> source, int newTokens = 12) {
    return {.source = trace::SourceIds{std::move(source)}, .paths = {{.newTokens = newTokens}}};
}

/// These ids with a forced target; `newTokens` are decoded after it.
inline trace::Request forced(std::vector<std::int64_t> source, std::vector<std::int64_t> target,
                             int newTokens = 0) {
    return {.source = trace::SourceIds{std::move(source)},
            .paths = {{.forced = trace::TargetIds{std::move(target)}, .newTokens = newTokens}}};
}

/// The tokens of the path that is shown, the start token left out.
inline std::vector<std::int64_t> outputOf(const trace::Run& run) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 1; i < run.path.size(); ++i)
        ids.push_back(run.tree.node(run.path[i]).token.id);
    return ids;
}

/// The same bits in every map, and the same choices.
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
