#pragma once

#include <QString>

#include "app/sessions/session.h"

#include <cstddef>
#include <deque>
#include <utility>

namespace headscope::app {

/// The states of the experiment that the user went through, each with the name of the action that
/// led to it, and the position of the shown one. Consecutive states with equal requests share one. The oldest
/// states are dropped if all take too much memory.
class History {
  public:
    static constexpr std::size_t most = 1000;

    explicit History(std::size_t mostBytes = std::size_t(64) << 20) : mostBytes_(mostBytes) {}

    /// Forgets all states and starts with this one.
    void begin(SessionState state);
    bool isEmpty() const { return entries_.empty(); }
    /// Adds a state after the shown one; states that were undone are forgotten.
    void add(SessionState state, const QString& name);
    /// The shown state. Requires !isEmpty().
    const SessionState& present() const { return entries_[place_].state; }
    std::size_t place() const { return place_; }
    std::size_t size() const { return entries_.size(); }

    bool canUndo() const { return place_ > 0; }
    bool canRedo() const { return place_ + 1 < entries_.size(); }
    /// Name of the action that would be undone or redone; empty if there is none.
    QString undoName() const { return canUndo() ? entries_[place_].name : QString(); }
    QString redoName() const { return canRedo() ? entries_[place_ + 1].name : QString(); }
    /// Go one state back or forward, if possible, and return the shown state.
    const SessionState& undo();
    const SessionState& redo();
    /// Shows the state at `place`, which must be less than size().
    void goTo(std::size_t place) { place_ = place; }

  private:
    struct Entry {
        SessionState state;
        QString name; ///< of the action that led to the state
        std::size_t bytes = 0;
    };
    void drop();

    std::size_t mostBytes_;
    std::size_t bytes_ = 0;
    std::deque<Entry> entries_;
    std::size_t place_ = 0;
};

} // namespace headscope::app
