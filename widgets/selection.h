#pragma once

#include <QObject>

#include "model/trace/attention_site.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Highlighted tokens by the role they play in attention. A source token can be a query and a key of the
/// encoder and a key of cross-attention; target row t is a query of cross-attention and of the decoder.
/// Target row t was fed token t and chose the next one.
struct TokenFocus {
    std::optional<trace::TokenIndex> sourceQuery;
    std::optional<trace::TokenIndex> sourceKey;
    std::optional<trace::TokenIndex> targetQuery;
    std::optional<trace::TokenIndex> targetKey;

    /// Returns the focus of one cell of a map.
    static TokenFocus cell(trace::AttentionKind kind, std::optional<trace::TokenIndex> query,
                           std::optional<trace::TokenIndex> key);
    /// Index of the highlighted query or key on the axes of a map of `kind`.
    std::optional<trace::TokenIndex> query(trace::AttentionKind kind) const;
    std::optional<trace::TokenIndex> key(trace::AttentionKind kind) const;
    bool isEmpty() const { return *this == TokenFocus(); }
    friend bool operator==(const TokenFocus&, const TokenFocus&) = default;
};

/// The user's selection: one per window, and the only way in which views communicate.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(QObject* parent = nullptr);

    trace::HeadAddress head() const { return head_; }
    trace::TokenIndex step() const { return step_; }
    /// The focus under the pointer, else the keyboard cursor.
    const TokenFocus& hover() const { return pointed_.isEmpty() ? cursor_ : pointed_; }
    /// The keyboard cursor, regardless of the pointer.
    const TokenFocus& cursor() const { return cursor_; }
    const TokenFocus& pinned() const { return pinned_; }
    /// The highlighted tokens: hover(), else the pinned ones.
    const TokenFocus& focus() const { return hover().isEmpty() ? pinned_ : hover(); }

    static constexpr std::size_t mostPinnedHeads = 4;
    /// Heads pinned for comparison, in the order in which they were pinned.
    const std::vector<trace::HeadAddress>& pinnedHeads() const { return pinnedHeads_; }
    /// Number of the pin, from 1; empty if the head is not pinned.
    std::optional<int> pinOf(const trace::HeadAddress& head) const;

    /// The first column in sight of those that views with a column a step draw below each other.
    int firstColumn() const { return firstColumn_; }

  public Q_SLOTS:
    void setHead(headscope::trace::HeadAddress head);
    /// `step` is a target row, from 0.
    void setStep(headscope::trace::TokenIndex step);
    /// Sets the focus under the pointer; if empty, the keyboard cursor is highlighted again.
    void setHover(const headscope::widgets::TokenFocus& focus);
    /// Sets the keyboard cursor, which takes precedence over a resting pointer; if empty, neither is
    /// highlighted.
    void setCursor(const headscope::widgets::TokenFocus& focus);
    /// Pins a focus, or unpins it if it is pinned. Clears a keyboard cursor elsewhere.
    void togglePinned(const headscope::widgets::TokenFocus& focus);
    void clearPinned();
    /// Pins or unpins a head. Emits headNotPinned() if mostPinnedHeads are pinned already.
    void togglePinnedHead(headscope::trace::HeadAddress head);
    /// Pins the first mostPinnedHeads of `heads`.
    void setPinnedHeads(std::vector<headscope::trace::HeadAddress> heads);
    void setFirstColumn(int column);

  Q_SIGNALS:
    void headChanged(headscope::trace::HeadAddress head);
    void stepChanged(headscope::trace::TokenIndex step);
    void focusChanged(const headscope::widgets::TokenFocus& focus);
    void pinnedHeadsChanged();
    void headNotPinned(headscope::trace::HeadAddress head);
    void firstColumnChanged(int column);

  private:
    template <class Change>
    void changeFocus(Change&& change);

    trace::HeadAddress head_;
    trace::TokenIndex step_;
    TokenFocus pointed_;
    TokenFocus cursor_;
    TokenFocus pinned_;
    std::vector<trace::HeadAddress> pinnedHeads_;
    int firstColumn_ = 0;
};

} // namespace headscope::widgets
