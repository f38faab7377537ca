#pragma once

#include "app/choices/picture_options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Adds the options for the content of a picture. `choices` receives unparsed texts for readChoices().
void addPictureOptions(CLI::App& command, widgets::PictureOptions& picture,
                       std::vector<std::string>& choices);

/// Parses the choices of the picture's view, which must be known. Throws CLI::ValidationError.
void readChoices(widgets::PictureOptions& picture, const std::vector<std::string>& choices);

} // namespace headscope::app
