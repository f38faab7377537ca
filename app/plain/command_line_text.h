#pragma once

#include "app/plain/picture_options.h"
#include "model/engine/engine.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope::app {

/// `text` as one word of a POSIX shell, whatever it holds: quotes, spaces, line breaks.
std::string shellQuoted(std::string_view text);

/// The command that runs the shown path of `request` on the model: `translate` for a sentence that is decoded
/// freely, else `trace`. `modelDecoding` is how the model is decoded where no option says otherwise. Nothing
/// for a source of vectors, which no option spells.
std::optional<std::string> commandLineText(const engine::ModelSource& model, const trace::Request& request,
                                           const trace::Decoding& modelDecoding);

/// The command that draws a picture of it: what a file says of itself, so `out` may be empty. Nothing as
/// above.
std::optional<std::string> pictureCommandText(const engine::ModelSource& model, const trace::Request& request,
                                              const trace::Decoding& modelDecoding,
                                              const PictureOptions& options, const std::string& out = {});

} // namespace headscope::app
