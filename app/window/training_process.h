#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QString>

#include "app/window/training_report.h"

namespace headscope::app {

/// A training in a process of its own, headscope-cli: it has its own threads and its own memory, decoding
/// goes on beside it, and whatever happens to one of the two leaves the other whole.
class TrainingProcess : public QObject {
    Q_OBJECT

  public:
    enum class Outcome { Done, Stopped, Failed };
    Q_ENUM(Outcome)

    explicit TrainingProcess(QObject* parent = nullptr);
    ~TrainingProcess() override;

    /// Begins what a configuration says, or goes on where it was stopped. Not while one is running.
    void start(const QString& configuration);
    bool isRunning() const { return process_ != nullptr; }
    bool isStopping() const { return isStopping_; }

  public Q_SLOTS:
    /// It saves and ends, some seconds later at most.
    void stop();
    /// It goes on without this one, also after the program has ended.
    void letGo();

  Q_SIGNALS:
    void reported(const headscope::app::TrainingReport& report);
    void refused(const headscope::trace::RefusalText& text);
    /// After any refusal.
    void ended(headscope::app::TrainingProcess::Outcome outcome);

  private:
    void read();
    void finish(int status, QProcess::ExitStatus how);
    void failToStart();

    QProcess* process_ = nullptr; ///< null: none is running
    QByteArray unread_;           ///< the beginning of a line
    QByteArray said_;             ///< what was no progress
    bool isStopping_ = false;
};

} // namespace headscope::app
