#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/document/history.h"
#include "app/document/window_state.h"
#include "app/window/actions.h"

class QKeyEvent;

namespace headscope::app {

/// Undo and redo of everything a person does. A state is added once what led to it is over: the mouse
/// released, the key let go, the sentence decoded. Pointing at something adds none.
class UndoController : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used. What stands in `window` by now is watched.
    UndoController(const WindowState::Parts& parts, WindowState* state, Actions* actions, QWidget* window);

    const History& history() const { return history_; }
    /// Nothing before what is shown by now can be undone.
    void begin();
    /// What is shown by now belongs to this history, which was there before.
    void goBackTo(History history);

  public Q_SLOTS:
    void undo();
    void redo();
    /// What was done so far is one step, if anything was.
    void settle();

  Q_SIGNALS:
    /// Another state is shown, or one more known.
    void changed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    static constexpr int pause = 600; ///< ms between letters, or turns of the wheel, that belong together

    void watchSelection(const WindowState::Parts& parts);
    void watchControls(QWidget* window);
    /// Looks for a change after so many milliseconds, unless more comes.
    void expect(int delay = 0);
    void watchKey(const QObject* watched, const QKeyEvent& key);
    void look();
    void take(SessionState now);
    void add(SessionState now, const QString& name);
    void followState(const QObject* by);
    void showLook(const SessionState& before);
    void show(const SessionState& state);
    void followHistory();
    bool isOpening() const;
    SessionState now() const;

    RunQueue* queue_;
    KeptLayout* layout_;
    WindowState* state_;
    Actions* actions_;
    QWidget* window_;
    History history_;
    SessionState seen_;     ///< as it looked last
    std::size_t shown_ = 0; ///< place in the history of what is seen
    bool expected_ = false;
    bool acted_ = false; ///< somebody, since it was looked last
    bool keyHeld_ = false;
    QElapsedTimer sinceKey_;
    QTimer timer_;
};

} // namespace headscope::app
