#include "widgets/views/training/training_name.h"

#include <string_view>
#include <system_error>

namespace headscope::widgets {

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

} // namespace headscope::widgets
