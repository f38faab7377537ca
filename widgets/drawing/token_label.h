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

/// How a token is shown. Plain text: whoever hands it to something that guesses rich text escapes it.
struct TokenLabel {
    QString mark; ///< U+2581 where the piece has a space before it, else empty; drawn small and faint
    /// The rest, with control characters made visible; never empty unless the mark stands alone. Of a byte
    /// piece such as <0xE2> the two digits.
    QString text;
    bool special = false;      ///< start, end, padding, unknown: drawn faintly and slanted
    bool byte = false;         ///< drawn over a dotted line, so that E2 is not taken for two letters
    bool isMarkNeeded = false; ///< its mark is drawn even where marks are off, as another one has none
    QString character;         ///< of a byte: the one it makes together with its neighbours; empty if none

    QString full() const { return byte ? "0x" + text : mark + text; }
    friend bool operator==(const TokenLabel&, const TokenLabel&) = default;
};

/// Control characters become their pictures (U+2400 and following), invisible and direction-changing ones
/// their code in brackets, the empty piece a sign of its own, invalid UTF-8 U+FFFD; a combining mark that
/// begins a piece stands on a dotted circle.
TokenLabel tokenLabel(const trace::Token& token);

/// The same for tokens that follow each other: their bytes know which character they make.
std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens);
/// Of the first `count` tokens.
std::vector<TokenLabel> tokenLabels(const std::vector<trace::Token>& tokens, std::size_t count);
/// One of them.
TokenLabel tokenLabel(const std::vector<trace::Token>& tokens, std::size_t index);

/// `full()` between isolating marks (UAX 9), so that a right-to-left piece cannot turn the sentence around
/// it.
QString isolated(const QString& text);

/// “Tochter”, or for a byte: byte E2 of “€”. The piece without its space mark, between quotation marks and
/// isolated. For sentences, where the mark would look like a line under nothing.
QString quoted(const TokenLabel& label);

/// “Tochter” after a space: which piece it is exactly, for where it is told apart from one without the space.
QString exactly(const TokenLabel& label);

/// What a label is drawn with.
struct TokenInk {
    QColor text;
    QColor special; ///< of special tokens
    QColor mark;    ///< of the space mark, which only repeats what the text says

    /// The theme's text on its own background.
    static TokenInk onBackground(const Theme& theme);
    /// On another ground: all text in one colour, the space mark a third of it.
    static TokenInk on(const QColor& ground, const QColor& text);
};

/// Draws and measures labels; one for a whole picture.
struct TokenLabelStyle {
    QFont font;
    bool spaceMarks = true; ///< false hides U+2581

    double width(const TokenLabel& label) const;
    /// Of each. Tokens come again and again, and a long map that is zoomed lays thousands out again and
    /// again: what was measured in the style of the last call is remembered.
    std::vector<double> widths(std::span<const TokenLabel> labels) const;
    double lineHeight() const;
    /// One line within `area`; what does not fit is elided in the middle. The painter keeps its state.
    void draw(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const TokenLabel& label,
              const TokenInk& ink) const;
    /// True if `draw` would elide.
    bool isElided(const TokenLabel& label, double width) const;

  private:
    double markWidth(const TokenLabel& label) const;
    void drawMark(QPainter& painter, QPointF left, double width, const QColor& colour) const;
};

} // namespace headscope::widgets
