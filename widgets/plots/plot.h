#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <QStringList>

#include "widgets/map/map_layout.h"

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// A numeric axis. Its ends are given, so that it does not move while values change.
struct PlotAxis {
    double least = 0;
    double most = 1;
    bool logarithmic = false; ///< requires `least` > 0
    QString title;
    bool numbered = true;
    bool whole = false;     ///< for counts: ticks are whole numbers
    QStringList names = {}; ///< of 0, 1, ...: stand in the place of numbers

    /// 0 at `least`, 1 at `most`.
    double position(double value) const;
    friend bool operator==(const PlotAxis&, const PlotAxis&) = default;
};

/// Returns a logarithmic axis of whole decades around the positive `values`; 1 to 10 if there are none.
PlotAxis decadesAround(const std::vector<double>& values, const QString& title);

/// The ends of a colour scale, which stands right of the plot.
struct PlotShades {
    double least = 0;
    double most = 1;
};

/// The colour of a number on that scale; marks of it are outlined.
struct PlotShade {
    double number = 0;
    friend bool operator==(const PlotShade&, const PlotShade&) = default;
};

/// A category colour by its index, a colour of the theme, or one of a scale.
using PlotInk = std::variant<int, QColor Theme::*, QColor (*)(const Theme&), PlotShade>;

enum class PlotMark { None, Disc, Square, Triangle, Diamond };

/// A curve, marks, or bars. Coordinates are values on the axes; a NaN leaves a gap.
struct PlotSeries {
    QString name; ///< in the legend; empty: not in it
    std::vector<QPointF> points;
    PlotInk ink = 0;
    double line = 2; ///< width in pixels; 0: points are not connected
    Qt::PenStyle dash = Qt::SolidLine;
    PlotMark mark = PlotMark::None; ///< omitted where marks on a line would touch
    double radius = 4;              ///< of a mark in pixels, at most
    bool hollow = false;
    bool filled = false; ///< the points go around an area
    double bars = 0;     ///< width of bars from 0, on the horizontal axis; 0: no bars
    int panel = 0;
    std::vector<double> from = {}; ///< [points] where bars begin, instead of 0; empty: all at 0
    QStringList texts = {};        ///< [points] beyond the ends of bars
};

/// Values that are pointed at, visited with keys and read to screen readers: a row of a table.
struct PlotRow {
    QString name;
    std::vector<QPointF> points; ///< [columns]; a vertical NaN: no value
    double bars = 0;             ///< as in PlotSeries
    int panel = 0;
    std::vector<double> from = {}; ///< as in PlotSeries
};

/// A vertical band in all panels.
struct PlotBand {
    double from = 0;
    double to = 0;
    bool framed = false;
};

/// A straight line across all panels, with words at its end.
struct PlotLine {
    double at = 0;
    Qt::Orientation orientation = Qt::Vertical;
    PlotInk ink = 0;
    double width = 1;
    Qt::PenStyle dash = Qt::SolidLine;
    QString words;
    bool atEnd = false; ///< words of a horizontal line stand above its end, else below its beginning
};

/// All that a plot shows, as a plain value. Without series, `nothing` and `whyNothing` are shown instead.
struct Plot {
    PlotAxis across;
    std::vector<PlotAxis> up; ///< one per panel; panels are below each other
    std::vector<PlotSeries> series;
    std::vector<PlotBand> bands;
    std::vector<PlotLine> lines;
    std::optional<PlotShades> shades; ///< of PlotShade
    QString note;                     ///< in the upper right corner
    QString nothing;
    QString whyNothing;

    std::vector<PlotRow> rows;
    QStringList columns; ///< names
    /// The nearest column is pointed at, and in it the nearest row; false: the nearest value, where a
    /// horizontal distance counts four times as much as a vertical one unless it is a cloud.
    bool inColumns = true;
    /// The nearest value close by is pointed at, and an arrow key goes to the nearest one in its direction.
    bool isCloud = false;
    std::function<QString(MapCell)> card;  ///< rich text shown at a value; empty: its words
    std::function<QString(MapCell)> words; ///< describes a value by its row and column

    /// Adds a series whose values can be read.
    void add(PlotSeries one, const QString& rowName);
};

} // namespace headscope::widgets
