#pragma once

#include <QFont>
#include <QString>

#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Figures name all rows, columns and steps up to this number. Beyond it, captions say how many are named.
inline constexpr int mostNamed = 64;

/// True if all visible rows and columns are named, on axes with at most mostNamed.
bool areAllNamed(const MapLayout& layout);
/// " One row in 8 is named. One column in 2 is named."; empty if all are.
QString namedInWords(const MapLayout& layout, bool hasRowLabels = true);

/// Names of adjacent steps, below their drawings.
struct LabelsBelow {
    std::vector<TokenLabel> labels;
    QFont font;
    double pitch = 0;                        ///< distance between steps
    bool upright = false;                    ///< otherwise level, and elided if too long
    std::optional<std::size_t> decoded = {}; ///< steps decoded so far in an animation; nothing: all
    bool spaceMarks = true;

    double widest() const;
    double height() const;
    /// Returns n if every n-th step is named.
    int stride() const;
    /// " One step in 2 is named."
    QString inWords() const;
    /// `corner` is the top left corner of the first name.
    void draw(QPainter& painter, QPointF corner, const Theme& theme) const;
};

} // namespace headscope::widgets
