#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include "model/trace/refusal.h"

namespace headscope::app {

/// What the command line program said in the end, in its parts.
trace::RefusalText parseRefusal(const QString& paragraph);

/// headscope-cli at work in a process of its own: it has its own threads and its own memory, decoding goes on
/// beside it, and whatever happens to one of the two leaves the other whole. It says how far it is on
/// standard error, one JSON object a line.
class CommandProcess : public QObject {
    Q_OBJECT

  public:
    enum class Outcome { Done, Stopped, Failed };
    Q_ENUM(Outcome)

    ~CommandProcess() override;

    bool isRunning() const { return process_ != nullptr; }
    bool isStopping() const { return isStopping_; }

  public Q_SLOTS:
    /// It ends in order, some seconds later at most.
    void stop();
    /// It goes on without this one, also after the program has ended.
    void letGo();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// After any refusal.
    void ended(headscope::app::CommandProcess::Outcome outcome);

  protected:
    /// What is said where it does not end by itself.
    struct Words {
        QString notStarted;
        QString endedFromOutside;
        QString wayOut; ///< of the latter
    };
    CommandProcess(Words words, QObject* parent);

    /// Not while one is running.
    void start(const QStringList& arguments, const QProcessEnvironment& environment);
    /// A line of progress; false for what is none.
    virtual bool take(const QByteArray& line) = 0;

  private:
    void read();
    void finish(int status, QProcess::ExitStatus how);
    void failToStart();

    Words words_;
    QProcess* process_ = nullptr; ///< null: none is running
    QByteArray unread_;           ///< the beginning of a line
    QByteArray said_;             ///< what was no progress
    bool isStopping_ = false;
};

} // namespace headscope::app
