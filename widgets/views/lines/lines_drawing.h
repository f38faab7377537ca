#pragma once

#include <QImage>

#include "widgets/drawing/head_ink.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/lines/attention_lines.h"
#include "widgets/views/lines/lines_layout.h"

#include <optional>
#include <vector>

class QPainter;

namespace headscope::widgets {

/// Marked tokens of the two columns.
struct LinesMarks {
    std::optional<int> stepQuery; ///< row of the current decoding step
    std::optional<int> query;     ///< under the pointer, or pinned
    std::optional<int> key;
};

/// Content of the picture, without its layout.
struct LinesPicture {
    std::vector<TokenLabel> queryLabels;
    std::vector<TokenLabel> keyLabels;
    std::vector<int> heads; ///< the shown heads
    double most = 1;        ///< weight with the strongest line
    TokenLabelStyle style;

    /// A single head has no dashes.
    HeadInk ink(int head, const Theme& theme) const;
    /// Returns the vertical offset of the lines of a head from the middle of their rows, which keeps the
    /// lines of several heads apart.
    double shift(int head, double rowHeight) const;
};

/// Opacity and width grow with the weight, up to `picture.most`.
void drawAttentionLines(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                        const std::vector<AttentionLine>& lines, const Theme& theme);

/// The same as a transparent image for the screen, covering linesArea() only; ten times as fast.
QImage attentionLinesImage(double ratio, const LinesPicture& picture, const LinesLayout& layout,
                           const std::vector<AttentionLine>& lines, const Theme& theme);
/// Position of the image of attentionLinesImage().
QRect linesArea(const LinesLayout& layout);

/// Draws the visible labels.
void drawLineLabels(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const Theme& theme);

/// Draws highlighted labels over the others.
void drawLinesMarks(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const LinesMarks& marks, const Theme& theme);

/// Returns the width of a column of numbers: one for each head if that fits `available`, else one for the
/// strongest head.
double numbersWidth(const LinesPicture& picture, double available);

/// Draws the weights of `lines`, which all end at one token, next to the tokens at their other ends.
void drawLineWeights(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                     const std::vector<AttentionLine>& lines, bool besideKeys, const Theme& theme);

} // namespace headscope::widgets
