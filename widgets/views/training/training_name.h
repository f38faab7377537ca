#pragma once

#include <filesystem>
#include <string>

namespace headscope::widgets {

/// What was trained, as the log's place says it: copy of copy.training/log.csv and of copy/log.csv.
std::string trainingName(const std::filesystem::path& log);

} // namespace headscope::widgets
