#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/models/model_series.h"
#include "app/results/run_queue.h"
#include "app/window/actions.h"
#include "model/trace/request.h"

#include <optional>

namespace headscope::widgets {
class SnapshotBar;
}

namespace headscope::app {

class DecodeController;
class ModelOpener;

/// Goes through the moments of a training: opens the chosen snapshot and asks it what the one before was
/// asked.
class SnapshotController : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as it is used.
    SnapshotController(RunQueue* queue, ModelOpener* opener, DecodeController* controller,
                       widgets::SnapshotBar* bar, Actions* actions, QObject* parent);

    /// A model was opened, and is of a series or not. Returns what it is to be asked if it is the one before
    /// at another moment.
    std::optional<trace::Request> follow();
    /// What the open model is called, and what its series is called at other moments; itself alone where it
    /// is of no series.
    QStringList names(const QString& shown) const;
    /// The model that was asked for was refused: the one that is open stays.
    void stay();
    /// Playing ends where it is.
    void pause();

  Q_SIGNALS:
    /// A snapshot was chosen, and is opened next.
    void chosen();

  private:
    void play();
    void playOn();
    void followPlay();
    void open(int index);
    void show();
    void offer();
    std::optional<trace::Request> request() const;

    RunQueue* queue_;
    ModelOpener* opener_;
    DecodeController* controller_;
    widgets::SnapshotBar* bar_;
    Actions* actions_;
    std::optional<ModelSeries> series_;   ///< of the model that is open
    std::optional<trace::Request> asked_; ///< of the last snapshot, unless something else was asked since
    QString chosen_;                      ///< the last snapshot that was chosen here
    QTimer pace_;                         ///< until the next snapshot, once one is shown
    bool isPlaying_ = false;
    bool playsOn_ = false; ///< the slider is moved by playing, not by a person
};

} // namespace headscope::app
