#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include "model/trace/token.h"

#include <span>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A token as displayed. Plain text: escape it for widgets that detect rich text.
struct TokenLabel {
    QString mark; ///< U+2581 if the token begins with a space, else empty; drawn small and faint
    /// The token without its mark, control characters made visible. Empty only if the token is a lone mark.
    /// For a byte such as <0xE2>, its two digits.
    QString text;
    bool special = false;      ///< start, end, padding, unknown: drawn faint and italic
    bool byte = false;         ///< underlined with dots, so that E2 is not taken for two letters
    bool isMarkNeeded = false; ///< draw the mark even if marks are off: another token differs only in it
    QString character;         ///< for a byte: the character it forms with its neighbours; empty if none

    QString full() const { return byte ? "0x" + text : mark + text; }
    /// Without a mark that is not needed.
    QString inWords() const { return isMarkNeeded || text.isEmpty() || byte ? full() : text; }
    friend bool operator==(const TokenLabel&, const TokenLabel&) = default;
};

/// Replaces control characters by their pictures (U+2400 and following), invisible and direction-changing
/// characters by their code in brackets, an empty token by U+2205 and invalid UTF-8 by U+FFFD. Puts an
/// initial combining mark on a dotted circle.
TokenLabel tokenLabel(const trace::Token& token);

/// Labels of consecutive tokens, including the character that neighbouring bytes form.
std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens);
/// Labels of the first `count` tokens.
std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens, std::size_t count);
/// Label of one token in its context.
TokenLabel tokenLabel(const std::vector<trace::Token>& tokens, std::size_t index);

/// Wraps `text` in directional isolates (UAX 9), so that right-to-left text does not reorder the surrounding
/// sentence.
QString isolated(const QString& text);

/// Returns the token for use in a sentence: isolated, quoted and without its space mark, which would look
/// like a stray underline. “Tochter”, or for a byte: byte E2 of “€”.
QString quoted(const TokenLabel& label);

/// Like quoted(), with “Tochter” after a space for a token that begins with one. Use it where tokens that
/// differ only in this space must be distinguished.
QString exactly(const TokenLabel& label);

/// The colours of a label.
struct TokenInk {
    QColor text;
    QColor special; ///< for special tokens
    QColor mark;    ///< of the space mark; may be faint because it only repeats what the text says

    /// The text colours of a theme on its background.
    static TokenInk onBackground(const Theme& theme);
    /// On another background: all text in one colour, the space mark at a third of its strength.
    static TokenInk on(const QColor& ground, const QColor& text);
};

/// Measures and draws labels in one style.
struct TokenLabelStyle {
    QFont font;
    bool spaceMarks = true; ///< false hides U+2581

    double width(const TokenLabel& label) const;
    /// Widths of many labels. Caches the widths measured in the style of the last call: tokens repeat, and
    /// zooming a long map lays out thousands of them for every frame.
    std::vector<double> widths(std::span<const TokenLabel> labels) const;
    double lineHeight() const;
    /// Draws one line within `area`, elided in the middle if too wide. Restores the painter's state.
    void draw(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const TokenLabel& label,
              const TokenInk& ink) const;
    /// Returns true if draw() would elide the label.
    bool isElided(const TokenLabel& label, double width) const;

  private:
    double markWidth(const TokenLabel& label) const;
    void drawMark(QPainter& painter, QPointF left, double width, const QColor& colour) const;
};

} // namespace headscope::widgets
