#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/desktop/actions.h"
#include "app/models/model_series.h"
#include "app/work/work_queue.h"
#include "model/trace/request.h"

#include <optional>

namespace headscope::widgets {
class SnapshotBar;
}

namespace headscope::app {

class DecodeController;
class ModelOpener;

/// Navigates the snapshots of a training: opens the chosen snapshot and repeats the previous request with it.
class SnapshotController : public QObject {
    Q_OBJECT

  public:
    /// All arguments must outlive this object.
    SnapshotController(WorkQueue* queue, ModelOpener* opener, DecodeController* controller,
                       widgets::SnapshotBar* bar, Actions* actions, QObject* parent);

    /// To be called after a model was opened. Returns the request to repeat if the model is a snapshot that
    /// was chosen here; otherwise returns an empty value.
    std::optional<trace::Request> follow();
    /// Returns `shown`, the name of the open model, followed by the names of all snapshots of its series;
    /// only `shown` if the model is not part of a series.
    QStringList names(const QString& shown) const;
    /// To be called if the chosen snapshot could not be opened: the open model is kept.
    void stay();
    /// Stops playing at the current snapshot.
    void pause();

  Q_SIGNALS:
    /// A snapshot was chosen and will be opened.
    void chosen();

  private:
    void play();
    void playOn();
    void followPlay();
    void open(int index);
    void show();
    void offer();
    std::optional<trace::Request> request() const;

    WorkQueue* queue_;
    ModelOpener* opener_;
    DecodeController* controller_;
    widgets::SnapshotBar* bar_;
    Actions* actions_;
    std::optional<ModelSeries> series_;   ///< of the open model
    std::optional<trace::Request> asked_; ///< request to repeat; empty after a different request
    QString chosen_;                      ///< the last snapshot chosen here
    QTimer pace_;                         ///< delay before the next snapshot while playing
    bool isPlaying_ = false;
    bool playsOn_ = false; ///< the slider is being moved by playing, not by the user
};

} // namespace headscope::app
