#include "app/pictures/picture_stage.h"
#include "app/plain/picture_work.h"
#include "app/plain/version.h"
#include "widgets/outlined_style.h"
#include "widgets/theme.h"

#include <QApplication>

#include <iostream>

namespace headscope::app {

namespace {

void adoptFont(const PictureOptions& options) {
    QFont font = QApplication::font();
    if (!options.font.empty())
        font.setFamily(QString::fromStdString(options.font));
    if (options.fontSize > 0)
        font.setPointSizeF(options.fontSize);
    QApplication::setFont(font);
}

/// The offscreen platform says things about windows that nobody sees.
void keepQuiet(QtMsgType type, const QMessageLogContext&, const QString& words) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::cerr << words.toStdString() << '\n';
}

void drawAll(const PictureWork& work, const std::stop_token& stop) {
    PictureStage stage(work, stop);
    for (std::size_t job = 0; job < work.jobs.size(); ++job)
        try {
            stage.draw(work.jobs[job]);
            work.done(job, nullptr);
        } catch (const trace::Refusal& refusal) {
            if (work.jobs.size() == 1)
                throw;
            work.done(job, &refusal.text());
        }
}

} // namespace

} // namespace headscope::app

/// Qt must see its application made, used and gone on one thread, which is the caller's.
extern "C" __attribute__((visibility("default"))) void
headscopeDrawPictures(const headscope::app::PictureWork& work, std::stop_token stop) {
    using namespace headscope;
    qInstallMessageHandler(app::keepQuiet);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setStyle(new widgets::OutlinedStyle);
    int count = 1;
    std::string name = "headscope-cli";
    char* arguments[] = {name.data(), nullptr};
    QApplication application(count, arguments);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setPalette(
        widgets::paletteOf(work.options.dark ? widgets::darkTheme() : widgets::lightTheme()));
    app::adoptFont(work.options);
    app::drawAll(work, stop);
}
