#include "app/choices/picture_work.h"
#include "app/desktop/font_names.h"
#include "app/render/picture_files.h"
#include "app/render/renderer.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/window_style.h"
#include "widgets/view_spec.h"

#include <QApplication>

#include <iostream>
#include <string>

namespace headscope::app {

namespace {

void adoptFont(const PictureWork& work) {
    const auto& options = work.options;
    const QString family = QString::fromStdString(options.font);
    if (!family.isEmpty() && !isInstalled(family))
        work.impossible("--font", whyNotInstalled(family).toStdString());
    QFont font = QApplication::font();
    if (!family.isEmpty())
        font.setFamily(family);
    if (options.fontSize > 0)
        font.setPointSizeF(options.fontSize);
    QApplication::setFont(font);
}

/// Drops the offscreen platform's warnings about windows.
void ignoreWarnings(QtMsgType type, const QMessageLogContext&, const QString& words) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::cerr << words.toStdString() << '\n';
}

void drawAll(const PictureWork& work, const std::stop_token& stop) {
    const auto& jobs = work.jobs();
    if (jobs.empty())
        return;
    if (widgets::viewSpec(work.options.view)->isOfTraining) {
        drawTraining(work, jobs.front(), stop);
        return work.done(nullptr);
    }
    Renderer renderer(work, stop);
    for (const auto& job : jobs)
        try {
            renderer.draw(job);
            work.done(nullptr);
        } catch (const trace::Refusal& refusal) {
            if (job.line.empty())
                throw;
            work.done(&refusal.text());
        }
}

} // namespace

} // namespace headscope::app

/// Qt requires its application to be created, used and destroyed on the same thread, that of the caller.
extern "C" __attribute__((visibility("default"))) void
headscopeDrawPictures(const headscope::app::PictureWork& work, std::stop_token stop) {
    using namespace headscope;
    qInstallMessageHandler(app::ignoreWarnings);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setStyle(new widgets::WindowStyle);
    int count = 1;
    std::string name = "headscope-cli";
    char* arguments[] = {name.data(), nullptr};
    QApplication application(count, arguments);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setPalette(
        widgets::paletteOf(work.options.dark ? widgets::darkTheme() : widgets::lightTheme()));
    app::adoptFont(work);
    app::drawAll(work, stop);
}
