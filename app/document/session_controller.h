#pragma once

#include <QObject>
#include <QPointer>

#include "app/document/history.h"
#include "app/document/window_state.h"
#include "app/results/model_hash.h"
#include "app/sessions/session.h"
#include "model/trace/refusal.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

class QMessageBox;

namespace headscope::app {

class UndoController;

/// Session files of a window: saved, opened, and their model looked for where it was moved or changed. Files
/// are read and written off the window's thread.
class SessionController : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    struct Parts {
        RunQueue* queue = nullptr;
        ModelHash* hash = nullptr;
        ModelHash* otherHash = nullptr; ///< of the second model
        WindowState* state = nullptr;
        UndoController* undo = nullptr;
        QWidget* window = nullptr;
        std::function<WindowLayout()> layout;
        /// Of a session that says none: null. False: its panels cannot be had.
        std::function<bool(const std::optional<WindowLayout>&)> setLayout;
        /// A folder or a file that the person chooses; empty: none.
        std::function<QString(bool folder)> chooseModel;
        /// Whether the second model is open, and another one to be it.
        std::function<bool()> hasOther;
        std::function<void(const QString&)> openOther;
        /// Whether the heads' importance is known, or is just measured, and to measure it.
        std::function<bool()> isMeasured;
        std::function<void()> measure;
    };
    SessionController(Parts parts, QObject* parent);

    /// Of the session that was opened or saved last; empty: none.
    const QString& path() const { return path_; }
    /// Something that can be undone is other than in that file, or a crash has left it and no file holds it.
    bool isModified() const;
    /// What the window shows, with its layout and, as far as it is known, the weights' hash.
    SessionState state() const;

    /// False where the person is asked first what becomes of what was changed; the window is closed again
    /// once that is known. What is on its way to a file is there before. Throws trace::Refusal where it
    /// cannot be.
    bool mayClose();

    /// By its name: what is there is seen when it is read.
    static bool isSession(const QString& path);

  public Q_SLOTS:
    /// To the file it came from; asks for one where there is none.
    void save();
    void saveAs();
    void saveTo(const QString& path);
    void chooseAndOpen();
    void open(const QString& path);
    /// The same of a file that is not the person's own: what is saved later goes elsewhere.
    void restore(const QString& path);
    /// The model of the session that is being opened is this one.
    void useModel(const QString& path);
    /// The second model, too.
    void useOther(const QString& path);
    /// It was opened, or closed.
    void followOther();

  Q_SIGNALS:
    /// path() or isModified(), perhaps.
    void fileChanged();
    /// What was done, in words, where nothing else shows it.
    void done(const QString& words);
    /// A session was read, or is gone back from: what the window showed until now goes.
    void aboutToShow();
    /// The session that was opened, or restored, is what the window shows, with the weights that it names or
    /// with others that the person goes on with.
    void shown(bool restored);
    /// What of the session cannot be had, while all else is shown; or why its file cannot be read or written.
    void refused(const headscope::trace::RefusalText& text);
    /// A folder has such a name: it may be a model.
    void folderFound(const QString& path);
    /// It is not: no model, no file that can be read, or something else was wanted meanwhile or instead.
    void notShown();

  private:
    struct Unsaved {
        SessionState state;
        SessionState step; ///< in the history
        QString path;
        int number = 0; ///< among all that were saved
    };
    /// What the window showed before a session came.
    struct Before {
        SessionState state;
        QString path;
        SessionState saved;
        History history;
    };
    /// One at a time, and an older one never over a newer.
    struct Saves {
        std::mutex writing;
        std::atomic<int> newest = 0;
        void write(const Unsaved& session);
    };
    /// Reads or writes a file off the window's thread; what `work` returns is called on it.
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
    QMessageBox* newQuestion(QPointer<QMessageBox>& question, const char* name, const QString& what,
                             const QString& more);
    void askForModel();
    void askForOther();
    void askAboutWeights(const QString& found);
    void askAboutOther(const QString& expected, const QString& found);
    /// `again`: where the person thought better of it.
    void offerSearch(QMessageBox* box, void (SessionController::*use)(const QString&),
                     const std::function<void()>& again);
    void offerWayBack(QMessageBox* box);
    bool isAsShown() const;
    void goBack();
    void checkWeights();
    void sayWhatIsLeft();

    Parts parts_;
    QString path_;
    SessionState saved_;                                       ///< as the history has what is in that file
    std::optional<SessionState> opening_;                      ///< the session that was opened last
    bool layoutLeft_ = false;                                  ///< its panels could not be put back
    QString openingPath_;                                      ///< its own; empty: it is restored
    std::optional<Before> before_;                             ///< nothing where no model was open
    bool goingBack_ = false;                                   ///< to that
    std::size_t shownPlace_ = 0;                               ///< in the history, of that session
    SessionState shownStep_;                                   ///< what stood there
    std::optional<Unsaved> unsaved_;                           ///< on its way to a file
    std::shared_ptr<Saves> saves_ = std::make_shared<Saves>(); ///< also of whoever is writing still
    bool isModelThere_ = true;                                 ///< of that session
    bool isOtherThere_ = true;
    QPointer<QMessageBox> question_;
    QPointer<QMessageBox> otherQuestion_;
    QPointer<QMessageBox> changedQuestion_;
    bool isRestored_ = false; ///< and in no file of the person's own
    bool isGivenUp_ = false;  ///< what was changed, while the window closes
};

} // namespace headscope::app
