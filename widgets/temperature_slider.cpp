#include "widgets/temperature_slider.h"

#include "model/analysis/softmax_temperature.h"
#include "widgets/theme.h"

#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionSlider>

#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int steps = 400; ///< both ends and 1 are among them

double share(double temperature) {
    return std::log(temperature / analysis::lowestTemperature) /
           std::log(analysis::highestTemperature / analysis::lowestTemperature);
}

} // namespace

TemperatureSlider::TemperatureSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setRange(0, steps);
    setSingleStep(4);
    setPageStep(40);
    setAccessibleName(tr("Temperature of the softmax"));
    connect(this, &QSlider::valueChanged, this, [this] { Q_EMIT temperatureChanged(temperature()); });
}

double TemperatureSlider::temperature() const {
    const double exact =
        analysis::lowestTemperature * std::pow(analysis::highestTemperature / analysis::lowestTemperature,
                                               static_cast<double>(value()) / steps);
    return std::round(exact * 1e4) / 1e4;
}

void TemperatureSlider::setTemperature(double temperature) {
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>(std::lround(share(temperature) * steps)));
}

void TemperatureSlider::setMarks(std::vector<double> temperatures) {
    marks_ = std::move(temperatures);
    update();
}

QSize TemperatureSlider::sizeHint() const {
    return QSlider::sizeHint() + QSize(0, 8);
}

void TemperatureSlider::paintEvent(QPaintEvent* event) {
    QSlider::paintEvent(event);
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect groove = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderGroove, this);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    QPainter painter(this);
    for (const double mark : marks_) {
        const double at = share(mark);
        if (at < 0 || at > 1)
            continue;
        const double x = groove.left() + handle.width() / 2.0 + at * (groove.width() - handle.width());
        painter.fillRect(QRectF(std::round(x) - 1, height() - 5, 2, 5), themeOf(palette()).text);
    }
}

} // namespace headscope::widgets
