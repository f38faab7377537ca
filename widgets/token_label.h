#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include "model/trace/token.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// How a token is shown. Plain text: whoever hands it to something that guesses rich text escapes it.
struct TokenLabel {
    QString mark; ///< U+2581 where the piece has a space before it, else empty; drawn small and faint
    QString
        text; ///< the rest, with control characters made visible; never empty unless the mark stands alone
    bool special = false; ///< start, end, padding, unknown: drawn faintly and slanted

    QString full() const { return mark + text; }
    friend bool operator==(const TokenLabel&, const TokenLabel&) = default;
};

/// Control characters become their pictures (U+2400 and following), invisible and direction-changing ones
/// their code in brackets, the empty piece a sign of its own, invalid UTF-8 U+FFFD.
TokenLabel tokenLabel(const trace::Token& token);

/// `full()` between isolating marks (UAX 9), so that a right-to-left piece cannot turn the sentence around
/// it.
QString isolated(const QString& text);

/// “Tochter”: the piece without its space mark, between quotation marks and isolated. For sentences, where
/// the mark would look like a line under nothing.
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
    double lineHeight() const;
    /// One line within `area`; what does not fit is elided at the end. The painter keeps its state.
    void draw(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const TokenLabel& label,
              const TokenInk& ink) const;
    /// True if `draw` would elide.
    bool isElided(const TokenLabel& label, double width) const;

  private:
    double markWidth(const TokenLabel& label) const;
    void drawMark(QPainter& painter, QPointF left, double width, const QColor& colour) const;
};

} // namespace headscope::widgets
