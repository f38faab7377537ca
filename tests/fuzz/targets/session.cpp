#include "app/sessions/session.h"
#include "model/files/utf8.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

/// What is read is written so that it is read again as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto state = app::parseSession(text, "input");
        const auto written = app::sessionText(state, "Headscope");
        fuzz::require(files::isUtf8(written), "a session's text");
        fuzz::require(app::parseSession(written, "its own text") == state, "a session changes");
    });
    return 0;
}
