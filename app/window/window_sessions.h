#pragma once

#include <QObject>

#include "app/window/window_choices.h"

#include <chrono>
#include <memory>
#include <optional>

class QMainWindow;

namespace headscope::app {

class AutosaveController;
class FigureExporter;
class ModelHash;
class RestoreOffer;
class SessionController;
class UndoController;
class WindowState;

/// Keeps a window's state: sessions, undo and autosave; and its title, which names the session's file, the
/// model and the number of its changes.
class WindowSessions : public QObject {
    Q_OBJECT

  public:
    struct Autosave {
        QString folder; ///< empty: nothing is saved without being asked
        std::chrono::milliseconds delay;
        RestoreOffer* offer;
    };
    /// All of them outlive this.
    WindowSessions(QMainWindow* window, Document* document, const ChoosableParts& parts,
                   const Autosave& autosave);
    ~WindowSessions() override;

    WindowState* state() const { return state_; }
    UndoController* undo() const { return undo_; }
    SessionController* controller() const { return controller_; }
    /// Null where nothing is saved without being asked.
    AutosaveController* autosave() const { return autosave_; }
    const widgets::ViewChoices& choices() const { return *choices_; }
    /// It watches what goes next.
    void stopUndo();

  public Q_SLOTS:
    /// The session's file, the model and how many changes it works with.
    void showTitle();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// What was done, in words.
    void done(const QString& words);
    /// What cannot be done for now, said for as long as nothing else is.
    void warned(const QString& words);

  private:
    void buildController(const Autosave& autosave);
    void connectController();
    ModelHash* hashOfOther();

    QMainWindow* window_;
    Document* document_;
    ChoosableParts parts_;
    std::unique_ptr<widgets::ViewChoices> choices_;
    WindowState* state_;
    UndoController* undo_;
    SessionController* controller_ = nullptr;
    AutosaveController* autosave_ = nullptr;
};

} // namespace headscope::app
