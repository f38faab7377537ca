#pragma once

#include <filesystem>
#include <string>

namespace headscope::widgets {

/// Derives the name of a trained model from the path of its log: "copy" from copy.training/log.csv and from
/// copy/log.csv.
std::string trainingName(const std::filesystem::path& log);

} // namespace headscope::widgets
