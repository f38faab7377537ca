#pragma once

#include <QSlider>

#include <vector>

namespace headscope::widgets {

/// A slider with marks below its groove, in the colour of the text whatever the style.
class MarkedSlider : public QSlider {
    Q_OBJECT

  public:
    explicit MarkedSlider(QWidget* parent = nullptr) : QSlider(Qt::Horizontal, parent) {}

    /// Shares of the way from the least to the largest value; what is out of it has no mark.
    void setMarkedShares(std::vector<double> shares);

    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<double> shares_;
};

} // namespace headscope::widgets
