#include "app/export/command_process.h"

#include "app/models/resource_folders.h"

#include <QList>

#include <csignal>
#include <utility>

#include <unistd.h>

namespace headscope::app {

namespace {

constexpr int interrupted = 130;

QString program() {
    return QString::fromStdString(commandLineProgram().string());
}

} // namespace

trace::RefusalText parseRefusal(const QString& paragraph) {
    trace::RefusalText text;
    std::string* part = &text.what;
    const std::pair<QString, std::string trace::RefusalText::*> labels[] = {
        {"  Where: ", &trace::RefusalText::where},
        {"  Expected: ", &trace::RefusalText::expected},
        {"  Found: ", &trace::RefusalText::found},
        {"  What to do: ", &trace::RefusalText::wayOut},
        {"  Details: ", &trace::RefusalText::details}};
    for (const QString& line : paragraph.trimmed().split('\n')) {
        QString words = line;
        for (const auto& [label, member] : labels)
            if (line.startsWith(label)) {
                part = &(text.*member);
                words = line.mid(label.size());
            }
        *part += (part->empty() ? "" : "\n") + words.toStdString();
    }
    if (text.what.ends_with('.'))
        text.what.pop_back();
    return text;
}

CommandProcess::CommandProcess(Words words, QObject* parent) : QObject(parent), words_(std::move(words)) {}

/// Stops the process, unless letGo() was called.
CommandProcess::~CommandProcess() {
    if (!process_)
        return;
    stop();
    letGo();
}

void CommandProcess::start(const QStringList& arguments, const QProcessEnvironment& environment) {
    isStopping_ = false;
    unread_.clear();
    said_.clear();
    process_ = new QProcess(this);
    process_->setProcessEnvironment(environment);
    process_->setStandardOutputFile(QProcess::nullDevice());
    process_->setStandardInputFile(QProcess::nullDevice());
    process_->setChildProcessModifier(
        [] { [[maybe_unused]] const int priority = nice(5); }); // lower than decoding
    connect(process_, &QProcess::readyReadStandardError, this, &CommandProcess::read);
    connect(process_, &QProcess::finished, this, &CommandProcess::finish);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            failToStart();
    });
    process_->start(program(), arguments);
}

void CommandProcess::stop() {
    if (!process_ || isStopping_)
        return;
    isStopping_ = true;
    if (const auto id = process_->processId(); id > 0)
        ::kill(static_cast<pid_t>(id), SIGINT);
}

/// ~QProcess kills its process. This one is kept until its process has ended, and leaked if the program ends
/// earlier.
void CommandProcess::letGo() {
    static auto* const gone = new QList<QProcess*>;
    if (!process_)
        return;
    process_->disconnect(this);
    process_->setParent(nullptr);
    gone->append(process_);
    connect(process_, &QProcess::stateChanged, process_, [process = process_](QProcess::ProcessState state) {
        if (state == QProcess::NotRunning && gone->removeOne(process))
            process->deleteLater();
    });
    process_ = nullptr;
}

void CommandProcess::read() {
    unread_ += process_->readAllStandardError();
    for (auto end = unread_.indexOf('\n'); end >= 0; end = unread_.indexOf('\n')) {
        const QByteArray line = unread_.left(end);
        unread_.remove(0, end + 1);
        if (!take(line))
            said_ += line + '\n';
    }
}

void CommandProcess::finish(int status, QProcess::ExitStatus how) {
    read();
    said_ += unread_;
    process_->deleteLater();
    process_ = nullptr;
    const bool crashed = how == QProcess::CrashExit;
    // An interrupt before its signal handler is installed ends the process as if it had crashed.
    const bool stopped = crashed ? isStopping_ : status == interrupted;
    if (stopped || (!crashed && status == 0)) {
        Q_EMIT ended(stopped ? Outcome::Stopped : Outcome::Done);
        return;
    }
    auto text = parseRefusal(QString::fromUtf8(said_));
    if (crashed)
        text = {.what = words_.endedFromOutside.toStdString(),
                .where = program().toStdString(),
                .expected = {},
                .found = tr("a signal to its process, or too little memory").toStdString(),
                .wayOut = words_.wayOut.toStdString(),
                .details = said_.toStdString()};
    Q_EMIT refused(text);
    Q_EMIT ended(Outcome::Failed);
}

void CommandProcess::failToStart() {
    const QString why = process_->errorString();
    process_->deleteLater();
    process_ = nullptr;
    Q_EMIT refused({.what = words_.notStarted.toStdString(),
                    .where = program().toStdString(),
                    .expected = tr("headscope-cli next to this program").toStdString(),
                    .found = why.toStdString(),
                    .wayOut = tr("install the program again").toStdString(),
                    .details = {}});
    Q_EMIT ended(Outcome::Failed);
}

} // namespace headscope::app
