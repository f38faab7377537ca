#pragma once

#include <QObject>

#include "model/trace/attention_site.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Tokens that are lit up, named by the role they play in attention. A source token can be a query and a key
/// of the encoder and a key of cross-attention; target row t is a query of cross-attention and of the
/// decoder. Target row t was fed token t and chose the next one.
struct TokenFocus {
    std::optional<int> sourceQuery;
    std::optional<int> sourceKey;
    std::optional<int> targetQuery;
    std::optional<int> targetKey;

    /// The focus of one cell of a map.
    static TokenFocus cell(trace::AttentionKind kind, std::optional<int> query, std::optional<int> key);
    /// What this focus means on the axes of a map of `kind`.
    std::optional<int> query(trace::AttentionKind kind) const;
    std::optional<int> key(trace::AttentionKind kind) const;
    bool isEmpty() const { return *this == TokenFocus(); }
    friend bool operator==(const TokenFocus&, const TokenFocus&) = default;
};

/// What a person is looking at: one a window, and the only way views talk to each other.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(QObject* parent = nullptr);

    trace::HeadAddress head() const { return head_; }
    int step() const { return step_; }
    /// What is under the pointer, else where the keys have gone.
    const TokenFocus& hover() const { return pointed_.isEmpty() ? cursor_ : pointed_; }
    /// Where the keys have gone, whatever is under the pointer.
    const TokenFocus& cursor() const { return cursor_; }
    const TokenFocus& pinned() const { return pinned_; }
    /// What is lit up: the hover, else what is pinned.
    const TokenFocus& focus() const { return hover().isEmpty() ? pinned_ : hover(); }

    static constexpr std::size_t mostPinnedHeads = 4;
    /// Heads that are kept to be compared, in the order in which they were pinned.
    const std::vector<trace::HeadAddress>& pinnedHeads() const { return pinnedHeads_; }
    /// Counted from 1; nothing for a head that is not pinned.
    std::optional<int> pinOf(const trace::HeadAddress& head) const;

  public Q_SLOTS:
    void setHead(headscope::trace::HeadAddress head);
    /// Row of the target that is being looked at, from 0.
    void setStep(int step);
    /// What the pointer is on; of nothing, what the keys have gone to is lit again.
    void setHover(const headscope::widgets::TokenFocus& focus);
    /// What the keys have gone to, wherever the pointer rests; nothing: neither lights anything.
    void setCursor(const headscope::widgets::TokenFocus& focus);
    /// Pins what was clicked; the same again unpins it. Elsewhere the keys are no more.
    void togglePinned(const headscope::widgets::TokenFocus& focus);
    void clearPinned();
    /// Pins a head, or lets it go. Where there is no room for one more, says so and does nothing.
    void togglePinnedHead(headscope::trace::HeadAddress head);
    /// The first mostPinnedHeads of them.
    void setPinnedHeads(std::vector<headscope::trace::HeadAddress> heads);

  Q_SIGNALS:
    void headChanged(headscope::trace::HeadAddress head);
    void stepChanged(int step);
    void focusChanged(const headscope::widgets::TokenFocus& focus);
    void pinnedHeadsChanged();
    void headNotPinned(headscope::trace::HeadAddress head);

  private:
    template <class Change>
    void changeFocus(Change&& change);

    trace::HeadAddress head_;
    int step_ = 0;
    TokenFocus pointed_;
    TokenFocus cursor_;
    TokenFocus pinned_;
    std::vector<trace::HeadAddress> pinnedHeads_;
};

} // namespace headscope::widgets
