#include "widgets/views/scale/temperature_slider.h"

#include "model/analysis/scores/softmax_temperature.h"

#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int temperatureSliderSteps = 600; ///< both ends and 1 are on steps

double share(double temperature) {
    return std::log(temperature / analysis::lowestTemperature) /
           std::log(analysis::highestTemperature / analysis::lowestTemperature);
}

} // namespace

TemperatureSlider::TemperatureSlider(QWidget* parent) : MarkedSlider(parent) {
    setRange(0, temperatureSliderSteps);
    setSingleStep(4);
    setPageStep(40);
    setAccessibleName(tr("Temperature of the softmax"));
    connect(this, &QSlider::valueChanged, this, [this] { Q_EMIT temperatureChanged(temperature()); });
}

double TemperatureSlider::temperature() const {
    const double exact =
        analysis::lowestTemperature * std::pow(analysis::highestTemperature / analysis::lowestTemperature,
                                               static_cast<double>(value()) / temperatureSliderSteps);
    return std::round(exact * 1e4) / 1e4;
}

void TemperatureSlider::setTemperature(double temperature) {
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>(std::lround(share(temperature) * temperatureSliderSteps)));
}

void TemperatureSlider::setMarks(const std::vector<double>& temperatures) {
    std::vector<double> shares;
    std::ranges::transform(temperatures, std::back_inserter(shares), share);
    setMarkedShares(std::move(shares));
}

} // namespace headscope::widgets
