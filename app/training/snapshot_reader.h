#pragma once

#include <QObject>
#include <QString>

#include "app/work/work_queue.h"
#include "model/trace/run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// What a snapshot of a training does with a sentence. Both runs are null until they are known.
struct SnapshotReading {
    std::int64_t step = 0;
    std::shared_ptr<const trace::Run> own; ///< decodes for itself; a classifier answers
    /// Reads the output of the newest snapshot, so that the maps of all have the same axes; of the newest,
    /// and of models without a decoder: `own`.
    std::shared_ptr<const trace::Run> common;

    /// Mean log-probability per token of the common output, natural logarithm; of a classifier that of the
    /// class that the newest snapshot answers. Needs the newest reading.
    std::optional<double> score(const SnapshotReading& newest) const;
};

/// Reads a sentence with all snapshots of a training, also while it goes on, with an engine of its own: the
/// newest first, then what is new, until all are known.
class SnapshotReader : public QObject {
    Q_OBJECT

  public:
    SnapshotReader(WorkQueue::MakeEngine makeEngine, QObject* parent);

    /// A series of snapshots, which need not exist yet, and the sentence; an empty one reads nothing.
    void setQuestion(const QString& folder, const QString& sentence);
    /// Reads what has been written since. Cheap if nothing was.
    void follow();
    /// Ascending by step; some may not be known yet.
    const std::vector<SnapshotReading>& readings() const { return readings_; }
    bool isReading() const { return isReading_; }
    /// As WorkQueue::leave().
    void leave() { queue_->leave(); }

  Q_SIGNALS:
    void changed();
    /// The sentence cannot be read.
    void refused(const headscope::trace::RefusalText& text);

  private:
    void readNext();
    void read(std::size_t index, std::shared_ptr<const trace::Run> output);
    void take(std::int64_t step, std::shared_ptr<const trace::Run> own,
              std::shared_ptr<const trace::Run> common);

    WorkQueue* queue_;
    bool isStarted_ = false;
    QString folder_;
    QString sentence_;
    std::vector<SnapshotReading> readings_;
    bool isReading_ = false;
};

} // namespace headscope::app
