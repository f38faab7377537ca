#include "app/plain/version.h"

namespace headscope::app {

const char* version() {
    return HEADSCOPE_VERSION;
}

} // namespace headscope::app
