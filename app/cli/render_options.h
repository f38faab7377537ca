#pragma once

#include "app/choices/picture_options.h"
#include "app/cli/options.h"

#include <string>
#include <vector>

namespace headscope::app {

/// What `render` draws, of what, and where it goes.
struct RenderOptions {
    CommonOptions common;
    ModelOptions model;
    InputOptions input;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    widgets::PictureOptions picture;
    std::vector<std::string> choices; ///< of the picture, as they are written
    std::vector<std::string> out;
    std::string sentences; ///< a file of them
    std::string folder;    ///< where their pictures go
    std::string format = "png";
    bool progressAsJson = false;
    bool isAsRecorded = false; ///< a trace, and no other input than its own

    void addTo(CLI::App& command);
    /// Reads the choices, and whether all of it makes sense together: else CLI::ValidationError.
    void check(const CLI::App& command);

  private:
    void addFile(CLI::App& command);
    void takePage();
    void checkView(const CLI::App& command) const;
    void checkFilm(const CLI::App& command) const;
    void checkFiles(const CLI::App& command) const;
    void checkTraining(const CLI::App& command) const;
    void checkInput(const CLI::App& command);
    void checkPicture() const;
};

} // namespace headscope::app
