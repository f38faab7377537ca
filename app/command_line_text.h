#pragma once

#include "app/choices/picture_options.h"
#include "model/engine/engine.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::app {

/// `text` as one word of a POSIX shell, whatever it holds: quotes, spaces, line breaks.
std::string shellQuoted(std::string_view text);
/// Each quoted where it must be, with spaces between them.
std::string shellLine(const std::vector<std::string>& words);

/// Those that are on, as options of the command line: "--disable-head=cross.1.2".
std::vector<std::string> changeWords(const std::vector<trace::Intervention>& interventions);

/// The command that runs the shown path of `request` on the model: `translate` for a sentence that is decoded
/// freely, else `trace`. `modelDecoding` is how the model is decoded where no option says otherwise. Nothing
/// for a source of vectors, which no option spells.
std::optional<std::string> commandLineText(const engine::ModelSource& model, const trace::Request& request,
                                           const trace::Decoding& modelDecoding);

/// The words of the command that draws a picture of it, the program's name first, without the file that is
/// written. `newTokens` are decoded at most of what is not forced. Nothing as above.
std::optional<std::vector<std::string>> pictureCommandWords(const engine::ModelSource& model,
                                                            const trace::Request& request,
                                                            const trace::Decoding& modelDecoding,
                                                            const widgets::PictureOptions& options,
                                                            int newTokens);
/// The same of the curves of a training, `log` as a person names it (trainingLog).
std::vector<std::string> trainingCommandWords(const std::filesystem::path& log,
                                              const widgets::PictureOptions& options);
/// The former as a line, as a file says it of itself.
std::optional<std::string> pictureCommandText(const engine::ModelSource& model, const trace::Request& request,
                                              const trace::Decoding& modelDecoding,
                                              const widgets::PictureOptions& options, int newTokens);

} // namespace headscope::app
