#pragma once

#include <QObject>
#include <QString>

#include "app/traces/trace_analyses.h"
#include "model/trace/refusal.h"
#include "model/trace/request.h"

#include <cstdint>
#include <deque>
#include <optional>

class QWidget;

namespace headscope::app {

class Analyses;
class DecodeController;
class RandomTwin;
class RunQueue;

/// Saves shown runs as traces, one after the other: none gives way to one that was asked for later.
class TraceSaver : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    TraceSaver(RunQueue* queue, const DecodeController* controller, const Analyses* analyses,
               const RandomTwin* twin, QWidget* window);

    /// Asks where. With everything that can be kept, so that it is enough for every view later.
    void save();
    bool isSaving() const { return !waiting_.empty(); }
    /// Those that wait, too.
    void stop();

  Q_SIGNALS:
    /// One is there.
    void done(const QString& words);
    /// What was stopped, or dropped with the model that was left.
    void refused(const headscope::trace::RefusalText& text);
    void savingChanged();

  private:
    struct Trace {
        QString path;
        trace::Request request;
        TraceAnalyses known;
        std::optional<std::uint64_t> twin; ///< its seed, where it stands beside the run
    };
    void write();
    void goOn();
    void followQueue();

    RunQueue* queue_;
    const DecodeController* controller_;
    const Analyses* analyses_;
    const RandomTwin* twin_;
    QWidget* window_;
    std::deque<Trace> waiting_; ///< the first one is being written
};

} // namespace headscope::app
