#pragma once

#include <QSlider>

#include <vector>

namespace headscope::widgets {

/// A temperature on a logarithmic slider, with marks at some of them.
class TemperatureSlider : public QSlider {
    Q_OBJECT

  public:
    explicit TemperatureSlider(QWidget* parent = nullptr);

    double temperature() const;
    /// Emits nothing.
    void setTemperature(double temperature);
    /// What is out of range has no mark.
    void setMarks(std::vector<double> temperatures);

    QSize sizeHint() const override;

  Q_SIGNALS:
    /// A person moved it.
    void temperatureChanged(double temperature);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<double> marks_;
};

} // namespace headscope::widgets
