#pragma once

#include <QObject>

#include "app/document/history.h"
#include "app/document/window_state.h"
#include "app/sessions/session.h"
#include "app/work/model_hash.h"
#include "model/trace/refusal.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace headscope::app {

class SessionQuestions;
class UndoController;

/// Saves and opens session files of a window, and asks for their models if these were moved or changed. Files
/// are read and written outside the GUI thread.
class SessionController : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    struct Parts {
        WorkQueue* queue = nullptr;
        ModelHash* hash = nullptr;
        ModelHash* otherHash = nullptr; ///< of the second model
        WindowState* state = nullptr;
        UndoController* undo = nullptr;
        QWidget* window = nullptr;
        std::function<WindowLayout()> layout;
        /// Applies a session's layout; null if it has none.
        std::function<void(const std::optional<WindowLayout>&)> setLayout;
        /// Asks the user for a folder or a file; empty if cancelled.
        std::function<QString(bool folder)> chooseModel;
        /// Whether a second model is open, and a function that opens one.
        std::function<bool()> hasOther;
        std::function<void(const QString&)> openOther;
        /// Whether head importance is known or being measured, and a function that measures it.
        std::function<bool()> isMeasured;
        std::function<void()> measure;
    };
    SessionController(Parts parts, QObject* parent);

    /// File of the session opened or saved last; empty if there is none.
    const QString& path() const { return path_; }
    /// The file would differ if it were saved, in more than sizes and scroll positions; or the state was
    /// restored after a crash and is in no file.
    bool isModified() const;
    /// Returns the state of the window, with its layout and, if known, the hash of the weights.
    SessionState state() const;

    /// Returns false if the user is first asked whether to save changes; the window is closed once the user
    /// has answered. Finishes writing pending files first. Throws trace::Refusal if that fails.
    bool mayClose();

    /// Decided by the name; the content is checked when the file is read.
    static bool isSession(const QString& path);

  public Q_SLOTS:
    /// Saves to the current file; asks for one if there is none.
    void save();
    void saveAs();
    void saveTo(const QString& path);
    void chooseAndOpen();
    void open(const QString& path);
    /// Opens a file that is not the user's own, such as an autosave: later saves go elsewhere.
    void restore(const QString& path);
    /// Restores the state kept at the last quit. It does not count as modified.
    void resume(const QString& path);
    /// Uses this model for the opened session, whose own was not found or has other weights.
    void useModel(const QString& path);
    /// The same for the second model.
    void useOther(const QString& path);
    /// The second model was opened or closed.
    void followOther();

  Q_SIGNALS:
    /// path() or isModified() may have changed.
    void fileChanged();
    /// Reports a completed action that is not visible otherwise.
    void done(const QString& words, const QString& file);
    /// A session was read or is being reverted: the window's current content is about to be replaced.
    void aboutToShow();
    /// The opened or restored session is shown, with its own weights or with others that the user accepted.
    void shown(bool restored);
    /// A part of the session cannot be restored, while all else is shown; or its file cannot be read or
    /// written.
    void refused(const headscope::trace::RefusalText& text);
    /// `path` is a folder: it may be a model.
    void folderFound(const QString& path);
    /// No session is shown: its model is missing, its file cannot be read, or something else was opened
    /// meanwhile.
    void notShown();

  private:
    struct Unsaved {
        SessionState state;
        SessionState step; ///< UndoController::present()
        QString path;
        int number = 0; ///< consecutive number of the save
    };
    struct Before { ///< a session was opened
        SessionState state;
        QString path;
        SessionState saved;
        History history;
    };
    /// Serializes writing, so that an older save never overwrites a newer one.
    struct Saves {
        std::mutex writing;
        std::atomic<int> newest = 0;
        void write(const Unsaved& session);
    };
    /// Runs `work`, which reads or writes a file, outside the GUI thread; calls the function it returns on
    /// the GUI thread.
    void doWithFile(std::function<std::function<void()>()> work);
    void read(const QString& path, const QString& ownPath);
    void write(Unsaved session);
    void finishSaving();
    void askToSave();
    SessionState step() const;
    void setFile(const QString& path, const SessionState& saved);
    void completeWithHash(Unsaved session);
    void completeWithOther(Unsaved session);
    void refuseWithoutModel(const QString& path);
    void take(SessionState state);
    void show();
    bool isAsShown() const;
    void goBack();
    std::function<void()> wayBack(bool isOffered);
    void checkWeights();

    Parts parts_;
    SessionQuestions* questions_;
    QString path_;
    SessionState saved_;                                       ///< UndoController::present() in that file
    std::optional<SessionState> opening_;                      ///< the session opened last
    QString openingPath_;                                      ///< its file; empty if restored after a crash
    std::optional<Before> before_;                             ///< empty if no model was open
    bool goingBack_ = false;                                   ///< returning to before_
    std::size_t shownPlace_ = 0;                               ///< place of that session in the history
    SessionState shownStep_;                                   ///< the state at that place
    std::optional<Unsaved> unsaved_;                           ///< being written
    std::shared_ptr<Saves> saves_ = std::make_shared<Saves>(); ///< shared with writes still under way
    bool isModelThere_ = true;                                 ///< the session's model exists on disk
    bool isOtherThere_ = true;
    bool isResumed_ = false;  ///< the opening one
    bool isRestored_ = false; ///< after a crash, and not in a file of the user's own
    bool isGivenUp_ = false;  ///< changes are discarded, while the window closes
};

} // namespace headscope::app
