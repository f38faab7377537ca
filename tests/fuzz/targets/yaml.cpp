#include "model/files/yaml.h"
#include "model/files/utf8.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto value = files::parseYaml(text, "input");
        fuzz::require(files::isUtf8(value.dump()), "YAML that is no text");
    });
    return 0;
}
