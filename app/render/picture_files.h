#pragma once

#include "app/choices/picture_work.h"
#include "widgets/export/figure_export.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace headscope::app {

/// The bytes of a picture, once what takes long is prepared. `out` is where they are to go. Throws
/// trace::Refusal, or trace::Cancelled.
std::string pictureBytes(const PictureWork& work, widgets::FigureSource& figure,
                         const widgets::FigureOptions& options, const std::filesystem::path& out,
                         const std::stop_token& stop);

/// Where letters are smaller than can be read on paper, says so, of all files of the picture at once.
void sayIfHardToRead(const PictureWork& work, const std::filesystem::path& out,
                     const widgets::FigureOptions& options, const widgets::FigureSource& figure);

/// All files of the job: pictures, or numbers where a file's ending asks for these. Throws the same.
void writePicture(const PictureWork& work, const PictureJob& job, widgets::FigureSource& figure,
                  const widgets::FigureFacts& facts, const std::stop_token& stop);

/// The curves of a training, of its log. Throws the same.
void drawTraining(const PictureWork& work, const PictureJob& job, const std::stop_token& stop);

} // namespace headscope::app
