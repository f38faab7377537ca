#include "model/checkpoint/configure_network.h"
#include "model/checkpoint/family.h"
#include "model/checkpoint/generation_config.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/supported_config.h"
#include "model/files/limited_json.h"
#include "tests/fuzz/hostile_input.h"

#include <algorithm>
#include <vector>

using namespace headscope;

namespace {

/// Of the first few: most of these reads end in a refusal, which is what costs time.
void readMembers(const nlohmann::json& document) {
    const std::string where = "input";
    int members = 0;
    for (const auto& member : document.items()) {
        const std::string& key = member.key();
        if (++members > 3)
            return;
        fuzz::readStranger([&] { files::integerAt(document, key, where); });
        fuzz::readStranger([&] { files::numberAt(document, key, where); });
        fuzz::readStranger([&] { files::booleanAt(document, key, where); });
        fuzz::readStranger([&] { files::stringAt(document, key, where, "otherwise"); });
        fuzz::readStranger([&] { files::integersAt(document, key, where); });
        fuzz::readStranger([&] { files::stringsAt(document, key, where); });
        fuzz::readStranger([&] { files::objectAt(document, key, where); });
        fuzz::readStranger([&] { files::arrayAt(document, key, where); });
    }
}

void readEverySetting(const checkpoint::ModelFolder& folder) {
    const auto settings = checkpoint::readSettings(
        folder, {{"heads", "8"}}, {{"heads", {"num_heads", "nhead"}}, {"norm_eps", {"eps"}}});
    for (const auto& setting : settings.all()) {
        const std::string& key = setting.first;
        fuzz::readStranger([&] { settings.integer(key); });
        fuzz::readStranger([&] { settings.number(key); });
        fuzz::readStranger([&] { settings.yesOrNo(key); });
        fuzz::readStranger([&] { settings.integers(key); });
        fuzz::readStranger([&] {
            const auto file = checkpoint::statedFile(folder, settings, key);
            fuzz::require(!file || file->parent_path() == folder.folder, "a file outside the folder");
        });
    }
}

const std::vector<checkpoint::Family>& families() {
    static const auto loaded = [] {
        std::vector<trace::RefusalText> broken;
        auto all = checkpoint::loadFamilies({HEADSCOPE_FAMILIES}, broken);
        fuzz::require(!all.empty() && broken.empty(), "tables of families do not load");
        return all;
    }();
    return loaded;
}

/// As the configuration of the family that it names, or of some family.
void configure(const checkpoint::ModelFolder& folder, std::size_t some) {
    const auto type = checkpoint::modelType(folder);
    const auto named = std::ranges::find_if(families(), [&](const checkpoint::Family& family) {
        return type && std::ranges::find(family.modelTypes, type->text) != family.modelTypes.end();
    });
    const auto& family = named != families().end() ? *named : families()[some % families().size()];
    fuzz::readStranger([&] { checkpoint::refuseUnsupported(folder, family); });
    const auto settings = checkpoint::readSettings(folder, family.settings, family.configKeys);
    const auto config = checkpoint::configureNetwork(family, settings, "input");
    fuzz::require(config.modelWidth > 0 && config.firstStack().heads > 0, "a network without heads");
    checkpoint::readGeneration(folder, settings, config);
}

} // namespace

/// config.json, headscope.json and generation_config.json.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto document = files::parseJson(text, "input");
        fuzz::require(files::parseJson(document.dump(), "its own text") == document, "JSON changes");
        if (document.is_object())
            readMembers(document);
    });
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    checkpoint::ModelFolder folder{.name = "m", .folder = "/models/m", .config = path};
    fuzz::readStranger([&] { configure(folder, size); });
    folder.sidecar = path;
    folder.generation = path;
    fuzz::readStranger([&] { checkpoint::statedFamily(folder); });
    fuzz::readStranger([&] { readEverySetting(folder); });
    fuzz::readStranger([&] { configure(folder, size); });
    return 0;
}
