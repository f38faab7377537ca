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

/// Saves what the window shows some seconds after it changed, and offers what a window that did not close in
/// order has left.
class AutosaveController : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    AutosaveController(const QString& folder, std::chrono::milliseconds delay, RunQueue* queue,
                       ModelHash* hash, SessionController* sessions, RestoreOffer* offer, QObject* parent);
    ~AutosaveController() override;

    const QString& path() const { return files_.path(); }

  public Q_SLOTS:
    /// What is shown is another state.
    void expect();
    /// Without waiting.
    void save();
    /// Looks for what was left.
    void offerLeft();
    /// At once, for the next start to offer: the program is being terminated.
    void saveForNextStart();

  Q_SIGNALS:
    /// It could not be saved; said once, until it can be again.
    void failed(const headscope::trace::RefusalText& why);

  private:
    void offerAgain();
    void restore();
    void discard();
    void takeBackDiscard();

    RunQueue* queue_;
    ModelHash* hash_;
    SessionController* sessions_;
    RestoreOffer* offer_;
    Autosave files_;
    std::optional<Autosave::Left> left_;    ///< that is offered, or being restored
    std::vector<Autosave::Left> discarded_; ///< locked, and removed when this window closes
    bool failed_ = false;
    bool restored_ = false; ///< it is there, and being saved as this window's own
    QTimer timer_;
};

} // namespace headscope::app
