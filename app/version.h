#pragma once

namespace headscope::app {

/// "0.1.0"
const char* version();

} // namespace headscope::app
