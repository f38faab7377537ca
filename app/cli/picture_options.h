#pragma once

#include "app/plain/picture_options.h"

#include <CLI/CLI.hpp>

namespace headscope::app {

/// What a picture shows and how a heatmap is drawn; not how it is written.
void addPictureOptions(CLI::App& command, PictureOptions& picture);

} // namespace headscope::app
