#pragma once

#include "model/analysis/output/decode_paths.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"

#include <QColor>
#include <QRectF>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A column for each step of a decoding, as wide as the longest token of any path in it; the time axis that
/// views draw below each other. Positions are in pixels from the left edge of the views.
struct StepColumns {
    std::vector<double> lefts;
    std::vector<double> widths;
    std::vector<double> leasts; ///< widths in which only tokens of dropped paths and second choices are cut
    double gap = 0;             ///< between columns
    double gutter = 0;          ///< before the first column: what the rows are
    double after = 0;           ///< behind the last column: scores

    /// More columns are as narrow as this allows, and their tokens are cut.
    static constexpr std::size_t mostWide = 24;

    std::size_t count() const { return lefts.size(); }
    double right() const { return lefts.empty() ? gutter : lefts.back() + widths.back(); }
    /// Of all columns with what is before and behind them.
    double width() const { return right() + after; }
    /// The column at a position, which has half of the gaps beside it.
    std::optional<std::size_t> at(double x) const;
    QRectF area(std::size_t column, double top, double height) const {
        return {lefts.at(column), top, widths.at(column), height};
    }
    /// The columns of [from, to) alone, in the first ones' place.
    StepColumns part(std::size_t from, std::size_t to) const;
    /// The columns in this width, as far as that cuts no other tokens.
    StepColumns within(double width) const;
    /// Number of columns that fit into `width` from this one on; at least one.
    std::size_t fitting(std::size_t from, double width) const;
    /// The last column that may be the first one in sight: the others then fit.
    std::size_t lastFirst(double width) const;
};

/// Columns are also wide enough for the second choices of the shown path, where there is room.
StepColumns stepColumns(const analysis::PathRows& paths, const trace::Run& run, const TokenLabelStyle& style);

/// A column for each list of labels that stand below each other in it, none of which is cut.
StepColumns labelColumns(const std::vector<std::vector<TokenLabel>>& columns, const TokenLabelStyle& style);

/// Room for what a row is: an icon, a name of usual length, a remark.
double stepGutter(const QFont& font);

/// The font of numbers and remarks beside text in `font`.
QFont smallFont(const QFont& font);
QFont boldFont(QFont font);

/// `share` of the one colour in the other.
QColor mixed(const QColor& colour, const QColor& ground, double share);
/// Bars that are long where there is much of something.
QColor barColour(const Theme& theme);
/// The band of the current step behind all that is drawn.
QColor bandColour(const Theme& theme);

struct StepChip {
    enum class Ink { Plain, Faint, Bold, Current };
    Ink ink = Ink::Plain;
    bool isDashed = false;
    std::optional<double> probability; ///< a bar at the bottom
    bool isUnsure = false;             ///< colours it
    bool isForced = false;             ///< by a person: draws a lock
};
/// Draws the padlock of a forced token, of 7 by 9 pixels.
void drawLock(QPainter& painter, QPointF corner, const QColor& colour);
/// A bar for a probability. That of an unsure choice also has a line as long as a sure one, as colour must
/// not be the only mark.
void drawConfidence(QPainter& painter, const QRectF& room, double probability, bool isUnsure,
                    const QColor& sure, const Theme& theme);
/// A token in a box.
void drawStepChip(QPainter& painter, const QRectF& area, const TokenLabel& label,
                  const TokenLabelStyle& style, const StepChip& chip, const Theme& theme);

} // namespace headscope::widgets
