#pragma once

#include "app/choices/picture_options.h"
#include "app/cli/options.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Options of the command `render`.
struct RenderOptions {
    CommonOptions common;
    ModelOptions model;
    InputOptions input;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    widgets::PictureOptions picture;
    std::vector<std::string> choices; ///< choices of the picture, not parsed
    std::vector<std::string> out;
    std::string sentences; ///< a file of sentences
    std::string folder;    ///< output folder for their pictures
    std::string format = "png";
    bool progressAsJson = false;
    bool isAsRecorded = false; ///< the model is a trace and no other input is given

    void addTo(CLI::App& command);
    /// Parses the choices. Throws CLI::ValidationError if options contradict each other.
    void check(const CLI::App& command);

  private:
    void addFile(CLI::App& command);
    void checkView(const CLI::App& command) const;
    void checkAnimation(const CLI::App& command) const;
    void checkFiles(const CLI::App& command) const;
    void checkTraining(const CLI::App& command) const;
    void checkInput(const CLI::App& command);
    void checkPicture() const;
};

} // namespace headscope::app
