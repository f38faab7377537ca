#include "app/render/picture_files.h"

#include "app/export/picture_facts.h"
#include "model/files/atomic_file.h"
#include "model/files/figure_files.h"
#include "model/trace/refusal.h"
#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFontDatabase>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::app {

namespace fs = std::filesystem;

namespace {

/// Returns a hint if the picture is large because of its font.
const char* wayOutOfLargeLetters(const widgets::PictureOptions& asked) {
    const bool isLarge = asked.fontSize > QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
    return isLarge && !(asked.width && asked.height) ? "give a smaller --font-size: the picture grows with it"
                                                     : "";
}

void refuseUnlessOfThisSize(const PictureWork& work, const widgets::FigureOptions& options,
                            const fs::path& out) {
    if (const QString why = widgets::whyNotThisSize(options); !why.isEmpty())
        throw trace::Refusal(
            {.what = why.toStdString(), .where = out.string(), .wayOut = wayOutOfLargeLetters(work.options)});
}

} // namespace

std::string pictureBytes(const PictureWork& work, widgets::FigureSource& figure,
                         const widgets::FigureOptions& options, const fs::path& out,
                         const std::stop_token& stop) {
    refuseUnlessOfThisSize(work, options, out);
    bool ready = false;
    figure.prepareFigure(options.dark ? widgets::darkTheme() : widgets::lightTheme(),
                         [&ready] { ready = true; });
    while (!ready && !stop.stop_requested())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const auto bytes = widgets::figureBytes(options, figure);
    if (!bytes.error.isEmpty())
        throw trace::Refusal({.what = bytes.error.toStdString(), .where = out.string()});
    trace::throwIfStopped(stop);
    return bytes.bytes.toStdString();
}

void warnIfHardToRead(const PictureWork& work, const fs::path& out, const widgets::FigureOptions& options,
                      const widgets::FigureSource& figure) {
    if (work.hardToRead && widgets::makesLettersSmall(options, figure))
        work.hardToRead(out.string() + ": " + widgets::scaleInWords(options, figure).toStdString());
}

namespace {

/// Detects as many errors as possible before the first file is written.
void refuseUnlessAllAreSavable(const std::vector<fs::path>& outs, const PictureWork& work,
                               const widgets::FigureSource& figure, const trace::FigureData& data) {
    for (const auto& out : outs) {
        const auto format = figureFormatOf(out.string());
        if (!format) {
            std::ranges::for_each(files::figureDataFiles(out, data), files::refuseUnlessSavable);
            continue;
        }
        refuseUnlessOfThisSize(work, figureOptions(work.options, *format, figure, {}), out);
        files::refuseUnlessSavable(out);
    }
}

} // namespace

void writePicture(const PictureWork& work, const PictureJob& job, widgets::FigureSource& figure,
                  const widgets::FigureFacts& facts, const std::stop_token& stop) {
    auto all = job.alsoOut;
    all.insert(all.begin(), job.out);
    const bool hasData =
        !std::ranges::all_of(all, [](const auto& out) { return figureFormatOf(out.string()).has_value(); });
    const auto data = hasData ? figure.figureData() : trace::FigureData();
    refuseUnlessAllAreSavable(all, work, figure, data);
    bool isWarned = false;
    for (const auto& out : all) {
        const auto format = figureFormatOf(out.string());
        if (!format) {
            for (const auto& file : files::saveFigureData(out, data, dataNotes(figure, facts)))
                if (work.written)
                    work.written(file);
            continue;
        }
        const auto options = figureOptions(work.options, *format, figure, facts);
        files::saveAtomically(out, pictureBytes(work, figure, options, out, stop));
        if (!std::exchange(isWarned, true))
            warnIfHardToRead(work, out, options, figure);
        if (work.written)
            work.written(out);
    }
}

} // namespace headscope::app
