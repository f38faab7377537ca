// How long a person waits in the window, from asking until everything on screen shows it: a step that is
// there, a step that is decoded, another head, a branch, another sentence while a long one is being decoded.
// Beside it the time to paint the whole window once. On the bundled model; or, for a given one, from when its
// run of a sentence is there until all small maps of its heads are painted.
//
//     xvfb-run step_benchmark [MODEL SENTENCE...]        (or QT_QPA_PLATFORM=offscreen)

#include "app/desktop/actions.h"
#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <vector>

namespace {

using namespace headscope;

constexpr int rounds = 15;

/// Paint events of the window and all in it; the last one ended what was waited for.
class PaintWatch : public QObject {
  public:
    explicit PaintWatch(const QElapsedTimer& clock) : clock_(clock) { qApp->installEventFilter(this); }
    double last = 0; ///< milliseconds on the clock

  private:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint)
            last = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
        return false;
    }
    const QElapsedTimer& clock_;
};

/// Milliseconds until `done` and nothing more is painted. What is painted because of it is painted as soon as
/// the event loop is free: a tenth of a second of silence ends it, and is not counted.
double waitedFor(const std::function<void()>& ask, const std::function<bool()>& done) {
    QElapsedTimer clock;
    clock.start();
    PaintWatch watch(clock);
    ask();
    double reached = -1;
    while (reached < 0 ||
           static_cast<double>(clock.nsecsElapsed()) / 1e6 < std::max(reached, watch.last) + 100) {
        QApplication::processEvents(QEventLoop::AllEvents, 5);
        if (reached < 0 && done())
            reached = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        if (clock.elapsed() > 20000)
            qFatal("what was asked for is not there after 20 s");
    }
    return std::max(reached, watch.last);
}

/// Returns the median; the repaint is compared with itself.
double print(const char* what, std::vector<double> times, std::optional<double> bare = std::nullopt) {
    std::ranges::sort(times);
    const double median = times[times.size() / 2];
    std::printf("%-46s median %6.1f ms, longest %6.1f ms, %5.1f of a repaint\n", what, median, times.back(),
                median / bare.value_or(median));
    return median;
}

template <class Round>
std::vector<double> times(Round&& round) {
    std::vector<double> all;
    for (int i = 0; i < rounds; ++i)
        all.push_back(round(i));
    return all;
}

double usualRepaint(app::MainWindow& window) {
    return print("the whole window painted once",
                 times([&](int) { return waitedFor([&] { window.repaint(); }, [] { return true; }); }));
}

/// A run is there when the views are told.
void measureRuns(app::MainWindow& window, const std::vector<std::string>& sentences) {
    auto* controller = window.controller();
    waitedFor([] {}, [&] { return controller->run() && controller->run()->complete; });
    const double bare = usualRepaint(window);
    for (const auto& sentence : sentences) {
        std::string other = sentence; // so that each run is computed
        std::ranges::reverse(other);
        const auto all = times([&](int i) {
            QElapsedTimer clock;
            clock.start();
            double arrived = -1;
            const auto watch =
                QObject::connect(controller, &app::DecodeController::runChanged, [&](const auto& run) {
                    if (run && run->complete && arrived < 0)
                        arrived = static_cast<double>(clock.nsecsElapsed()) / 1e6;
                });
            const double painted = waitedFor([&] { controller->decode(i % 2 ? sentence : other); },
                                             [&] { return arrived >= 0; });
            QObject::disconnect(watch);
            return painted - arrived;
        });
        const auto& model = *controller->run()->model;
        const auto what = QStringLiteral("%1 tokens, %2 heads painted")
                              .arg(controller->run()->source.size())
                              .arg(model.encoderLayers * model.encoderHeads);
        print(qPrintable(what), all, bare);
    }
}

void measure(app::MainWindow& window) {
    auto* controller = window.controller();
    const auto idle = [&] {
        return controller->run() && controller->run()->complete && !controller->isDecoding();
    };
    const auto decode = [&](const char* sentence) { controller->decode(std::string(sentence)); };
    waitedFor([] {}, idle);

    const double bare = usualRepaint(window);
    print("a step that is there", times([&](int i) {
              return waitedFor([&] { controller->goTo(i % 8); },
                               [&] { return window.selection()->step() == i % 8; });
          }),
          bare);
    print("another head", times([&](int i) {
              return waitedFor(
                  [&] {
                      window.selection()->setHead({{trace::AttentionKind::Cross, i % 3}, i % 8});
                  },
                  [] { return true; });
          }),
          bare);
    print("a head off", times([&](int i) {
              window.actions()[app::ActionId::ClearChanges]->trigger();
              window.selection()->setHead({{trace::AttentionKind::Cross, i % 3}, (i + 3) % 8});
              waitedFor([] {}, [&] { return idle() && controller->run()->request.interventions.empty(); });
              return waitedFor([&] { window.actions()[app::ActionId::ToggleHead]->trigger(); },
                               [&] { return idle() && !controller->run()->request.interventions.empty(); });
          }),
          bare);
    window.actions()[app::ActionId::ClearChanges]->trigger();
    waitedFor([] {}, [&] { return idle() && controller->run()->request.interventions.empty(); });
    print("another candidate: a branch, decoded to its end", times([&](int i) {
              const auto paths = controller->run()->paths.size();
              const auto& row = controller->run()->row(1);
              const auto other = row.candidates[static_cast<std::size_t>(1 + i % 8)].token.id;
              return waitedFor([&] { controller->choose(1, other); },
                               [&] { return idle() && controller->run()->paths.size() != paths; });
          }),
          bare);

    controller->setStepByStep(true);
    decode("The old man gave his daughter a red book because she liked to read in the garden.");
    waitedFor([] {}, idle);
    print("a step that is decoded", times([&](int) {
              const int before = controller->steps();
              return waitedFor(
                  [&] { controller->forward(); },
                  [&] { return idle() && (controller->steps() > before || controller->isFinished()); });
          }),
          bare);
    controller->setStepByStep(false);

    // The long one does not end by itself.
    const auto usual = controller->decoding();
    const int usualLength = controller->newTokens();
    auto endless = usual;
    endless.minimumLength = 200;
    print("another sentence while a long one is decoded", times([&](int) {
              controller->setDecoding(endless, endless.minimumLength);
              decode("This is a very long sentence.");
              QElapsedTimer clock;
              for (clock.start(); clock.elapsed() < 40;)
                  QApplication::processEvents();
              return waitedFor(
                  [&] {
                      controller->setDecoding(usual, usualLength);
                      decode("He sleeps.");
                  },
                  [&] {
                      return controller->run() &&
                             std::get<std::string>(controller->run()->request.source) == "He sleeps.";
                  });
          }),
          bare);
}

} // namespace

int main(int count, char** arguments) {
    app::chooseKernels();
    QApplication::setStyle("Fusion");
    QApplication application(count, arguments);
    const QTemporaryDir settings;
    QCoreApplication::setOrganizationName("headscope-benchmark");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    app::MainWindow window(
        [] {
            return app::loadEngine(
                {.familyFolders = app::familyFolders(), .samples = app::sampleSentences()});
        },
        {.model = count > 1 ? QString::fromLocal8Bit(arguments[1]) : QString(),
         .sentence = count > 2 ? QString::fromLocal8Bit(arguments[2])
                               : QStringLiteral("The old man gave his daughter a red book.")});
    window.show();
    QTimer::singleShot(0, &window, [&] {
        if (count > 2)
            measureRuns(window, {arguments + 2, arguments + count});
        else
            measure(window);
        QApplication::quit();
    });
    return QApplication::exec();
}
