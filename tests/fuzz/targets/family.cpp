#include "model/checkpoint/family.h"
#include "tests/fuzz/hostile_input.h"

#include <array>

using namespace headscope;

namespace {

constexpr std::array roles{"encoder.2.self.query.weight",
                           "encoder.0.norm_self.gain",
                           "generator.bias",
                           "source_embedding.weight",
                           "a.b",
                           "",
                           "...",
                           "{layer}.{layer}.{layer}"};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string table(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto family = checkpoint::parseFamily(table, "input");
        for (const std::string role : roles) {
            family.tensorName(role);
            family.isOptional(role);
        }
        for (const auto& [key, value] : family.settings)
            fuzz::require(checkpoint::Settings::isKnown(key), "an unknown setting");
        checkpoint::TensorShapes shapes;
        for (const auto& name : family.recognisedBy) {
            shapes["net." + name] = {2, 1};
            family.knows(name);
        }
        fuzz::readStranger([&] { checkpoint::chooseFamily({family}, {.shapes = shapes}, "input"); });
        fuzz::readStranger([&] {
            checkpoint::chooseFamily({family}, {.key = checkpoint::Settings::Value{"none", "--family"}},
                                     "input");
        });
    });
    return 0;
}
