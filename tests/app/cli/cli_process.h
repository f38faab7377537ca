#pragma once

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

/// The command line as a person or a script runs it.
namespace cli_process {

const QString program = HEADSCOPE_BUILD "/bin/headscope-cli";
const QString tiny = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny";
const QString trained = "tatoeba-en-de";

struct Result {
    int status = -1; ///< -1: crashed or did not end
    QByteArray out;
    QByteArray err;
};

inline Result resultOf(QProcess& process) {
    const bool ended = process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit;
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

inline void writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
}

inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// headscope-cli with all that takes long to load in its memory (ready_program.cpp): every command is a
/// process of its own, that begins there.
class ReadyProgram {
  public:
    ReadyProgram() {
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start(HEADSCOPE_BUILD "/tests/ready_program", {});
    }
    ~ReadyProgram() {
        process_.closeWriteChannel();
        process_.waitForFinished();
    }

    Result run(const QStringList& arguments, const QByteArray& input, int largestFile) {
        const QTemporaryDir folder;
        writeFile(folder.filePath("in"), input);
        QByteArray command = QByteArray::number(largestFile) + '\0' + folder.path().toLocal8Bit() + '\0';
        for (const QString& argument : arguments)
            command += argument.toLocal8Bit() + '\0';
        process_.write(QByteArray::number(command.size()) + '\n' + command);
        while (!process_.canReadLine())
            if (!process_.waitForReadyRead(60'000))
                qFatal("headscope-cli %s does not end", qPrintable(arguments.join(' ')));
        return {process_.readLine().toInt(), contentOf(folder.filePath("out")),
                contentOf(folder.filePath("err"))};
    }

  private:
    QProcess process_;
};

inline Result run(const QStringList& arguments, const QByteArray& input = {}, int largestFile = 0) {
    static std::unique_ptr<ReadyProgram> ready;
    if (!ready) {
        ready = std::make_unique<ReadyProgram>();
        qAddPostRoutine([] { ready.reset(); });
    }
    return ready->run(arguments, input, largestFile);
}

/// A copied command, its words as a shell reads them.
inline Result runLine(QString command) {
    QProcess shell;
    shell.start("sh", {"-c", command.replace(0, QString("headscope-cli").size(), R"(printf '%s\0')")});
    const Result words = resultOf(shell);
    if (words.status != 0 || !words.out.endsWith('\0'))
        return words;
    return run(QString::fromLocal8Bit(words.out).chopped(1).split(QChar(0)));
}

inline QJsonObject json(const QByteArray& text) {
    return QJsonDocument::fromJson(text).object();
}

inline bool contains(const QByteArray& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (!text.contains(part)) {
            qWarning("\"%s\" is not in: %s", part, text.constData());
            return false;
        }
    return true;
}

/// Where no file may become larger than a few kilobytes, as on a disk that is nearly full.
inline Result runWithoutRoom(const QStringList& arguments) {
    return run(arguments, {}, 4096);
}

/// A paragraph that says what, where, what was expected and found, and the way out.
inline bool isWholeRefusal(const QByteArray& text) {
    return contains(text, {".\n", "Where: ", "Expected: ", "Found: ", "What to do: "});
}

} // namespace cli_process

/// For tests that draw pictures or start the window.
#define SKIP_WITHOUT_WINDOW()                                                                                \
    do {                                                                                                     \
        if (!QFile::exists(HEADSCOPE_BUILD "/bin/headscope"))                                                \
            QSKIP("built without the window");                                                               \
    } while (false)
