#include "app/plain/blas_kernels.h"
#include "app/plain/engine_loader.h"
#include "app/plain/model_or_trace.h"
#include "app/plain/resource_folders.h"
#include "app/plain/version.h"
#include "app/window/main_window.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QIcon>
#include <QStandardPaths>

#include <csignal>

namespace {

constexpr int badCommandLine = 2;

} // namespace

int main(int argumentCount, char** arguments) {
    using namespace headscope;
    CLI::App program("Headscope: look inside a trained transformer", "headscope");
    program.set_version_flag("--version", std::string("headscope ") + app::version());
    program.footer("Manual: " + (app::manualFolder() / "window.md").string() +
                   ", or Help > Manual in the window");
    std::string model, sentence;
    program.add_option("MODEL", model,
                       "A folder, a weights file, a trace, a session, or the name of a bundled model");
    auto* source = program.add_option("--source", sentence, "The sentence to begin with");
    try {
        program.parse(argumentCount, arguments);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? 0 : badCommandLine;
    }
    app::chooseBlasKernels(0);
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow further is a write error like any other

    int programNameOnly = 1; // Qt's own options are environment variables too, such as QT_QPA_PLATFORM
    QApplication application(programNameOnly, arguments);
    QApplication::setApplicationName("headscope");
    QApplication::setApplicationDisplayName("Headscope");
    QApplication::setApplicationVersion(app::version());
    QApplication::setOrganizationName("headscope");
    QApplication::setDesktopFileName("headscope");
    const auto icon = app::resourceFolder() / "icons" / "headscope.svg";
    QApplication::setWindowIcon(QIcon(QString::fromStdString(icon.string())));

    app::StartWith startWith{
        .model = QString::fromStdString(model),
        .autosaveFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/autosave"};
    if (source->count() > 0)
        startWith.sentence = QString::fromStdString(sentence);
    app::MainWindow window(
        [] {
            return app::withTraces(
                app::loadEngine({.familyFolders = app::familyFolders(), .samples = app::sampleSentences()}));
        },
        startWith);
    window.show();
    return QApplication::exec();
}
