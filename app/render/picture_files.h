#pragma once

#include "app/choices/picture_work.h"
#include "widgets/export/figure_export.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace headscope::app {

/// Waits until the figure is prepared, and returns the bytes of its picture. `out` is named in errors. Throws
/// trace::Refusal or trace::Cancelled.
std::string pictureBytes(const PictureWork& work, widgets::FigureSource& figure,
                         const widgets::FigureOptions& options, const std::filesystem::path& out,
                         const std::stop_token& stop);

/// Calls work.hardToRead if text is too small to be read on paper.
void warnIfHardToRead(const PictureWork& work, const std::filesystem::path& out,
                      const widgets::FigureOptions& options, const widgets::FigureSource& figure);

/// Writes all files of the job, pictures and data, according to their extensions. Throws like pictureBytes().
void writePicture(const PictureWork& work, const PictureJob& job, widgets::FigureSource& figure,
                  const widgets::FigureFacts& facts, const std::stop_token& stop);

/// Draws the training curves of a log. Throws like pictureBytes().
void drawTraining(const PictureWork& work, const PictureJob& job, const std::stop_token& stop);

} // namespace headscope::app
