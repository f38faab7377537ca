#include "widgets/views/places.h"

#include "widgets/views/catalogue.h"

#include <map>

namespace headscope::widgets {

ViewMaker makerOf(const std::string& key) {
    static const std::map<std::string, ViewMaker> makers{
#define OF_ITS_OWN(folder)
#define VIEW(folder) {views::folder().key, &views::makers::folder},
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    const auto found = makers.find(key);
    return found == makers.end() ? nullptr : found->second;
}

const std::vector<Place>& places() {
    using enum Place::Region;
    static const std::vector<Place> all{
#define PLACE(key, region, leastHeight, ...) {key, viewSpec(key), region, leastHeight, __VA_ARGS__},
#include "widgets/views/places.def"
#undef PLACE
    };
    return all;
}

} // namespace headscope::widgets
