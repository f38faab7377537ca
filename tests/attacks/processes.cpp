// Attacks on programs of their own processes.
#include "tests/attacks/attacks.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>
#include <random>

#include <unistd.h>

namespace headscope::attacks {

namespace {

const QString commandLine = HEADSCOPE_BUILD "/bin/headscope-cli";
const QString window = HEADSCOPE_BUILD "/bin/headscope";
constexpr int patience = 60'000; // milliseconds

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// One way to write files: a command, and what it writes into an empty folder.
struct Writing {
    QString name;
    QStringList arguments;
    QStringList outputs;
};

/// `folder` is where they write, `trace` a recorded trace to draw quickly.
std::vector<Writing> writings(const QString& folder, const QString& trace) {
    const auto in = [&](const char* name) { return folder + '/' + name; };
    return {{"trace", {"trace", "toy-reverse", "--source", "w1 w2 w3", "--out", in("t.npz")}, {"t.npz"}},
            {"trace",
             {"trace", "toy-reverse", "--source", "w3 w1", "--out", in("t.safetensors")},
             {"t.safetensors"}},
            {"render", {"render", trace, "--view", "heatmap", "--out", in("p.png")}, {"p.png"}},
            {"render", {"render", trace, "--view", "heatmap", "--out", in("p.svg")}, {"p.svg"}},
            {"data", {"render", trace, "--view", "heatmap", "--out", in("p.csv")}, {"p.csv"}},
            {"convert",
             {"convert", "toy-reverse", "--out", in("model")},
             {"model/model.safetensors", "model/config.json"}}};
}

QString recordedTrace(const QString& folder) {
    const QString path = folder + "/trace.safetensors";
    if (QProcess::execute(commandLine,
                          {"trace", "toy-reverse", "--source", "w1 w2 w3 w4", "--quiet", "--out", path}) != 0)
        qFatal("no trace was recorded");
    return path;
}

/// Files in a folder and those below, but hidden ones too.
QStringList filesIn(const QString& folder) {
    QStringList files;
    for (const auto& entry :
         QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        if (entry.isDir())
            for (const QString& inner : filesIn(entry.filePath()))
                files += entry.fileName() + '/' + inner;
        else
            files += entry.fileName();
    return files;
}

/// The old files: those of the same command, run before with other content in their place.
void layOldFiles(const QString& folder, const Writing& writing) {
    for (const QString& output : writing.outputs) {
        QDir().mkpath(QFileInfo(folder + '/' + output).path());
        QFile file(folder + '/' + output);
        if (!file.open(QIODevice::WriteOnly) || file.write("old") != 3)
            qFatal("%s cannot be written", qPrintable(file.fileName()));
    }
}

/// What a command writes where nothing disturbs it, and how many microseconds it takes.
struct Original {
    qint64 time = 0;
    QMap<QString, QByteArray> files;
};

Original original(const QString& trace, std::size_t which) {
    static std::map<std::size_t, Original> known;
    if (const auto found = known.find(which); found != known.end())
        return found->second;
    const QTemporaryDir folder;
    const auto writing = writings(folder.path(), trace)[which];
    QElapsedTimer time;
    time.start();
    QProcess process;
    process.start(commandLine, writing.arguments);
    process.waitForFinished(patience);
    Original found{.time = time.nsecsElapsed() / 1000};
    for (const QString& output : writing.outputs)
        found.files[output] = contentOf(folder.filePath(output));
    return known[which] = found;
}

QString firstLine(const QByteArray& text) {
    return QString::fromUtf8(text.left(300)).section('\n', 0, 0);
}

/// A whole refusal: what, where, expected, found and what to do.
bool isParagraph(const QByteArray& text) {
    return text.contains(".\n  Where: ") && text.contains("\n  What to do: ");
}

} // namespace

int kills(const Options& options) {
    int count = 0;
    char** none = nullptr;
    const QCoreApplication application(count, none);
    std::mt19937_64 random(options.seed);
    const QTemporaryDir base;
    const QString trace = recordedTrace(base.path());
    int findings = 0, killed = 0, torn = 0, left = 0;
    for (int i = 0; i < options.times; ++i) {
        const QTemporaryDir folder;
        const auto all = writings(folder.path(), trace);
        const auto& writing = all[static_cast<std::size_t>(i) % all.size()];
        const auto run = [&](qint64 killAfter) {
            QProcess process;
            QElapsedTimer time;
            time.start();
            process.start(commandLine, writing.arguments);
            process.waitForStarted();
            if (killAfter >= 0) {
                QThread::usleep(static_cast<unsigned long>(killAfter));
                process.kill();
            }
            process.waitForFinished(patience);
            return time.nsecsElapsed() / 1000;
        };
        layOldFiles(folder.path(), writing);
        // Most of the time it loads; it writes in the last tenth.
        const auto [time, files] = original(trace, static_cast<std::size_t>(i) % all.size());
        const auto after =
            time * 8 / 10 + static_cast<qint64>(random() % static_cast<std::uint64_t>(time * 3 / 10 + 1));
        run(after);
        ++killed;
        for (const QString& output : writing.outputs)
            if (const auto now = contentOf(folder.filePath(output)); now != "old" && now != files[output]) {
                tell(QString("%1 is torn after %2 us: %3 bytes").arg(output).arg(after).arg(now.size()));
                ++torn;
            }
        for (const QString& file : filesIn(folder.path()))
            if (!files.contains(file) && !writing.outputs.contains(file) && file.contains(".headscope-"))
                ++left;
        // The next start removes what was left.
        run(-1);
        for (const QString& file : filesIn(folder.path()))
            if (file.contains(".headscope-")) {
                tell(file + " stays after the next start");
                ++findings;
            }
    }
    return conclude(QString("kills: %1 while writing, %2 torn, %3 left for the next start")
                        .arg(killed)
                        .arg(torn)
                        .arg(left),
                    findings + torn);
}

int faults(const Options& options) {
    int count = 0;
    char** none = nullptr;
    const QCoreApplication application(count, none);
    std::mt19937_64 random(options.seed);
    const QTemporaryDir base;
    const QString trace = recordedTrace(base.path());
    static const QStringList calls{"open", "write", "fsync", "close", "rename"};
    static constexpr int errors[] = {EIO, ENOSPC, EACCES, EROFS, EDQUOT};
    constexpr int mostTries = 10; // for one that a command meets
    int findings = 0, refused = 0, without = 0;
    for (int i = 0; refused < options.times && i < mostTries * options.times; ++i) {
        const QTemporaryDir folder;
        const auto all = writings(folder.path(), trace);
        const auto& writing = all[static_cast<std::size_t>(i) % all.size()];
        const bool isOld = random() % 2 == 0;
        if (isOld)
            layOldFiles(folder.path(), writing);
        const QString call =
            calls[static_cast<qsizetype>(random() % static_cast<std::uint64_t>(calls.size()))];
        const int at = 1 + static_cast<int>(random() % (call == "write" ? 12 : 3));
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_PRELOAD", HEADSCOPE_FAILING_CALLS);
        environment.insert("ASAN_OPTIONS", "verify_asan_link_order=0"); // which would want to be first
        environment.insert("HEADSCOPE_FAIL_CALL", call);
        environment.insert("HEADSCOPE_FAIL_AT", QString::number(at));
        environment.insert("HEADSCOPE_FAIL_ERRNO", QString::number(errors[random() % std::size(errors)]));
        process.setProcessEnvironment(environment);
        process.start(commandLine, writing.arguments + QStringList{"--quiet"});
        const QString what = QString("%1, %2 %3: ").arg(writing.name, call).arg(at);
        if (!process.waitForFinished(patience)) {
            tell(what + "does not end");
            ++findings;
            process.kill();
            process.waitForFinished();
            continue;
        }
        const auto error = process.readAllStandardError();
        if (process.exitStatus() != QProcess::NormalExit) {
            tell(what + "crashed: " + firstLine(error));
            ++findings;
            continue;
        }
        if (process.exitCode() == 0) {
            ++without; // the call was not made so often
            continue;
        }
        ++refused;
        if (!isParagraph(error)) {
            tell(what + "no paragraph: " + firstLine(error));
            ++findings;
        }
        const auto files = original(trace, static_cast<std::size_t>(i) % all.size()).files;
        for (const QString& output : writing.outputs)
            if (const auto now = contentOf(folder.filePath(output));
                now != (isOld ? "old" : "") && now != files[output]) {
                tell(what + output + " is torn: " + QString::number(now.size()) + " bytes");
                ++findings;
            }
        for (const QString& file : filesIn(folder.path()))
            if (file.contains(".headscope-")) {
                tell(what + file + " stays");
                ++findings;
            }
    }
    return conclude(QString("faults: %1 refused, %2 met no call").arg(refused).arg(without), findings);
}

int truncations(const Options& options) {
    int count = 0;
    char** none = nullptr;
    const QCoreApplication application(count, none);
    std::mt19937_64 random(options.seed);
    const QTemporaryDir base;
    const QString model = base.filePath("model");
    const QString trace = recordedTrace(base.path());
    if (QProcess::execute(commandLine, {"convert", "tatoeba-en-de", "--out", model, "--quiet"}) != 0)
        qFatal("no model was written");
    const auto weights = contentOf(model + "/model.safetensors");
    const auto recorded = contentOf(trace);
    int findings = 0, refused = 0, finished = 0;
    for (int i = 0; i < options.times; ++i) {
        const bool isTrace = i % 3 == 2;
        const QString path = isTrace ? trace : model + "/model.safetensors";
        const auto& bytes = isTrace ? recorded : weights;
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", qPrintable(path));
        file.close();
        QProcess process;
        process.start(commandLine,
                      isTrace ? QStringList{"info", trace}
                              : QStringList{"translate", model, "I like it.", "I do not know who wrote it."});
        process.waitForStarted();
        QThread::msleep(random() % 500);
        QFile::resize(path, static_cast<qint64>(random() % static_cast<std::uint64_t>(bytes.size())));
        if (!process.waitForFinished(patience)) {
            tell(path + " does not end");
            ++findings;
            process.kill();
            process.waitForFinished();
            continue;
        }
        const auto error = process.readAllStandardError();
        if (process.exitStatus() != QProcess::NormalExit) {
            tell(path + " crashed: " + firstLine(error));
            ++findings;
        } else if (process.exitCode() == 0) {
            ++finished;
        } else {
            ++refused;
            if (!isParagraph(error)) {
                tell(path + " no paragraph: " + firstLine(error));
                ++findings;
            }
        }
    }
    return conclude(QString("truncations: %1 tries, %2 refused, %3 finished before")
                        .arg(options.times)
                        .arg(refused)
                        .arg(finished),
                    findings);
}

int twoWindows(const Options& options) {
    int count = 0;
    char** none = nullptr;
    const QCoreApplication application(count, none);
    std::mt19937_64 random(options.seed);
    int findings = 0, killed = 0, terminated = 0;
    for (int i = 0; i < options.times; ++i) {
        QProcess one, two;
        for (auto* process : {&one, &two})
            process->start(window, {"toy-reverse", "--source", "w1 w2 w3"});
        for (auto* process : {&one, &two})
            process->waitForStarted();
        QThread::msleep(random() % 2500);
        one.kill();
        ++killed;
        QThread::msleep(random() % 300);
        two.terminate();
        if (!two.waitForFinished(patience)) {
            tell("a terminated window does not end");
            ++findings;
            two.kill();
            two.waitForFinished();
        } else if (two.exitStatus() == QProcess::NormalExit && two.exitCode() != 128 + SIGTERM) {
            tell(QString("a terminated window ends with %1").arg(two.exitCode()));
            ++findings;
        }
        ++terminated; // one that had not come as far as its handlers ends by the signal
        one.waitForFinished();
    }
    // What they share can still be read.
    QProcess last;
    last.start(window, {"toy-reverse"});
    last.waitForStarted();
    if (last.waitForFinished(4000)) {
        tell("a window does not open any more: " + firstLine(last.readAllStandardError()));
        ++findings;
    }
    last.terminate();
    last.waitForFinished();
    return conclude(QString("two windows: %1 killed, %2 terminated").arg(killed).arg(terminated), findings);
}

} // namespace headscope::attacks
