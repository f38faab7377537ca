#pragma once

#include <string>
#include <string_view>

namespace headscope::app {

/// Whether a text is a link that a browser hands to this program, whatever it asks for.
bool isHubLink(std::string_view text);

/// Returns the model ORG/NAME of headscope://open_from_hf?model=ORG/NAME. Any page may have written the link:
/// throws trace::Refusal for everything else, such as paths, further parameters or escaped characters.
std::string modelOfLink(const std::string& link);

} // namespace headscope::app
