#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A numeric axis of a plot.
struct PlotAxis {
    double least = 0;
    double most = 1;
    bool logarithmic = false; ///< requires `least` > 0
    QString title;
    bool numbered = true;
    bool whole = false; ///< for counts: ticks are whole numbers

    /// 0 at `least`, 1 at `most`.
    double position(double value) const;
};

/// Returns a logarithmic axis of whole decades around the positive `values`; 1 to 10 if there are none.
PlotAxis decadesAround(const std::vector<double>& values, const QString& title);

/// Returns the text of a tick on an axis whose ticks run from `least` to `most`. All ticks of an axis have
/// one format: "0.01", or powers ("10⁻²" beside "10⁻⁵") if a tick would have five zeros.
QString logarithmicTickText(double tick, double least, double most);
QString linearTickText(double tick, double least, double most);

/// Axes around a plot. Pure geometry, so that drawing and hit testing share it.
class PlotFrame {
  public:
    PlotFrame(PlotAxis across, PlotAxis up, const QFont& font, const QRectF& area);

    const QRectF& plot() const { return plot_; }
    double x(double value) const;
    double y(double value) const;
    /// Inverse of x(), also outside the plot. Requires a linear horizontal axis.
    double valueAt(double x) const;
    /// Draws axes, titles and ticks; omits tick numbers that would overlap.
    void draw(QPainter& painter, const Theme& theme) const;

  private:
    void drawTicksAcross(QPainter& painter, const Theme& theme) const;
    void drawTicksUp(QPainter& painter, const Theme& theme) const;

    PlotAxis across_;
    PlotAxis up_;
    QFont font_;
    QRectF area_;
    QRectF plot_;
    std::vector<double> ticksUp_;
};

/// Formats a number for an axis with no more digits than needed.
QString axisNumber(double value);

} // namespace headscope::widgets
