#include "app/version.h"

namespace headscope::app {

const char* version() {
    return HEADSCOPE_VERSION;
}

} // namespace headscope::app
