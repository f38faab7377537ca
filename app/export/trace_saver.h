#pragma once

#include <QObject>
#include <QString>

#include "app/traces/trace_analyses.h"
#include "model/trace/known_answers.h"
#include "model/trace/refusal.h"
#include "model/trace/request.h"

#include <cstdint>
#include <deque>
#include <optional>

class QWidget;

namespace headscope::app {

class Document;
class WorkQueue;

/// Saves shown runs as traces, one after the other; a later one does not cancel an earlier one.
class TraceSaver : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    TraceSaver(Document* document, const trace::KnownAnswers* known, QWidget* window);

    /// Asks for a file. The trace contains everything that can be recorded, so that every view can show it
    /// later.
    void save();
    bool isSaving() const { return !waiting_.empty(); }
    /// Also cancels traces that wait.
    void stop();

  Q_SIGNALS:
    /// A trace was written.
    void done(const QString& words, const QString& file);
    /// Saving failed, was stopped, or was dropped because another model was opened.
    void refused(const headscope::trace::RefusalText& text);
    void savingChanged();

  private:
    struct Trace {
        QString path;
        trace::Request request;
        TraceAnalyses known;
        std::optional<std::uint64_t> twin; ///< seed of the twin, if it is shown beside the run
    };
    void write();
    void goOn();
    void followQueue();

    WorkQueue* queue_;
    Document* document_;
    const trace::KnownAnswers* known_;
    QWidget* window_;
    std::deque<Trace> waiting_; ///< the first one is being written
};

} // namespace headscope::app
