#pragma once

#include "widgets/view_spec.h"

/// A function a view, which says all that is known of it without drawing it.
namespace headscope::widgets::views {

#define VIEW(folder) ViewSpec folder();
#include "widgets/views/catalogue.def"
#undef VIEW

} // namespace headscope::widgets::views
