#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/desktop/actions.h"
#include "app/document/history.h"
#include "app/document/window_state.h"

class QKeyEvent;

namespace headscope::app {

/// Undo and redo of the experiment: model, sentence, decoding, changes and selection, but no choices in views
/// and no panels. A state is added once the user's action is complete: the mouse button or key released, the
/// sentence decoded. Hovering adds none.
class UndoController : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this. Watches the controls that `window` contains at this time.
    UndoController(const WindowState::Parts& parts, WindowState* state, Actions* actions, QWidget* window);

    const History& history() const { return history_; }
    /// What was shown after the user's last action, with all choices.
    const SessionState& present() const { return present_; }
    /// Restarts the history with the shown state.
    void begin();
    /// Treats use of the controls in `part` as a possible step.
    void watchControls(QWidget* part);
    /// Replaces the history by an earlier one, to which the shown state belongs.
    void goBackTo(History history);

  public Q_SLOTS:
    void undo();
    void redo();
    /// Ends the current action: adds a state if the experiment changed.
    void settle();

  Q_SIGNALS:
    /// present() is another.
    void changed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    static constexpr int pause = 600; ///< ms between key strokes or wheel turns that form one step

    void watchSelection(const WindowState::Parts& parts);
    /// Looks for a change after `delay` ms, later if more input follows.
    void expect(int delay = 0);
    void watchKey(const QObject* watched, const QKeyEvent& key);
    void look();
    void take(SessionState now);
    void add(const QString& name);
    void followState(const QObject* by);
    void show(const SessionState& state);
    void followHistory();
    bool isOpening() const;

    WorkQueue* queue_;
    WindowState* state_;
    Actions* actions_;
    History history_;
    SessionState seen_; ///< state at the last look
    SessionState present_;
    std::size_t shown_ = 0; ///< place of the shown state in the history
    bool expected_ = false;
    bool acted_ = false; ///< user input since the last look
    bool keyHeld_ = false;
    QElapsedTimer sinceKey_;
    QTimer timer_;
};

} // namespace headscope::app
