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

/// What is marked on the two columns.
struct LinesMarks {
    std::optional<int> stepQuery; ///< the row of the current decoding step
    std::optional<int> query;     ///< of the pointer or what is pinned
    std::optional<int> key;
};

/// Everything about the picture but where it stands.
struct LinesPicture {
    std::vector<TokenLabel> queryLabels;
    std::vector<TokenLabel> keyLabels;
    std::vector<int> heads; ///< that are shown
    double most = 1;        ///< the weight at which lines are strongest
    TokenLabelStyle style;

    /// A head alone has no dashes.
    HeadInk ink(int head, const Theme& theme) const;
    /// How far the lines of a head lie below the middle of their rows, so that those of several heads do not
    /// hide each other.
    double shift(int head, double rowHeight) const;
};

/// Opacity and width grow with the weight, up to that of the strongest line.
void drawAttentionLines(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                        const std::vector<AttentionLine>& lines, const Theme& theme);

/// The same on a transparent picture for the screen, in a tenth of the time: of linesArea() alone.
QImage attentionLinesImage(double ratio, const LinesPicture& picture, const LinesLayout& layout,
                           const std::vector<AttentionLine>& lines, const Theme& theme);
/// Where that picture stands.
QRect linesArea(const LinesLayout& layout);

/// The labels in sight.
void drawLineLabels(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const Theme& theme);

/// The labels that are lit, over the others.
void drawLinesMarks(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                    const LinesMarks& marks, const Theme& theme);

/// Room for the weights of these heads in a column of numbers, within `available`: that of each head, or
/// where that is too wide that of the strongest one.
double numbersWidth(const LinesPicture& picture, double available);

/// The weights of `lines`, which all end at one token, beside the tokens at their other ends.
void drawLineWeights(QPainter& painter, const LinesPicture& picture, const LinesLayout& layout,
                     const std::vector<AttentionLine>& lines, bool besideKeys, const Theme& theme);

} // namespace headscope::widgets
