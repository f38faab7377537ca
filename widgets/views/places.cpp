#include "widgets/views/places.h"

#include "widgets/views/catalogue.h"

#include <algorithm>
#include <map>

namespace headscope::widgets {

ViewMaker makerOf(const std::string& key) {
    static const std::map<std::string, ViewMaker> makers{
#define VIEW(folder) {views::folder().key, &views::makers::folder},
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    const auto found = makers.find(key);
    return found == makers.end() ? nullptr : found->second;
}

const std::vector<Place>& places() {
    using enum Place::Region;
    static const std::vector<Place> all = [] {
        struct Row {
            const char* key;
            Place::Region region;
            int leastHeight;
            const char* beside;
            bool isOpen = false;
            const char* panel = nullptr;
        };
        std::vector<Place> found;
        for (const Row& row : {
#define PLACE(...) Row{__VA_ARGS__},
#include "widgets/views/places.def"
#undef PLACE
             })
            if (const auto* spec = viewSpec(row.key))
                found.push_back({row.key, spec, row.region, row.leastHeight,
                                 viewSpec(row.beside) ? row.beside : "", row.isOpen,
                                 row.panel ? row.panel : row.key});
        return found;
    }();
    return all;
}

const Place* placeOf(const std::string& key) {
    const auto found = std::ranges::find(places(), key, &Place::key);
    return found == places().end() ? nullptr : &*found;
}

} // namespace headscope::widgets
