#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// One axis of a plot of numbers.
struct PlotAxis {
    double least = 0;
    double most = 1;
    bool logarithmic = false; ///< `least` is above 0 then
    QString title;
    bool numbered = true;
    bool whole = false; ///< of counted things: ticks are whole numbers

    /// 0 at the least, 1 at the most.
    double position(double value) const;
};

/// Whole powers of ten around `values`, of which those that are not above 0 are left out; 1 to 10 where there
/// are none.
PlotAxis decadesAround(const std::vector<double>& values, const QString& title);

/// A tick on an axis whose ticks run from `least` to `most`, all in one form: "0.01", or where one of them
/// would have five zeros as powers, "10⁻²" beside "10⁻⁵".
QString logarithmicTickText(double tick, double least, double most);
QString linearTickText(double tick, double least, double most);

/// Two axes around a plot. Plain geometry: what is drawn is also what is pointed at.
class PlotFrame {
  public:
    PlotFrame(PlotAxis across, PlotAxis up, const QFont& font, const QRectF& area);

    const QRectF& plot() const { return plot_; }
    double x(double value) const;
    double y(double value) const;
    /// What stands at an x, which may lie outside of the plot; `across` is linear.
    double valueAt(double x) const;
    /// Axes, ticks with their numbers as far as there is room for them, titles.
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

/// A number on an axis: no more digits than it needs.
QString axisNumber(double value);

} // namespace headscope::widgets
