#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"
#include "app/results/results.h"
#include "widgets/controls/view_choices.h"

#include <chrono>
#include <memory>
#include <optional>

class QMainWindow;

namespace headscope::app {

class AutosaveController;
class ModelHash;
class RestoreOffer;
class SessionController;
class TopBar;
class UndoController;
class WindowPlaces;
class WindowState;
class Workbench;

/// Sessions, undo and autosave of a window; and its title, which names the session's file, the model and the
/// number of changes.
class WindowSessions : public QObject {
    Q_OBJECT

  public:
    struct Parts {
        Results* results;
        ModelHash* hash; ///< of the model's weights
        Actions* actions;
        Workbench* workbench;
        TopBar* top;
        WindowPlaces* places;
    };
    struct Autosave {
        QString folder; ///< empty: no autosave
        std::chrono::milliseconds delay;
        RestoreOffer* offer;
    };
    /// All objects must outlive this.
    WindowSessions(QMainWindow* window, Document* document, const Parts& parts, const Autosave& autosave);
    ~WindowSessions() override;

    WindowState* state() const { return state_; }
    UndoController* undo() const { return undo_; }
    SessionController* controller() const { return controller_; }
    /// Null if there is no autosave.
    AutosaveController* autosave() const { return autosave_; }
    const widgets::ViewChoices& choices() const { return *choices_; }
    /// Deletes the undo controller before the widgets that it watches are destroyed.
    void stopUndo();

  public Q_SLOTS:
    /// Updates the title: session file, model and number of changes.
    void showTitle();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// Reports a completed action.
    void done(const QString& words, const QString& file);
    /// A warning, shown until the next message.
    void warned(const QString& words);

  private:
    void bindChoices();
    void buildController(const Autosave& autosave);
    void connectController();
    ModelHash* hashOfOther();

    QMainWindow* window_;
    Document* document_;
    Parts parts_;
    std::unique_ptr<widgets::ViewChoices> choices_;
    WindowState* state_;
    UndoController* undo_;
    SessionController* controller_ = nullptr;
    AutosaveController* autosave_ = nullptr;
};

} // namespace headscope::app
