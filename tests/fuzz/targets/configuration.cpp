#include "model/checkpoint/model_folder.h"
#include "model/files/limited_json.h"
#include "tests/fuzz/hostile_input.h"

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

} // namespace

/// config.json and headscope.json.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto document = files::parseJson(text, "input");
        fuzz::require(files::parseJson(document.dump(), "its own text") == document, "JSON changes");
        if (document.is_object())
            readMembers(document);
    });
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    const checkpoint::ModelFolder folder{.name = "m", .folder = "/models/m", .config = path, .sidecar = path};
    fuzz::readStranger([&] { checkpoint::statedFamily(folder); });
    fuzz::readStranger([&] { readEverySetting(folder); });
    return 0;
}
