#pragma once

#include "widgets/controls/marked_slider.h"

#include <vector>

namespace headscope::widgets {

/// A temperature on a logarithmic slider, with marks at some of them.
class TemperatureSlider : public MarkedSlider {
    Q_OBJECT

  public:
    explicit TemperatureSlider(QWidget* parent = nullptr);

    double temperature() const;
    /// Emits nothing.
    void setTemperature(double temperature);
    /// What is out of range has no mark.
    void setMarks(const std::vector<double>& temperatures);

  Q_SIGNALS:
    /// A person moved it.
    void temperatureChanged(double temperature);
};

} // namespace headscope::widgets
