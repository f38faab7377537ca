#pragma once

#include <QString>

#include "app/document/kept_layout.h"
#include "app/sessions/session.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace headscope::app {

/// The states that a person went through, each with the name of what led to it, and which of them is shown.
/// Equal requests are stored once. The oldest states are dropped if all take too much memory.
class History {
  public:
    static constexpr std::size_t most = 1000;

    explicit History(std::size_t mostBytes = std::size_t(64) << 20) : mostBytes_(mostBytes) {}

    /// Forgets everything but this.
    void begin(SessionState state);
    bool isEmpty() const { return entries_.empty(); }
    /// After the one that is shown; what was undone is forgotten.
    void add(SessionState state, const QString& name);
    /// The one that is shown; there is one.
    const SessionState& present() const { return entries_[place_].state; }
    std::size_t place() const { return place_; }
    std::size_t size() const { return entries_.size(); }

    bool canUndo() const { return place_ > 0; }
    bool canRedo() const { return place_ + 1 < entries_.size(); }
    /// Of what would be undone or redone; empty where there is nothing.
    QString undoName() const { return canUndo() ? entries_[place_].name : QString(); }
    QString redoName() const { return canRedo() ? entries_[place_ + 1].name : QString(); }
    /// One back or forward; where it can.
    const SessionState& undo();
    const SessionState& redo();
    /// How the window looked when the shown state was last left; nothing: it was not.
    void setLook(KeptLayout::Look look);
    const std::optional<KeptLayout::Look>& look() const { return entries_[place_].look; }
    /// To another of the states there are.
    void goTo(std::size_t place) { place_ = place; }

  private:
    struct Entry {
        SessionState state;
        QString name; ///< of what led to it
        std::size_t bytes = 0;
        std::optional<KeptLayout::Look> look = std::nullopt;
    };
    void drop();

    std::size_t mostBytes_;
    std::size_t bytes_ = 0;
    std::deque<Entry> entries_;
    std::size_t place_ = 0;
};

} // namespace headscope::app
