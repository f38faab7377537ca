#include "app/window/training_process.h"

#include "app/plain/resource_folders.h"

#include <QList>

#include <csignal>

#include <unistd.h>

namespace headscope::app {

namespace {

constexpr int interrupted = 130;

QString program() {
    return QString::fromStdString(commandLineProgram().string());
}

} // namespace

TrainingProcess::TrainingProcess(QObject* parent) : QObject(parent) {}

/// Whoever wants it to go on says so before.
TrainingProcess::~TrainingProcess() {
    if (!process_)
        return;
    stop();
    letGo();
}

void TrainingProcess::start(const QString& configuration) {
    isStopping_ = false;
    unread_.clear();
    said_.clear();
    process_ = new QProcess(this);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OPENBLAS_NUM_THREADS", "1"); // this program's own is for decoding
    process_->setProcessEnvironment(environment);
    process_->setStandardOutputFile(QProcess::nullDevice());
    process_->setStandardInputFile(QProcess::nullDevice());
    process_->setChildProcessModifier(
        [] { [[maybe_unused]] const int priority = nice(5); }); // decoding first
    connect(process_, &QProcess::readyReadStandardError, this, &TrainingProcess::read);
    connect(process_, &QProcess::finished, this, &TrainingProcess::finish);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            failToStart();
    });
    process_->start(program(), {"train", configuration, "--progress-json"});
}

void TrainingProcess::stop() {
    if (!process_ || isStopping_)
        return;
    isStopping_ = true;
    if (const auto id = process_->processId(); id > 0)
        ::kill(static_cast<pid_t>(id), SIGINT);
}

/// A QProcess ends its process when it goes; this one stays until the program ends, and is not destroyed
/// then.
void TrainingProcess::letGo() {
    static auto* const gone = new QList<QProcess*>;
    if (!process_)
        return;
    process_->disconnect(this);
    process_->setParent(nullptr);
    gone->append(process_);
    process_ = nullptr;
}

void TrainingProcess::read() {
    unread_ += process_->readAllStandardError();
    for (auto end = unread_.indexOf('\n'); end >= 0; end = unread_.indexOf('\n')) {
        const QByteArray line = unread_.left(end);
        unread_.remove(0, end + 1);
        if (const auto report = parseReport(line))
            Q_EMIT reported(*report);
        else
            said_ += line + '\n';
    }
}

void TrainingProcess::finish(int status, QProcess::ExitStatus how) {
    read();
    said_ += unread_;
    process_->deleteLater();
    process_ = nullptr;
    const bool crashed = how == QProcess::CrashExit;
    const bool stopped = crashed ? isStopping_ : status == interrupted; // before it listened to signals
    if (stopped || (!crashed && status == 0)) {
        Q_EMIT ended(stopped ? Outcome::Stopped : Outcome::Done);
        return;
    }
    auto text = parseRefusal(QString::fromUtf8(said_));
    if (crashed)
        text = {.what = tr("The training was ended from outside").toStdString(),
                .where = program().toStdString(),
                .expected = {},
                .found = tr("a signal to the process that trains, or too little memory").toStdString(),
                .wayOut = tr("go on: it begins at the last saved state").toStdString(),
                .details = said_.toStdString()};
    Q_EMIT refused(text);
    Q_EMIT ended(Outcome::Failed);
}

void TrainingProcess::failToStart() {
    const QString why = process_->errorString();
    process_->deleteLater();
    process_ = nullptr;
    Q_EMIT refused({.what = tr("The trainer cannot be started").toStdString(),
                    .where = program().toStdString(),
                    .expected = tr("headscope-cli beside this program").toStdString(),
                    .found = why.toStdString(),
                    .wayOut = tr("install the program again").toStdString(),
                    .details = {}});
    Q_EMIT ended(Outcome::Failed);
}

} // namespace headscope::app
