// Attacks on a window in this process.
#include "tests/attacks/attacks.h"

#include "app/desktop/actions.h"
#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/training/train_page.h"
#include "app/training/training_form.h"
#include "app/window/main_window.h"
#include "app/work/work_queue.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <random>

#include <malloc.h>
#include <unistd.h>

namespace headscope::attacks {

namespace {

const QStringList bundled{"tatoeba-en-de-learning", "tatoeba-en-de", "imdb-classifier", "toy-reverse"};

/// An application without arguments.
class Application {
    int count_ = 1;
    char name_[7] = "attack";
    char* arguments_[2] = {name_, nullptr};
    QApplication application_;

  public:
    Application() : application_(count_, arguments_) {
        QCoreApplication::setOrganizationName("headscope-attack");
        QCoreApplication::setApplicationName("headscope-attack");
    }
};

std::unique_ptr<app::MainWindow> openWindow(const QString& model, const QString& autosaveFolder = {}) {
    auto window = std::make_unique<app::MainWindow>(
        [] {
            return app::withTraces(
                app::loadEngine({.familyFolders = app::familyFolders(), .samples = app::sampleSentences()}));
        },
        app::StartWith{.model = model, .autosaveFolder = autosaveFolder});
    window->resize(1300, 820);
    window->show();
    return window;
}

/// Whether work is under way, and whether what is shown was not decoded to its end.
QString busyWith(const app::MainWindow& window) {
    QStringList busy;
    const auto run = window.controller()->run();
    if (run && !run->complete)
        busy += "unfinished-run";
    if (window.findChild<app::WorkQueue*>()->isBusy())
        busy += "work";
    return busy.join(' ');
}

bool isIdle(const app::MainWindow& window, int milliseconds) {
    return QTest::qWaitFor([&] { return busyWith(window).isEmpty(); }, milliseconds);
}

/// Idle, and something is decoded.
bool settles(const app::MainWindow& window, int milliseconds) {
    return QTest::qWaitFor([&] { return window.controller()->run() && busyWith(window).isEmpty(); },
                           milliseconds);
}

/// Megabytes.
double residentMemory() {
    double pages = 0;
    std::ifstream file("/proc/self/statm");
    file >> pages >> pages;
    return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

class Monkey {
  public:
    explicit Monkey(std::uint64_t seed) : random_(seed) {}

    /// One event; what it was, in words.
    QString act(app::MainWindow& window) {
        if (auto* modal = QApplication::activeModalWidget(); modal && chance(3)) {
            QTest::keyClick(modal, Qt::Key_Escape);
            if (QApplication::activeModalWidget() == modal)
                modal->close();
            return "closed " + nameOf(modal);
        }
        if (auto* popup = QApplication::activePopupWidget(); popup && chance(2)) {
            popup->close();
            return "closed " + nameOf(popup);
        }
        QWidget* top = QApplication::activePopupWidget();
        if (!top)
            top = QApplication::activeModalWidget();
        if (!top)
            top = &window;
        switch (draw(8)) {
        case 0:
            return triggerAction(window);
        case 1:
        case 2:
            return pressKey(top);
        case 3:
            return type(top);
        case 4:
            return turnWheel(top);
        default:
            return click(top);
        }
    }

  private:
    std::size_t draw(std::size_t count) { return random_() % std::max<std::size_t>(1, count); }
    bool chance(std::size_t of) { return draw(of) == 0; }

    static QString nameOf(const QWidget* widget) {
        return QString(widget->metaObject()->className()) + ' ' + widget->objectName();
    }

    QWidget* someWidget(QWidget* top) {
        QList<QWidget*> widgets;
        for (auto* widget : top->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2)
                widgets += widget;
        return widgets.isEmpty()
                   ? top
                   : widgets[static_cast<qsizetype>(draw(static_cast<std::size_t>(widgets.size())))];
    }

    QString triggerAction(app::MainWindow& window) {
        QList<QAction*> actions;
        for (auto* action : window.findChildren<QAction*>())
            if (action->isEnabled() && !leavesTheProgram(*action))
                actions += action;
        if (actions.isEmpty())
            return {};
        auto* action = actions[static_cast<qsizetype>(draw(static_cast<std::size_t>(actions.size())))];
        const QString text = action->text();
        action->trigger();
        return "action " + text;
    }

    /// Ends the window, or starts what works on in another process.
    static bool leavesTheProgram(const QAction& action) {
        const QString text = action.text().toLower().remove('&');
        return text.contains("quit") || text.contains("train") || action.menu() ||
               text.contains("close window");
    }

    QString pressKey(QWidget* top) {
        static constexpr int keys[] = {
            Qt::Key_Left,   Qt::Key_Right, Qt::Key_Up,    Qt::Key_Down, Qt::Key_Return, Qt::Key_Space,
            Qt::Key_Escape, Qt::Key_Tab,   Qt::Key_Home,  Qt::Key_End,  Qt::Key_D,      Qt::Key_O,
            Qt::Key_Z,      Qt::Key_Plus,  Qt::Key_Minus, Qt::Key_F1,   Qt::Key_PageUp, Qt::Key_Period};
        static constexpr Qt::KeyboardModifiers modifiers[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,
                                                              Qt::ShiftModifier, Qt::ControlModifier};
        auto* widget =
            QApplication::focusWidget() && chance(2) ? QApplication::focusWidget() : someWidget(top);
        const auto key = static_cast<Qt::Key>(keys[draw(std::size(keys))]);
        const auto modifier = modifiers[draw(std::size(modifiers))];
        if (modifier == Qt::ControlModifier && (key == Qt::Key_Return || key == Qt::Key_D))
            return {};
        QTest::keyClick(widget, key, modifier);
        return "key " + QKeySequence(key | modifier).toString() + " in " + nameOf(widget);
    }

    QString type(QWidget* top) {
        static const QStringList texts{
            "I like it.",  "a",       "",           "-1",   "999999999", QString(3000, 'x'),
            "<b>bold</b>", "\u202e",  "nan",        "0.5",  "../..",     "Das ist gut.",
            "\U0001F600",  "a\nb\tc", "cross.99.9", "#2.5", "%1 %n"};
        QList<QLineEdit*> fields;
        for (auto* field : top->findChildren<QLineEdit*>())
            if (field->isVisible() && field->isEnabled())
                fields += field;
        if (fields.isEmpty())
            return {};
        auto* field = fields[static_cast<qsizetype>(draw(static_cast<std::size_t>(fields.size())))];
        field->setFocus();
        field->selectAll();
        field->insert(texts[static_cast<qsizetype>(draw(static_cast<std::size_t>(texts.size())))]);
        if (chance(2))
            QTest::keyClick(field, Qt::Key_Return);
        return "typed in " + nameOf(field);
    }

    QString turnWheel(QWidget* top) {
        auto* widget = someWidget(top);
        const QPointF at = widget->rect().center();
        const auto modifiers = chance(3) ? Qt::ControlModifier : Qt::NoModifier;
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, chance(2) ? 120 : -120}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
        return "wheel in " + nameOf(widget);
    }

    QString click(QWidget* top) {
        auto* widget = someWidget(top);
        const QString name = nameOf(widget);
        const QPoint at(static_cast<int>(draw(static_cast<std::size_t>(widget->width()))),
                        static_cast<int>(draw(static_cast<std::size_t>(widget->height()))));
        if (chance(6)) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
            QApplication::sendEvent(widget, &event);
        } else if (chance(6)) {
            QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
        } else {
            QTest::mouseClick(widget, Qt::LeftButton, chance(5) ? Qt::ControlModifier : Qt::NoModifier, at);
        }
        return "click in " + name;
    }

