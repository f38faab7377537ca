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

/// What a figure of a run says of itself: the weights' hash, which is read here if it is not known yet, the
/// program, and the command that draws it. `model` is named as a command names it; `shown` is the request of
/// the shown path, `usual` how the model decodes unless told otherwise, `newTokens` how many tokens at most
/// are decoded where nothing is forced.
widgets::FigureFacts pictureFacts(const engine::ModelSource& model, const trace::Request& shown,
                                  const trace::Decoding& usual, const WeightsFile& weights,
                                  const widgets::PictureOptions& options, int newTokens,
                                  const std::stop_token& stop);

/// The same of the curves of a training, whose log a command calls `log`.
widgets::FigureFacts trainingFacts(const std::filesystem::path& log, const widgets::PictureOptions& options);
/// What such a figure says in place of the weights' hash.
QString weightsOfTraining();

/// What stands in a file of numbers beside them. The weights come last, as whoever hashes them meanwhile
/// hears of them last; what is of no run has none.
files::DataNotes dataNotes(const widgets::FigureSource& figure, widgets::FigureFacts facts);

/// Parts of figures by their names in pictureParts(), and the reverse.
std::vector<std::string> partsWithout(const widgets::FigureParts& parts);
widgets::FigureParts figureParts(const widgets::PictureOptions& options);

/// The same picture in the words of the export.
widgets::FigureOptions figureOptions(const widgets::PictureOptions& options, widgets::FigureFormat format,
                                     const widgets::FigureSource& source, const widgets::FigureFacts& facts);

/// How many frames the shown decoding has, one a step; 0 where it cannot be shown step by step.
std::size_t framesOf(const trace::Run& run);

/// By a file's ending; nothing for another one.
std::optional<widgets::FigureFormat> figureFormatOf(const std::string& path);

} // namespace headscope::app
