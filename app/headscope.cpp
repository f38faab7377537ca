#include "app/desktop/translation.h"
#include "app/document/autosave_controller.h"
#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/typed_arguments.h"
#include "app/version.h"
#include "app/window/main_window.h"
#include "app/window/termination.h"
#include "model/trace/refusal.h"

#include <QApplication>
#include <QIcon>
#include <QLocale>
#include <QStandardPaths>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include <unistd.h>

namespace {

constexpr int refused = 1;
constexpr int badCommandLine = 2;

std::string saidByQt; ///< messages before the application was created

/// Replaces the message with which Qt aborts if it finds no display: that advises to reinstall the program.
void refuseWithoutDisplay(QtMsgType type, const QMessageLogContext& /*where*/, const QString& message) {
    if (type != QtFatalMsg) {
        saidByQt += (saidByQt.empty() ? "" : " ") + message.toStdString();
        return;
    }
    std::string found = "neither is set";
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (qEnvironmentVariableIsSet(name))
            found = name + ("=" + qgetenv(name).toStdString());
    std::cerr << headscope::trace::paragraph(
                     {.what = "There is no display to open a window on",
                      .where = "DISPLAY, WAYLAND_DISPLAY",
                      .expected = "a desktop that runs, or X11 forwarded from one (ssh -X)",
                      .found = found,
                      .wayOut = "start it from a desktop, or use headscope-cli, which needs no display: "
                                "headscope-cli render draws every view",
                      .details = {}})
              << '\n';
    if (!saidByQt.empty())
        std::cerr << "  Details: " << saidByQt << '\n';
    std::_Exit(refused);
}

/// Returns when the user closes the window. The state is saved by then; threads may still be computing.
int showWindow(headscope::app::StartWith startWith, char** arguments) {
    using namespace headscope;
    qInstallMessageHandler(refuseWithoutDisplay);
    int programNameOnly = 1; // Qt's options can be set by environment variables, such as QT_QPA_PLATFORM
    QApplication application(programNameOnly, arguments);
    qInstallMessageHandler(nullptr);
    if (!saidByQt.empty())
        std::cerr << saidByQt << '\n';
    QApplication::setApplicationName("headscope");
    QApplication::setApplicationDisplayName("Headscope");
    QApplication::setApplicationVersion(app::version());
    QApplication::setOrganizationName("headscope");
    QApplication::setDesktopFileName("headscope");
    const auto icon = app::resourceFolder() / "icons" / "headscope.svg";
    QApplication::setWindowIcon(QIcon(QString::fromStdString(icon.string())));
    app::installTranslation(QLocale(),
                            QString::fromStdString((app::resourceFolder() / "translations").string()));

    startWith.autosaveFolder =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/autosave";
    startWith.lastFile =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/last.headscope";
    app::MainWindow window(
        [] {
            return app::withTraces(
                app::loadEngine({.familyFolders = app::familyFolders(), .samples = app::sampleSentences()}));
        },
        startWith);
    const app::Termination termination;
    QObject::connect(&termination, &app::Termination::requested, &window, [&window](int signal) {
        if (window.autosave())
            window.autosave()->saveForNextStart();
        ::_exit(app::Termination::statusOf(signal)); // does not wait for running work
    });
    window.show();
    const int status = QApplication::exec();
    window.leaveComputing();
    return status;
}

} // namespace

int main(int argumentCount, char** arguments) {
    using namespace headscope;
    CLI::App program("Headscope: look inside a trained transformer", "headscope");
    program.set_version_flag("--version", std::string("headscope ") + app::version());
    program.footer("Manual: " + (app::manualFolder() / "window.md").string() +
                   ", or Help > Learn in the window");
    std::string model, sentence;
    program.add_option(
        "MODEL", model,
        "A folder, a weights file, a trace, a session, the name of a bundled model, or ORG/NAME of "
        "one in Hugging Face's cache");
    auto* source = program.add_option("--source", sentence, "The sentence to begin with");
    try {
        app::parseAsTyped(program, argumentCount, arguments);
    } catch (const CLI::ParseError& error) {
        if (app::writeMessage(program, error, std::cout, std::cerr) != 0)
            return badCommandLine;
        return std::cout.flush() ? 0 : refused; // of --help and --version
    }
    try {
        app::chooseKernels();
    } catch (const trace::Refusal& refusal) {
        std::cerr << refusal.what() << '\n';
        return badCommandLine;
    }
    std::signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit is then an ordinary write error

    app::StartWith startWith{.model = QString::fromStdString(model)};
    if (source->count() > 0)
        startWith.sentence = QString::fromStdString(sentence);
    const int status = showWindow(std::move(startWith), arguments);
    // Skips static destructors: those of LibTorch take longer than closing the window, and running threads
    // would access destroyed objects.
    ::_exit(status);
}
