#pragma once

#include <QObject>
#include <QTimer>

#include "app/document/autosave.h"
#include "app/document/session_controller.h"

#include <chrono>
#include <optional>
#include <vector>

namespace headscope::app {

class RestoreOffer;

/// Saves the window's state some seconds after it changed, and offers to restore the state of a window that
/// closed unexpectedly.
class AutosaveController : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    AutosaveController(const QString& folder, std::chrono::milliseconds delay, WorkQueue* queue,
                       ModelHash* hash, SessionController* sessions, RestoreOffer* offer, QObject* parent);
    ~AutosaveController() override;

    const QString& path() const { return files_.path(); }

  public Q_SLOTS:
    /// Schedules a save, because the shown state changed.
    void expect();
    /// Saves now, in the background.
    void save();
    /// Offers the newest state left behind, if any.
    void offerLeft();
    /// Saves before returning, for the next start to offer: the program is being terminated.
    void saveForNextStart();

  Q_SIGNALS:
    /// Saving failed. Emitted once, and again only after a save has succeeded.
    void failed(const headscope::trace::RefusalText& why);

  private:
    void offerAgain();
    void restore();
    void discard();
    void takeBackDiscard();

    WorkQueue* queue_;
    ModelHash* hash_;
    SessionController* sessions_;
    RestoreOffer* offer_;
    Autosave files_;
    std::optional<Autosave::Left> left_;    ///< offered, or being restored
    std::vector<Autosave::Left> discarded_; ///< locked; removed when this window closes
    bool failed_ = false;
    bool restored_ = false; ///< the restored state is shown and is being saved as this window's own
    QTimer timer_;
};

} // namespace headscope::app
