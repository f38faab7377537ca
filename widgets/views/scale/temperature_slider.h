#pragma once

#include "widgets/controls/marked_slider.h"

#include <vector>

namespace headscope::widgets {

/// A logarithmic slider for temperatures.
class TemperatureSlider : public MarkedSlider {
    Q_OBJECT

  public:
    explicit TemperatureSlider(QWidget* parent = nullptr);

    double temperature() const;
    /// Emits nothing.
    void setTemperature(double temperature);
    /// Ignores temperatures out of range.
    void setMarks(const std::vector<double>& temperatures);

  Q_SIGNALS:
    /// Emitted if the user moves the slider.
    void temperatureChanged(double temperature);
};

} // namespace headscope::widgets
