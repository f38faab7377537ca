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

// Which rows, columns and steps of a figure are named: all of some dozen, and of more it says how many.

/// Figures have room for the names of so many rows or columns. Of more not all have names.
inline constexpr int mostNamed = 64;

/// Whether all rows and columns in sight are named, of those sides that have no more than mostNamed.
bool areAllNamed(const MapLayout& layout);
/// " One row in 8 is named. One column in 2 is named."; empty where all are.
QString namedInWords(const MapLayout& layout, bool hasRowLabels = true);

/// Names of steps that stand beside each other, below what is drawn of them.
struct LabelsBelow {
    std::vector<TokenLabel> labels;
    QFont font;
    double pitch = 0;                        ///< from one to the next
    bool upright = false;                    ///< else level, where what does not fit is elided
    std::optional<std::size_t> decoded = {}; ///< steps that an animation has come to; nothing: all
    bool spaceMarks = true;

    double widest() const;
    double height() const;
    /// Each how manieth has room for its name.
    int stride() const;
    /// " One step in 2 is named."
    QString inWords() const;
    /// The first step begins at `corner`, above it are the pictures.
    void draw(QPainter& painter, QPointF corner, const Theme& theme) const;
};

} // namespace headscope::widgets
