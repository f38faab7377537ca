#pragma once

#include "app/choices/picture_options.h"
#include "app/models/weights_hash.h"
#include "model/engine/engine.h"
#include "model/files/figure_files.h"
#include "model/trace/run.h"
#include "widgets/export/figure_export.h"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Returns the metadata of a figure of a run: hash of the weights (computed here if not known yet), program,
/// and the command that draws it. `model` is named as in a command; `shown` is the request of the shown path,
/// `usual` the model's default decoding, `newTokens` the maximum number of tokens for paths that are not
/// forced.
widgets::FigureFacts pictureFacts(const engine::ModelSource& model, const trace::Request& shown,
                                  const trace::Decoding& usual, const WeightsFile& weights,
                                  const widgets::PictureOptions& options, int newTokens,
                                  const std::stop_token& stop);

/// The same for training curves; `log` is named as in a command.
widgets::FigureFacts trainingFacts(const std::filesystem::path& log, const widgets::PictureOptions& options);
/// Text for training curves in place of the weights' hash.
QString weightsOfTraining();

/// Notes for a data file. The hash of the weights comes last, as it may be appended once it is known; data
/// that belongs to no run has none.
files::DataNotes dataNotes(const widgets::FigureSource& figure, widgets::FigureFacts facts);

/// Convert between parts of figures and their names in pictureParts().
std::vector<std::string> partsWithout(const widgets::FigureParts& parts);
widgets::FigureParts figureParts(const widgets::PictureOptions& options);

/// Converts options of `render` to options of the export.
widgets::FigureOptions figureOptions(const widgets::PictureOptions& options, widgets::FigureFormat format,
                                     const widgets::FigureSource& source, const widgets::FigureFacts& facts);

/// Replaces `enlarged` by the font size that it stands for.
widgets::PictureOptions withFontSize(widgets::PictureOptions options, const widgets::FigureSource& source);

/// Number of frames of the shown decoding, one per step; 0 if it cannot be animated.
std::size_t framesOf(const trace::Run& run);

/// Returns the format of a file extension; empty for others.
std::optional<widgets::FigureFormat> figureFormatOf(const std::string& path);

} // namespace headscope::app
