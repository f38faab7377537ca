#include "app/pictures/picture_files.h"

#include "app/window/picture_facts.h"
#include "model/files/atomic_file.h"
#include "model/files/figure_files.h"
#include "model/trace/refusal.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace headscope::app {

namespace fs = std::filesystem;

std::string pictureBytes(widgets::FigureSource& figure, const widgets::FigureOptions& options,
                         const fs::path& out, const std::stop_token& stop) {
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

void writePicture(const PictureWork& work, const PictureJob& job, widgets::FigureSource& figure,
                  const widgets::FigureFacts& facts, const std::stop_token& stop) {
    auto all = job.alsoOut;
    all.insert(all.begin(), job.out);
    for (const auto& out : all) {
        const auto format = figureFormatOf(out.string());
        if (!format) {
            for (const auto& file : files::saveFigureData(out, figure.figureData(), dataNotes(figure, facts)))
                if (work.written)
                    work.written(file);
            continue;
        }
        const auto options = figureOptions(work.options, *format, figure, facts);
        files::saveAtomically(out, pictureBytes(figure, options, out, stop));
        if (out != job.out && work.written)
            work.written(out);
    }
}

} // namespace headscope::app
