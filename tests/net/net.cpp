#include "tests/net/net.h"

#include "app/cli/command_line.h"
#include "app/models/choose_kernels.h"
#include "app/models/resource_folders.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace headscope::net {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
}

namespace {

/// Runs each task in a fork of this process, as many at once as there are processors. A fork need not load
/// LibTorch and Qt again, and no task sees what another one left in memory.
class Runner {
  public:
    /// Runs only the tasks whose names begin with one of these; all tasks if the list is empty.
    explicit Runner(QStringList only) : only_(std::move(only)) {}

    void run(const std::vector<Task>& tasks) {
        for (const Task& task : tasks) {
            const auto isMeant = [&](const QString& beginning) { return task.name.startsWith(beginning); };
            if (!only_.isEmpty() && std::none_of(only_.begin(), only_.end(), isMeant))
                continue;
            if (running_.size() >= std::max(1U, std::thread::hardware_concurrency()))
                waitForOne();
            start(task);
        }
        while (!running_.empty())
            waitForOne();
    }

    bool failed() const { return failed_; }
    /// A line for each task, the slowest first.
    QString times() const {
        auto sorted = times_;
        std::sort(sorted.rbegin(), sorted.rend());
        QString text;
        for (const auto& [milliseconds, name] : sorted)
            text += QString("%1 ms %2\n").arg(milliseconds, 6).arg(name);
        return text;
    }

  private:
    struct Running {
        Task task;
        QString outputs; ///< path of its standard output and error, without .out and .err
        QElapsedTimer since;
    };

    void start(const Task& task) {
        QDir().mkpath(itemsOf(task.name));
        const QString outputs = QString("outputs/%1").arg(++started_);
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            if (!std::freopen("/dev/null", "r", stdin) ||
                !std::freopen(qPrintable(outputs + ".out"), "w", stdout) ||
                !std::freopen(qPrintable(outputs + ".err"), "w", stderr))
                _exit(1);
            app::endProgram(task.work());
        }
        if (child < 0)
            qFatal("no process can be started");
        running_[child] = {task, outputs, {}};
        running_[child].since.start();
    }

    void waitForOne() {
        int status = 0;
        const pid_t child = wait(&status);
        const auto found = running_.find(child);
        if (found == running_.end())
            return;
        const auto& [task, outputs, since] = found->second;
        times_.emplace_back(since.elapsed(), task.name);
        const int exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        if (!task.said.isEmpty())
            write(itemsOf(task.name) + "/said.txt",
                  task.said.toUtf8() + "\nexit status " + QByteArray::number(exitStatus) + "\n" +
                      contentOf(outputs + ".out") + "-- standard error\n" + contentOf(outputs + ".err"));
        else if (exitStatus != 0) {
            std::fprintf(stderr, "%s failed with %d:\n%s", qPrintable(task.name), exitStatus,
                         contentOf(outputs + ".err").constData());
            failed_ = true;
        }
        running_.erase(found);
    }

    QStringList only_;
    std::map<pid_t, Running> running_;
    std::vector<std::pair<qint64, QString>> times_;
    int started_ = 0;
    bool failed_ = false;
};

/// Replaces folders that differ between two nets by placeholders.
void hideFolders(const QString& path, const QString& net) {
    if (!QStringList{"txt", "svg", "csv", "json", "headscope"}.contains(QFileInfo(path).suffix()))
        return;
    const QByteArray whole = contentOf(path);
    QByteArray hidden = whole;
    hidden.replace(net.toUtf8(), "NET").replace(HEADSCOPE_BUILD, "BUILD").replace(HEADSCOPE_SOURCE, "SOURCE");
    if (hidden != whole)
        write(path, hidden);
}

/// Returns the number of items.
int writeManifest(const QString& net) {
    QStringList names;
    for (QDirIterator files("items", QDir::Files, QDirIterator::Subdirectories); files.hasNext();)
        names += files.next().mid(itemsOf("").size());
    names.sort();
    QByteArray manifest;
    for (const QString& name : names) {
        hideFolders(itemsOf(name), net);
        manifest += QCryptographicHash::hash(contentOf(itemsOf(name)), QCryptographicHash::Sha256).toHex() +
                    ' ' + name.toUtf8() + '\n';
    }
    write("manifest.txt", manifest);
    return static_cast<int>(names.size());
}

/// Keeps settings of the user and of the desktop out of the items, and loads what all tasks need.
void prepare(const QString& net) {
    for (const char* variable :
         {"QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE", "QT_FONT_DPI", "LANGUAGE", "LC_NUMERIC"})
        qunsetenv(variable);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("LC_ALL", "C.UTF-8");
    qputenv("TZ", "UTC");
    qputenv("COLUMNS", "80");
    for (const char* variable : {"XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        qputenv(variable, (net + "/home").toUtf8());
    app::chooseKernels();
    for (const auto& module : {app::engineModule(), app::picturesModule()})
        if (!dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL))
            qFatal("%s", dlerror());
}

int make(const QString& folder, const QStringList& only) {
    QElapsedTimer time;
    time.start();
    QDir net(folder);
    if (net.exists() && !net.isEmpty() && !net.exists("manifest.txt")) {
        std::fprintf(stderr, "%s is neither empty nor a net\n", qPrintable(folder));
        return 2;
    }
    for (const char* old : {"items", "traces", "outputs", "home"})
        QDir(net.filePath(old)).removeRecursively();
    for (const char* part : {"items", "traces", "outputs", "home"})
        net.mkpath(part);
    const QString path = net.canonicalPath();
    if (!QDir::setCurrent(path))
        return 2;
    write("manifest.txt", {});
    prepare(path);

    Runner runner(only);
    Runner({}).run(firstHelp()); // names the commands
    auto first = helpOfCommands(QString::fromUtf8(contentOf(itemsOf("help/headscope-cli/said.txt"))));
    for (auto& task : traceTasks())
        first.push_back(std::move(task));
    runner.run(first);
    splitTraces();
    auto rest = galleryTasks(); // the slowest tasks first
    for (auto& task : windowTasks())
        rest.push_back(std::move(task));
    for (auto& task : viewTasks())
        rest.push_back(std::move(task));
    runner.run(rest);
    QDir("outputs").removeRecursively();
    QDir("home").removeRecursively();
    write("times.txt", runner.times().toUtf8());
    const int items = writeManifest(path);
    std::printf("%d items in %.1f s\n", items, static_cast<double>(time.elapsed()) / 1e3);
    return runner.failed() ? 1 : 0;
}

} // namespace
} // namespace headscope::net

int main(int argc, char** argv) {
    QString folder;
    QStringList only;
    for (int i = 1; i < argc; ++i)
        if (const QString word = QString::fromLocal8Bit(argv[i]); word == "--only" && i + 1 < argc)
            only += QString::fromLocal8Bit(argv[++i]);
        else
            folder = word;
    if (folder.isEmpty() || folder.startsWith('-')) {
        std::fputs("Usage: net FOLDER [--only BEGINNING_OF_A_NAME]...\n", stderr);
        return 2;
    }
    return headscope::net::make(folder, only);
}
