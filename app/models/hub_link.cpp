#include "app/models/hub_link.h"

#include "model/files/findings.h"
#include "model/files/hub_cache.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cctype>

namespace headscope::app {

namespace {

constexpr std::string_view scheme = "headscope:";
constexpr std::string_view beginning = "headscope://open_from_hf?model=";

} // namespace

bool isHubLink(std::string_view text) {
    return text.size() >= scheme.size() &&
           std::equal(scheme.begin(), scheme.end(), text.begin(),
                      [](unsigned char one, unsigned char other) { return one == std::tolower(other); });
}

std::string modelOfLink(const std::string& link) {
    if (link.starts_with(beginning))
        if (auto name = link.substr(beginning.size()); files::isHubName(name))
            return name;
    throw trace::Refusal({.what = "This link cannot be opened",
                          .where = "a link from a web page",
                          .expected = std::string(beginning) + "ORG/NAME, a model in Hugging Face's cache",
                          .found = files::printable(link),
                          .wayOut = "open the model by its name or its folder"});
}

} // namespace headscope::app
