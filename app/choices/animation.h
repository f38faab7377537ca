#pragma once

#include "widgets/view_spec.h"

namespace headscope::app {

/// Why the view cannot be animated with these options, according to its ViewSpec; None if it can.
widgets::StaticReason staticReason(const widgets::PictureOptions& options);

/// The reason, and what to do in the window and on the command line.
struct StaticReasonWords {
    const char* why = "";
    const char* inWindow = "";
    const char* onCommandLine = "";
};
/// All parts are empty for StaticReason::None.
StaticReasonWords inWords(widgets::StaticReason why);

} // namespace headscope::app
