#pragma once

#include "app/choices/picture_options.h"

namespace headscope::app {

/// Why there is no film of the picture, whatever is decoded: what is missing from every step, and the way
/// out.
enum class NoFilm {
    None,
    ComparesWithStep, ///< which has nothing to show at that step
    OfWhole,          ///< of the decoding as a whole: all frames would be alike
    OfWholeOutput,    ///< the same, and it can be had of one step: `of`
    OfWholePage,      ///< the same of this page, and another follows the steps
    OfEncoder,        ///< the same of its heads, which read the whole sentence
    OfPinnedRow,      ///< the same of what is said of one row, unless it is that of the step
};
NoFilm whyNoFilm(const PictureOptions& options);

/// The reason, and a way out in the words of the window and of the command line.
struct NoFilmWords {
    const char* why = "";
    const char* inWindow = "";
    const char* onCommandLine = "";
};
/// Empty where there may be a film.
NoFilmWords inWords(NoFilm why);

} // namespace headscope::app
