#pragma once

#include <QSlider>

#include <vector>

namespace headscope::widgets {

/// A slider with marks below its groove, in the text colour regardless of the style.
class MarkedSlider : public QSlider {
    Q_OBJECT

  public:
    explicit MarkedSlider(QWidget* parent = nullptr) : QSlider(Qt::Horizontal, parent) {}

    /// Positions of the marks, as shares of the slider's range from 0 to 1; others are not drawn.
    void setMarkedShares(std::vector<double> shares);

    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<double> shares_;
};

} // namespace headscope::widgets
