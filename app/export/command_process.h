#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include "model/trace/refusal.h"

namespace headscope::app {

/// Parses the error message that headscope-cli prints on standard error.
trace::RefusalText parseRefusal(const QString& paragraph);

/// Runs headscope-cli in a separate process with its own threads and memory: decoding continues meanwhile,
/// and a crash of either process does not affect the other. Progress is read from standard error, one JSON
/// object per line.
class CommandProcess : public QObject {
    Q_OBJECT

  public:
    enum class Outcome { Done, Stopped, Failed };
    Q_ENUM(Outcome)

    ~CommandProcess() override;

    bool isRunning() const { return process_ != nullptr; }
    bool isStopping() const { return isStopping_; }

  public Q_SLOTS:
    /// Asks the process to stop; it ends within seconds.
    void stop();
    /// Detaches the process, which continues even after this program has ended.
    void letGo();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// Emitted last, after any refused().
    void ended(headscope::app::CommandProcess::Outcome outcome);

  protected:
    /// Messages for abnormal ends.
    struct Words {
        QString notStarted;
        QString endedFromOutside;
        QString wayOut; ///< what to do after endedFromOutside
    };
    CommandProcess(Words words, QObject* parent);

    /// Must not be called while a process is running.
    void start(const QStringList& arguments, const QProcessEnvironment& environment);
    /// Handles a line of progress; returns false for other lines.
    virtual bool take(const QByteArray& line) = 0;

  private:
    void read();
    void finish(int status, QProcess::ExitStatus how);
    void failToStart();

    Words words_;
    QProcess* process_ = nullptr; ///< null if none is running
    QByteArray unread_;           ///< beginning of an incomplete line
    QByteArray said_;             ///< output other than progress
    bool isStopping_ = false;
};

} // namespace headscope::app
