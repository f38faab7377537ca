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

namespace {

struct Row {
    Workspace workspace = {};
    const char* view = "";
    Place::Region region = Place::Region::Panel;
    const char* beside = "";
};

Row workspace(const char* key, const char* title, const char* question, const char* shortcut = "",
              const char* formerKeys = "") {
    return {.workspace = {key, title, question, shortcut, formerKeys}};
}

Row place(const char* view, Place::Region region, const char* beside = "") {
    return {.view = view, .region = region, .beside = beside};
}

const std::vector<Row>& rows() {
    using enum Place::Region;
    static const std::vector<Row> all{
#define WORKSPACE(key, title, question, ...)                                                                 \
    workspace(key, QT_TRANSLATE_NOOP("Workspace", title),                                                    \
              QT_TRANSLATE_NOOP("Workspace", question) __VA_OPT__(, ) __VA_ARGS__),
#define PLACE(...) place(__VA_ARGS__),
#include "widgets/views/places.def"
#undef PLACE
#undef WORKSPACE
    };
    return all;
}

} // namespace

const std::vector<Workspace>& workspaces() {
    static const std::vector<Workspace> all = [] {
        std::vector<Workspace> found;
        for (const Row& row : rows())
            if (!row.workspace.key.empty() &&
                std::ranges::count(places(), row.workspace.key, &Place::workspace))
                found.push_back(row.workspace);
        return found;
    }();
    return all;
}

const std::vector<Place>& places() {
    static const std::vector<Place> all = [] {
        std::vector<Place> found;
        std::string workspace;
        for (const Row& row : rows()) {
            if (!*row.view)
                workspace = row.workspace.key;
            else if (const auto* spec = viewSpec(row.view))
                found.push_back(
                    {row.view, spec, workspace, row.region, viewSpec(row.beside) ? row.beside : ""});
        }
        return found;
    }();
    return all;
}

const Place* placeOf(const std::string& key) {
    const auto found = std::ranges::find(places(), key, &Place::key);
    return found == places().end() ? nullptr : &*found;
}

} // namespace headscope::widgets
