#include "model/trace/training_log.h"

#include <string_view>
#include <system_error>

namespace headscope::trace {

void addTrainingPoint(std::vector<TrainingPoint>& points, const TrainingPoint& point) {
    while (!points.empty() && (!points.back().settled || points.back().step >= point.step))
        points.pop_back();
    points.push_back(point);
}

std::string trainingName(const std::filesystem::path& log) {
    constexpr std::string_view stateEnding = ".training"; // default ending of the state folder
    if (log.filename() != "log.csv")
        return log.stem().string();
    std::error_code ignored; // on error the path is used as it is
    auto name = std::filesystem::absolute(log, ignored).lexically_normal().parent_path().filename().string();
    if (name.ends_with(stateEnding))
        name.resize(name.size() - stateEnding.size());
    return name;
}

} // namespace headscope::trace
