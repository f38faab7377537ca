#pragma once

#include "app/choices/picture_options.h"
#include "model/engine/engine.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::app {

/// Quotes `text` as one word of a POSIX shell; it may contain quotes, spaces and line breaks.
std::string shellQuoted(std::string_view text);
/// Joins the words with spaces, each quoted if necessary.
std::string shellLine(const std::vector<std::string>& words);

/// Returns the enabled changes as command line options, such as "--disable-head=cross.1.2".
std::vector<std::string> changeWords(const std::vector<trace::Intervention>& interventions);

/// Returns the command that runs the shown path of `request`: `translate` for a freely decoded sentence,
/// `predict` for a text if the model `predicts` (an encoder alone with a head), else `trace`. Decoding
/// options equal to `modelDecoding` are omitted. Empty for a source of vectors, which no option can express.
std::optional<std::string> commandLineText(const engine::ModelSource& model, const trace::Request& request,
                                           const trace::Decoding& modelDecoding, bool predicts = false);

/// Returns the words of the command that draws a picture of the request, starting with the program's name and
/// without the output file. `newTokens` is the maximum for paths that are not forced. Empty as above.
std::optional<std::vector<std::string>> pictureCommandWords(const engine::ModelSource& model,
                                                            const trace::Request& request,
                                                            const trace::Decoding& modelDecoding,
                                                            const widgets::PictureOptions& options,
                                                            int newTokens);
/// The same for training curves; `log` as accepted by trainingLog().
std::vector<std::string> trainingCommandWords(const std::filesystem::path& log,
                                              const widgets::PictureOptions& options);
/// pictureCommandWords() as one line, for the metadata of files.
std::optional<std::string> pictureCommandText(const engine::ModelSource& model, const trace::Request& request,
                                              const trace::Decoding& modelDecoding,
                                              const widgets::PictureOptions& options, int newTokens);

} // namespace headscope::app
