#pragma once

#include "app/choices/picture_options.h"
#include "app/traces/read_trace.h"

#include <CLI/CLI.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Adds the options for the content of a picture. `choices` receives unparsed texts for readChoices().
void addPictureOptions(CLI::App& command, widgets::PictureOptions& picture,
                       std::vector<std::string>& choices);

/// Parses the choices of the picture's view, which must be known. Throws CLI::ValidationError.
void readChoices(widgets::PictureOptions& picture, const std::vector<std::string>& choices);

/// Returns the views that can show the trace by itself, including the comparison, which can show two steps or
/// another trace. Reads all of cross-attention. Throws trace::Cancelled.
std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop);

} // namespace headscope::app
