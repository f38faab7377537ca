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
    Place::Side side = Place::Side::Right;
    int width = 0;
    int height = 0;
    const char* before = ""; ///< that it has taken the place of
};

Row workspace(const char* key, const char* title, const char* question, const char* shortcut = "",
              const char* formerKeys = "", const char* ofEncoder = nullptr,
              const char* ofClassifier = nullptr) {
    return {.workspace = {key, title, question, shortcut, formerKeys, ofEncoder, ofClassifier}};
}

Row place(const char* view, Place::Region region, const char* beside = "",
          Place::Side side = Place::Side::Right) {
    return {.view = view, .region = region, .beside = beside, .side = side};
}

Row place(const char* view, Place::Region region, int width, int height) {
    return {.view = view, .region = region, .width = width, .height = height};
}

const std::vector<Row>& rows() {
    using enum Place::Region;
    using enum Place::Side;
    static const std::vector<Row> all{
#define WORKSPACE(...) workspace(__VA_ARGS__),
#define PLACE(...) place(__VA_ARGS__),
#define NOW_IN(FORMER, VIEW) {.view = VIEW, .before = FORMER},
#include "widgets/views/places.def"
#undef NOW_IN
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
            if (*row.before)
                continue;
            if (!*row.view)
                workspace = row.workspace.key;
            else if (const auto* spec = viewSpec(row.view))
                found.push_back({row.view, spec, workspace, row.region,
                                 viewSpec(row.beside) ? row.beside : "", row.side, row.width, row.height});
        }
        return found;
    }();
    return all;
}

const char* Workspace::titleFor(const trace::ModelSummary& model) const {
    const char* own = model.decoderLayers > 0 ? nullptr : model.classes > 0 ? ofClassifier : ofEncoder;
    return own ? own : title;
}

std::string nowIn(const std::string& view) {
    const auto found = std::ranges::find(rows(), view, &Row::before);
    return view.empty() || found == rows().end() ? view : found->view;
}

const Place* placeOf(const std::string& key) {
    const auto found = std::ranges::find(places(), key, &Place::key);
    return found == places().end() ? nullptr : &*found;
}

} // namespace headscope::widgets
