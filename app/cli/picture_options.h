#pragma once

#include "app/choices/picture_options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// The options that say what a picture shows; `choices` as they are written, for readChoices().
void addPictureOptions(CLI::App& command, widgets::PictureOptions& picture,
                       std::vector<std::string>& choices);

/// Of the picture's view, once that is known. Throws CLI::ValidationError.
void readChoices(widgets::PictureOptions& picture, const std::vector<std::string>& choices);

} // namespace headscope::app