    std::mt19937_64 random_;
};

/// What headscope-cli ends with.
int statusOf(const QStringList& arguments) {
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(HEADSCOPE_BUILD "/bin/headscope-cli", arguments);
    return process.waitForFinished(60'000) ? process.exitCode() : -1;
}

/// Acts in the modal dialog that is about to open, as soon as it does.
template <class Dialog>
void whenAsked(const std::function<void(Dialog&)>& act) {
    QTimer::singleShot(10, qApp, [act] {
        if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget()))
            return act(*dialog);
        whenAsked(act);
    });
}

/// A configuration that trains for some seconds.
QString trainingIn(const QString& folder) {
    const QString path = folder + "/copy.json";
    QFile file(path);
    const QByteArray content =
        R"({"corpus": {"task": "copy", "words": 6, "sentences": 300, "valid_sentences": 20},
            "network": {"encoder_layers": 1, "model_width": 16, "heads": 2},
            "training": {"steps": 2000, "batch_tokens": 200, "validate_every": 50, "bleu_sentences": 3},
            "model": "copy"})";
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
    return path;
}

/// Closes a window while it trains; what stays goes on to its end. Says what is wrong.
QString closeWhileTraining(app::MainWindow& window, const QString& folder, int after, int answer) {
    static const char* const answers[] = {"Cancel", "Stop Training", "Continue in Background"};
    const QString configuration = trainingIn(folder);
    window.actions()[app::ActionId::Train]->trigger();
    auto* page = window.findChild<app::TrainPage*>();
    page->form()->setPlan({.task = app::TrainingTask::Configuration,
                           .file = configuration,
                           .validation = {},
                           .steps = 2000,
                           .snapshots = false,
                           .name = "copy",
                           .folder = folder});
    page->train();
    QTest::qWait(after);
    if (!page->process()->isRunning())
        return "a training ends early";
    const auto press = [](const char* text) {
        whenAsked<QMessageBox>([text](QMessageBox& box) {
            for (auto* button : box.buttons())
                if (button->text().remove('&') == text)
                    return button->click();
        });
    };
    press(answers[answer]);
    const bool isClosed = window.close();
    if (isClosed == (answer == 0))
        return QString("the window does not do what was answered: %1").arg(answers[answer]);
    if (!isClosed) {
        press("Stop Training");
        if (!window.close())
            return "the window stays open";
    }
    // Another may go on with it once the first has ended; while it runs, it is refused.
    QElapsedTimer time;
    time.start();
    while (statusOf({"train", configuration, "--quiet"}) != 0)
        if (time.elapsed() > 60'000)
            return "a training does not go on";
        else
            QTest::qWait(100);
    return statusOf({"translate", folder + "/copy", "w1 w2"}) == 0 ? QString()
                                                                   : "what was trained does not open";
}

/// Closes a window while it saves a trace.
QString closeWhileSaving(app::MainWindow& window, const QString& folder, int after) {
    const QString path = folder + "/trace.safetensors";
    whenAsked<QFileDialog>([path](QFileDialog& dialog) {
        dialog.findChild<QLineEdit*>("fileNameEdit")->setText(path);
        static_cast<QDialog&>(dialog).accept();
    });
    window.actions()[app::ActionId::SaveTrace]->trigger();
    QTest::qWait(after);
    if (!QTest::qWaitFor([&] { return window.close(); }, 60'000))
        return "the window stays open";
    if (!QFile::exists(path))
        return "a trace that was being saved is not there";
    return statusOf({"info", path}) == 0 ? QString() : "a saved trace does not open";
}

} // namespace

int monkey(const Options& options) {
    constexpr double longestTurn = 5000; // milliseconds of wall clock, on a machine that may be busy
    constexpr int toBecomeIdle = 60'000;
    app::chooseKernels();
    const Application application;
    const QTemporaryDir folder;
    QDir::setCurrent(folder.path()); // where dialogs save
    int findings = 0;
    int events = 0;
    double longest = 0;
    QString longestOf;
    const auto models = options.models.isEmpty() ? bundled : options.models;
    for (qsizetype m = 0; m < models.size(); ++m) {
        auto window = openWindow(models[m], folder.filePath("autosave"));
        if (!settles(*window, toBecomeIdle)) {
            tell(models[m] + " is not decoded");
            ++findings;
            continue;
        }
        Monkey animal(options.seed + static_cast<std::uint64_t>(m));
        const int share = options.times / static_cast<int>(models.size());
        int done = 0;
        QElapsedTimer since;
        since.start();
        QString last;
        int acting = 0;
        // Each event has a timer of its own: those go on in the loops of modal dialogs.
        std::function<void()> next = [&] {
            if (const auto turn = static_cast<double>(since.elapsed()); turn > longest) {
                longest = turn;
                longestOf = models[m] + " after " + last;
            }
            QWidget* open = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                              : QApplication::activeModalWidget();
            if (done >= share && !open && acting == 0)
                return;
            QTimer::singleShot(1, window.get(), next);
            if (done >= share) { // what the last events opened would wait for somebody
                if (open)
                    open->close();
                return;
            }
            ++done;
            ++events;
            if (acting == 0 || QApplication::activeModalWidget() || QApplication::activePopupWidget()) {
                ++acting;
                last = animal.act(*window);
                --acting;
            }
            since.restart();
        };
        QTimer::singleShot(1, window.get(), next);
        while (done < share)
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        for (int i = 0; i < 20 && (QApplication::activeModalWidget() || QApplication::activePopupWidget());
             ++i) {
            if (auto* popup = QApplication::activePopupWidget())
                popup->close();
            else
                QApplication::activeModalWidget()->close();
            QCoreApplication::processEvents();
        }
        QElapsedTimer idle;
        idle.start();
        if (!isIdle(*window, toBecomeIdle)) {
            tell(models[m] + " still computes a minute after the last event (" + last +
                 "): " + busyWith(*window));
            ++findings;
        }
    }
    if (longest > longestTurn) {
        tell(QString("a turn of %1 ms: %2").arg(longest).arg(longestOf));
        ++findings;
    }
    return conclude(QString("monkey: %1 events, longest turn %2 ms").arg(events).arg(longest), findings);
}

int switches(const Options& options) {
    constexpr double mostGrowth = 1.04; // of the last third over the one before
    app::chooseKernels();
    const Application application;
    const auto models = options.models.isEmpty() ? bundled : options.models;
    auto window = openWindow(models.front());
    std::vector<double> memory;
    for (int i = 0; i < options.times; ++i) {
        window->openModel(models[i % models.size()]);
        QTest::qWait(20); // until it is under way
        if (!settles(*window, 60'000))
            return conclude("switches: " + models[i % models.size()] + " does not open", 1);
        QTest::qWait(30);
        ::malloc_trim(0); // what is free, wherever the threads left it, is not grown
        memory.push_back(residentMemory());
        if ((i + 1) % 10 == 0)
            tell(QString("%1 switches: %2 MB").arg(i + 1).arg(memory.back(), 0, 'f', 0));
    }
    const auto third = static_cast<std::ptrdiff_t>(memory.size() / 3);
    const double second = *std::max_element(memory.end() - 2 * third, memory.end() - third);
    const double last = *std::max_element(memory.end() - third, memory.end());
    return conclude(QString("switches: %1, at most %2 MB in the second third, %3 MB in the last")
                        .arg(memory.size())
                        .arg(second, 0, 'f', 0)
                        .arg(last, 0, 'f', 0),
                    last > mostGrowth * second ? 1 : 0);
}

int closings(const Options& options) {
    app::chooseKernels();
    const Application application;
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    std::mt19937_64 random(options.seed);
    int findings = 0, training = 0, saving = 0;
    for (int i = 0; i < options.times; ++i) {
        const QTemporaryDir folder;
        auto window = openWindow("toy-reverse");
        QString wrong = "it is not decoded";
        const bool isTraining = i % 2 == 0;
        if (settles(*window, 60'000)) {
            const auto after = static_cast<int>(random() % (isTraining ? 800 : 100));
            wrong = isTraining ? closeWhileTraining(*window, folder.path(), after, i / 2 % 3)
                               : closeWhileSaving(*window, folder.path(), after);
        }
        window.reset();
        ++(isTraining ? training : saving);
        for (const auto& file : QDir(folder.path()).entryList(QDir::Files | QDir::Hidden))
            if (file.startsWith(".headscope-"))
                wrong = file + " stays";
        if (!wrong.isEmpty()) {
            tell(QString("%1, %2: ").arg(i).arg(isTraining ? "training" : "saving") + wrong);
            ++findings;
        }
    }
    return conclude(QString("closings: %1 while it trained, %2 while it saved").arg(training).arg(saving),
                    findings);
}

} // namespace headscope::attacks
