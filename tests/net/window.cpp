#include "tests/net/net.h"

#include "app/document/document.h"
#include "app/document/session_controller.h"
#include "app/document/window_state.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/window/frame/workbench.h"
#include "app/window/main_window.h"
#include "app/work/work_queue.h"
#include "tests/net/quick_png.h"
#include "tests/net/still_application.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>

#include <algorithm>

namespace headscope::net {
namespace {

constexpr int patience = 60'000; // milliseconds

bool isReady(const app::MainWindow& window) {
    const auto run = window.controller()->run();
    return run && run->complete && !window.state()->isUnsettled() &&
           !window.findChild<app::WorkQueue*>()->isBusy();
}

bool settles(const app::MainWindow& window) {
    constexpr int shortly = 50; // for timers that start a computation
    for (int calm = 0; calm < 2; ++calm) {
        if (!QTest::qWaitFor([&] { return isReady(window); }, patience))
            return false;
        QTest::qWait(shortly);
    }
    return isReady(window);
}

bool saveSession(const app::MainWindow& window, const QString& path) {
    QSignalSpy done(window.sessions(), &app::SessionController::done);
    window.sessions()->saveTo(path);
    // The hash of the weights is added later.
    return QTest::qWaitFor([&] { return !done.isEmpty() && contentOf(path).contains("sha256:"); }, patience);
}

/// Returns the window's picture once it no longer changes.
QImage pictureOf(app::MainWindow& window) {
    constexpr int pause = 60, mostOften = 100;
    window.setFocus(); // away from the view, which would show a focus frame
    QImage last;
    for (int same = 0, looked = 0; same < 2 && looked < mostOften; ++looked) {
        QTest::qWait(pause);
        window.statusBar()->clearMessage();
        const QImage next = window.grab().toImage();
        same = next == last && isReady(window) ? same + 1 : 0;
        last = next;
    }
    return last;
}

/// Returns a line for each action: name, keys, state, tooltip.
QByteArray wordsOf(const app::MainWindow& window) {
    QString text;
    for (const auto* action : window.actions().all())
        text += QString("%1 | %2 | %3%4 | %5\n")
                    .arg(action->text(),
                         QKeySequence::listToString(action->shortcuts(), QKeySequence::PortableText),
                         action->isEnabled() ? "on" : "off", action->isChecked() ? ", checked" : "",
                         action->toolTip().replace('\n', ' '));
    return text.toUtf8();
}

/// Opens the model in the window and shows each view in each of its workspaces.
int open(const QString& folder, const QString& model, const QString& sentence) {
    const StillApplication application;
    QCoreApplication::setOrganizationName("headscope-net"); // without settings from before
    QCoreApplication::setApplicationName(QString(folder).replace('/', '-'));
    app::MainWindow window(
        [] {
            return app::withTraces(
                app::loadEngine({.familyFolders = app::familyFolders(), .samples = app::sampleSentences()}));
        },
        {.model = model, .sentence = sentence.isEmpty() ? std::nullopt : std::optional(sentence)});
    window.resize(1300, 820);
    window.show();
    if (!settles(window))
        return 1;
    bool isWhole = true;
    const auto keep = [&](const QString& name) {
        const QString path = itemsOf(folder) + '/' + name;
        isWhole &= settles(window) && saveSession(window, path + ".headscope") &&
                   savePng(pictureOf(window), path + ".png");
    };
    write(itemsOf(folder) + "/actions.txt", wordsOf(window));
    // How many parts the first run came in depends on time. Another step and back is the same after all of
    // them.
    if (window.controller()->run()->target.size() > 1) {
        window.controller()->goTo(1);
        isWhole &= settles(window);
        window.controller()->goTo(0);
    }
    auto* bench = window.findChild<app::Workbench*>();
    const auto& shown = window.findChild<app::Document*>()->state();
    for (const auto& place : widgets::places())
        if (!place.workspace.empty() && !widgets::lackOf(*place.spec, shown)) {
            bench->setWorkspace(place.workspace);
            bench->show(place.key);
            keep(QString::fromStdString(place.workspace + '-' + place.key));
            bench->close(place.key);
        }
    return isWhole ? 0 : 1;
}

Task window(const QString& name, const QString& model, const QString& sentence) {
    const QString folder = "window/" + name;
    return {folder, [=] { return open(folder, model, sentence); }};
}

} // namespace

std::vector<Task> windowTasks() {
    return {window("translator", "tatoeba-en-de", "The old man gave his daughter a red book."),
            window("classifier", "imdb-classifier", "It is not a bad film at all."),
            window("trace", "traces/every-option.safetensors", {})};
}

} // namespace headscope::net
