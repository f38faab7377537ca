#pragma once

#include "widgets/view_spec.h"

namespace headscope::app {

/// As the view says.
widgets::StaticReason staticReason(const widgets::PictureOptions& options);

/// The reason, and a way out in the words of the window and of the command line.
struct StaticReasonWords {
    const char* why = "";
    const char* inWindow = "";
    const char* onCommandLine = "";
};
/// Empty where there may be a film.
StaticReasonWords inWords(widgets::StaticReason why);

} // namespace headscope::app
