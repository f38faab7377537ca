#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// "10", "0.01", and from five zeros on as a power: "10⁻⁶".
QString powerOfTenText(int exponent);

/// Counted things across, whole powers of ten up. Plain geometry: what is drawn is also what is pointed at.
class LogAxes {
  public:
    /// Around `values`, of which those that are not above 0 are left out; [1, 10] where there are none.
    LogAxes(const std::vector<double>& values, const QFont& font, const QRectF& area);

    const QRectF& plot() const { return plot_; }
    double x(double index) const;
    double y(double value) const;
    /// The nearest index, which may lie outside of the values.
    int indexAt(double x) const;
    void draw(QPainter& painter, const QString& xTitle, const QString& yTitle, const Theme& theme) const;

  private:
    void drawDecades(QPainter& painter, const Theme& theme) const;
    void drawCounts(QPainter& painter, const Theme& theme) const;

    QFont font_;
    std::size_t count_;
    int lowest_ = 0; ///< exponents of ten
    int highest_ = 1;
    QRectF plot_;
};

} // namespace headscope::widgets
