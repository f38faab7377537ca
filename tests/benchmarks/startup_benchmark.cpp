#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>
#include <vector>

/// Milliseconds from starting the window's process until it says that it was painted, that the model is open,
/// and that the first heatmap is shown; beside a bare Qt window. From Ctrl+Q to the end of the process, with
/// nothing to do and while heads are measured, where xdotool presses the keys, and from SIGTERM. And how long
/// the command line takes for the picture of a heatmap. Needs a display: run it under xvfb-run or on a
/// desktop.
namespace {

constexpr int repetitions = 9;

/// When each of `marks` is first seen in what the program says.
std::map<QByteArray, double> timesOf(const QString& program, const std::vector<QByteArray>& marks) {
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_LOGGING_RULES", "headscope.timing.debug=true");
    environment.insert("XDG_CONFIG_HOME", home.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    std::map<QByteArray, double> times;
    QByteArray said;
    QElapsedTimer timer;
    timer.start();
    process.start(program, QStringList());
    while (times.size() < marks.size() && process.waitForReadyRead(20000)) {
        said += process.readAll();
        for (const auto& mark : marks)
            if (said.contains(mark))
                times.try_emplace(mark, static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    process.kill();
    process.waitForFinished();
    return times;
}

enum class QuitBy { Keys, Signal };

/// From Ctrl+Q, after other keys, or from SIGTERM to the end; nothing where nobody presses the keys.
std::optional<double> timeToQuit(QuitBy way, const QString& keysBefore) {
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_LOGGING_RULES", "headscope.timing.debug=true");
    environment.insert("XDG_CONFIG_HOME", home.path());
    environment.insert("XDG_DATA_HOME", home.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(HEADSCOPE_BUILD "/bin/headscope", QStringList());
    QByteArray said;
    while (!said.contains("first heatmap") && process.waitForReadyRead(20000))
        said += process.readAll();
    constexpr int settling = 1000; // ms
    process.waitForFinished(settling);
    // Keys without a window go to the focused one: sent to a window, releasing them fails as it is closed by
    // then.
    const auto xdotool = [](const QStringList& words) { return QProcess::execute("xdotool", words) == 0; };
    bool isPressed = way == QuitBy::Signal ||
                     (xdotool({"search", "--onlyvisible", "--pid", QString::number(process.processId()),
                               "--name", "Headscope", "windowfocus"}) &&
                      (keysBefore.isEmpty() || xdotool({"key", keysBefore})));
    QElapsedTimer timer;
    timer.start();
    if (way == QuitBy::Signal)
        process.terminate();
    else
        isPressed = isPressed && xdotool({"key", "ctrl+q"});
    isPressed = isPressed && process.waitForFinished(20000);
    const double time = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    process.kill();
    process.waitForFinished();
    return isPressed ? std::optional(time) : std::nullopt;
}

/// From a sentence to the file, with the model and the picture's fonts.
double timeOfPicture() {
    const QTemporaryDir folder;
    QElapsedTimer timer;
    timer.start();
    const int status =
        QProcess::execute(HEADSCOPE_BUILD "/bin/headscope-cli",
                          {"render", "tatoeba-en-de", "--source", "The old man gave his daughter a red book.",
                           "--view", "heatmap", "--out", folder.filePath("heatmap.png"), "--quiet"});
    if (status != 0 || !QFileInfo::exists(folder.filePath("heatmap.png")))
        qFatal("headscope-cli render ended with %d", status);
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double medianOf(const std::vector<std::map<QByteArray, double>>& runs, const QByteArray& mark) {
    std::vector<double> values;
    for (const auto& run : runs) {
        if (!run.contains(mark))
            qFatal("a program never said \"%s\"", mark.constData());
        values.push_back(run.at(mark));
    }
    return median(values);
}

} // namespace

int main() {
    std::vector<std::map<QByteArray, double>> bare, window;
    std::vector<double> pictures;
    for (int i = 0; i < repetitions; ++i) {
        bare.push_back(timesOf(HEADSCOPE_BUILD "/benchmarks/bare_window", {"first paint"}));
        window.push_back(
            timesOf(HEADSCOPE_BUILD "/bin/headscope", {"first paint", "model open", "first heatmap"}));
        pictures.push_back(timeOfPicture());
    }
    const double floor = medianOf(bare, "first paint");
    std::printf("%-32s %8s %8s\n", "median of 9, from process start", "ms", "x bare");
    std::printf("%-32s %8.0f %8.2f\n", "bare Qt window, first paint", floor, 1.0);
    for (const char* mark : {"first paint", "model open", "first heatmap"}) {
        const double time = medianOf(window, mark);
        std::printf("headscope, %-21s %8.0f %8.2f\n", mark, time, time / floor);
    }
    struct Quitting {
        const char* what;
        QuitBy way = QuitBy::Keys;
        const char* keysBefore = "";
    };
    for (const auto& [what, way, keys] : {Quitting{"quit"}, Quitting{"quit by SIGTERM", QuitBy::Signal},
                                          Quitting{"quit while measuring", QuitBy::Keys, "ctrl+h"}}) {
        std::vector<double> times;
        for (int i = 0; i < repetitions; ++i)
            if (const auto time = timeToQuit(way, keys))
                times.push_back(*time);
        if (!times.empty())
            std::printf("headscope, %-21s %8.0f %8.2f\n", what, median(times), median(times) / floor);
    }
    const double picture = median(pictures);
    std::printf("%-32s %8.0f %8.2f\n", "headscope-cli render, a heatmap", picture, picture / floor);
    return 0;
}
