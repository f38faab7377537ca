#include "app/choices/no_film.h"

#include "app/models/training_log.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

/// The only quantity of an encoder's map that is of a step: its logit's.
bool followsLogit(const PictureOptions& options) {
    return options.quantity == "gradient";
}

/// Bars, or their order, that are of the step.
bool followsImportance(const PictureOptions& options) {
    const bool isRanked = isChosen(options, "tinted", true) || isChosen(options, "sorted", true);
    const bool byImportance =
        !options.choices.contains("by") || isChosen(options, "by", std::string("importance"));
    return isRanked && byImportance && !isChosen(options, "importance-of", std::string("sentence"));
}

/// Of nothing but heads of the encoder, which are the same at every step.
bool isOfEncoderAlone(const PictureOptions& options) {
    const auto isOfEncoder = [](const trace::HeadAddress& head) {
        return head.site.kind == trace::AttentionKind::EncoderSelf;
    };
    if (!options.head || !isOfEncoder(*options.head)) // the best-aligning one is none
        return false;
    if (options.view == "heatmap")
        return !followsLogit(options) && std::ranges::all_of(options.pinned, isOfEncoder);
    if (options.view == "random-twin")
        return !followsLogit(options);
    if (options.view == "contact-sheet")
        return !followsImportance(options);
    static const std::vector<std::string> ofHead{"lines", "masks", "arithmetic", "scale", "compare"};
    return std::ranges::find(ofHead, options.view) != ofHead.end();
}

/// One row in words and numbers, and not that of the step.
bool isOfPinnedRow(const PictureOptions& options) {
    return (options.view == "arithmetic" || options.view == "scale") && (options.cell || options.query);
}

} // namespace

NoFilm whyNoFilm(const PictureOptions& options) {
    static const std::vector<std::string> wholes{"positions", "inputs",     "classifier", "branches",
                                                 "reference", "head-table", "head-page",  trainingView};
    if (options.view == "compare" && isChosen(options, "with", std::string("step")))
        return NoFilm::ComparesWithStep;
    if (options.view == "importance" && isChosen(options, "of", std::string("sentence")))
        return NoFilm::OfWholeOutput;
    const bool isOfHead =
        !options.choices.contains("scores-of") || isChosen(options, "scores-of", std::string("head"));
    if (options.view == "scale" && !(options.page == "temperature" && isOfHead))
        return NoFilm::OfWholePage;
    if (isOfEncoderAlone(options))
        return NoFilm::OfEncoder;
    if (isOfPinnedRow(options))
        return NoFilm::OfPinnedRow;
    return std::ranges::find(wholes, options.view) == wholes.end() ? NoFilm::None : NoFilm::OfWhole;
}

NoFilmWords inWords(NoFilm why) {
    switch (why) {
    case NoFilm::ComparesWithStep:
        return {.why = "At the step that the others are compared with there is nothing to compare",
                .inWindow = "compare with something else than a step",
                .onCommandLine = "another --choose with=..."};
    case NoFilm::OfWhole:
        return {.why = "It shows the sentence as a whole, the same at every step",
                .inWindow = "animate a view that follows the steps, such as the heatmap",
                .onCommandLine = "a view that follows the steps, such as heatmap"};
    case NoFilm::OfWholeOutput:
        return {.why = "What heads are worth to the whole sentence is the same at every step",
                .inWindow = "choose \u201Cthis step\u201D above the list",
                .onCommandLine = "--choose of=step"};
    case NoFilm::OfWholePage:
        return {.why = "It shows scores of the whole sentence, the same at every step",
                .inWindow = "choose the page Temperature, of one head",
                .onCommandLine = "--page temperature of one head"};
    case NoFilm::OfEncoder:
        return {.why = "The encoder reads the sentence as a whole, the same at every step",
                .inWindow = "choose a head of the decoder or of cross-attention",
                .onCommandLine = "another head, such as --head cross.0.0"};
    case NoFilm::OfPinnedRow:
        return {.why = "The row is pinned, the same at every step",
                .inWindow = "unpin it, and the row is that of the step",
                .onCommandLine = "neither --cell nor --query, so that the row is that of the step"};
    case NoFilm::None:
        break;
    }
    return {};
}

} // namespace headscope::app
