#include "app/document/history.h"

#include <utility>

namespace headscope::app {

void History::begin(SessionState state) {
    entries_.clear();
    place_ = 0;
    bytes_ = 0;
    entries_.push_back({.state = std::move(state), .name = {}, .bytes = 0});
}

void History::add(SessionState state, const QString& name) {
    while (canRedo()) {
        bytes_ -= entries_.back().bytes;
        entries_.pop_back();
    }
    const auto& before = present().request;
    const bool isShared = state.request && before && *state.request == *before;
    if (isShared)
        state.request = before;
    const std::size_t bytes = bytesOf(state) + (state.request && !isShared ? bytesOf(*state.request) : 0);
    entries_.push_back({.state = std::move(state), .name = name, .bytes = bytes});
    bytes_ += bytes;
    ++place_;
    drop();
}

/// Keeps at least the shown state and the one before it, regardless of their size.
void History::drop() {
    while (entries_.size() > most || (entries_.size() > 2 && bytes_ > mostBytes_)) {
        bytes_ -= entries_.front().bytes;
        entries_.pop_front();
        --place_;
    }
}

const SessionState& History::undo() {
    if (canUndo())
        --place_;
    return present();
}

const SessionState& History::redo() {
    if (canRedo())
        ++place_;
    return present();
}

} // namespace headscope::app
